// DO NOT EDIT. Written by `npm run generate`.
/**
 * Error when no complete response arrived, so that the outcome of the request is unknown. The client has already
 * retried an idempotent request. `cause` is the network error, the timeout, or the reason of the abort signal.
 */
export declare class NoResponseError extends Error {
    readonly name = "NoResponseError";
    /** The Idempotency-Key of the request. Send it with a retry: with another key, the request may take effect twice. */
    readonly idempotencyKey: string | undefined;
    constructor(request: Request, cause: unknown);
}
