export { verifyWebhook } from "../receiver/verify-webhook.js";
