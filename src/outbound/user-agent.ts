/** How this service names itself to receivers. */
export const userAgent = 'Commerce-Service-Webhooks/1'
