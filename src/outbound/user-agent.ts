/** User-Agent of outbound requests. */
export const userAgent = 'Commerce-Service-Webhooks/1'
