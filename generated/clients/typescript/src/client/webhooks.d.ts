// DO NOT EDIT. Written by `npm run generate`.
export type { WebhookEvent } from '../../generated/webhook-events.d.ts';
export { type Delivery, type ReceivedHeaders, type Verification, verifyWebhook } from '../receiver/verify-webhook.ts';
