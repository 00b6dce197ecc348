// DO NOT EDIT. Written by `npm run generate`.
export { verifyWebhook } from "../receiver/verify-webhook.js";
