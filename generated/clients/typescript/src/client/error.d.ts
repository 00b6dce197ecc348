// DO NOT EDIT. Written by `npm run generate`.
import type { components } from '../../generated/api.d.ts';
type Schemas = components['schemas'];
/** The bodies of all errors of the API. The type of each operation lists the errors that the operation can return. */
export type ErrorBody = {
    [Name in keyof Schemas]: Schemas[Name] extends {
        error: {
            code: string;
            requestId: string;
        };
    } ? Schemas[Name] : never;
}[keyof Schemas];
export type ErrorCode = ErrorBody['error']['code'];
/** An error response of the API. The type of `body.error.details` follows from `body.error.code`. */
export declare class CommerceError extends Error {
    readonly name = "CommerceError";
    readonly body: ErrorBody;
    /** The Idempotency-Key of the request. When the outcome is unknown, send the same key with a retry. */
    readonly idempotencyKey: string | undefined;
    constructor(body: ErrorBody, idempotencyKey?: string);
    get code(): ErrorCode;
    get status(): number;
    /** The request id, which identifies the request in the logs of the service. Include it in a support request. */
    get requestId(): string;
    /**
     * Whether the same request may succeed later. The client has already used up its retries, unless `Retry-After` is
     * longer than a minute.
     */
    get isRetryable(): boolean;
}
export {};
