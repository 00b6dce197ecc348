// DO NOT EDIT. Written by `npm run generate`.
/**
 * Returns a function that reports whether a request can be repeated safely when the outcome of the first attempt is
 * unknown. Reads can be repeated, and so can requests with an `Idempotency-Key` to an operation that honours it. Other
 * operations ignore the key.
 */
export declare function idempotentRequestsOf(baseUrl: string): (request: Request) => boolean;
