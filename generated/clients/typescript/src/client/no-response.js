// DO NOT EDIT. Written by `npm run generate`.
/**
 * Error when no complete response arrived, so that the outcome of the request is unknown. The client has already
 * retried an idempotent request. `cause` is the network error, the timeout, or the reason of the abort signal.
 */
export class NoResponseError extends Error {
    name = 'NoResponseError';
    /** The Idempotency-Key of the request. Send it with a retry: with another key, the request may take effect twice. */
    idempotencyKey;
    constructor(request, cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        // The message contains only the path of the URL, because the query may contain personal data.
        super(`${request.method} ${new URL(request.url).pathname} got no response: ${reason}`, { cause });
        this.idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined;
    }
}
