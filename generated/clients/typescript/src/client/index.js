// DO NOT EDIT. Written by `npm run generate`.
export { createCommerce } from "./commerce.js";
export { CommerceError } from "./error.js";
export { NoResponseError } from "./no-response.js";
export { UnexpectedResponseError } from "./unexpected-response.js";
export { unwrap } from "./unwrap.js";
