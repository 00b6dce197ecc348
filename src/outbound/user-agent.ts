export const userAgent = 'Commerce-Service-Webhooks/1'
