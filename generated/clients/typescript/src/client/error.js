// DO NOT EDIT. Written by `npm run generate`.
/** An error response of the API. The type of `body.error.details` follows from `body.error.code`. */
export class CommerceError extends Error {
    name = 'CommerceError';
    body;
    /** The Idempotency-Key of the request. When the outcome is unknown, send the same key with a retry. */
    idempotencyKey;
    constructor(body, idempotencyKey) {
        const { code, message, requestId } = body.error;
        super(`${code}: ${message} (${requestId})`);
        this.body = body;
        this.idempotencyKey = idempotencyKey;
    }
    get code() {
        return this.body.error.code;
    }
    get status() {
        return this.body.error.status;
    }
    /** The request id, which identifies the request in the logs of the service. Include it in a support request. */
    get requestId() {
        return this.body.error.requestId;
    }
    /**
     * Whether the same request may succeed later. The client has already used up its retries, unless `Retry-After` is
     * longer than a minute.
     */
    get isRetryable() {
        return this.body.error.retryable;
    }
}
