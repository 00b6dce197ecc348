// DO NOT EDIT. Written by `npm run generate`.
import { type AttemptOptions } from './attempt.ts';
export interface RetryOptions extends AttemptOptions {
    /** The maximum number of retries of a request. Defaults to 4; 0 disables retries. */
    readonly maxRetries?: number;
    /** Waits for a delay in milliseconds, and rejects when the signal is aborted. Tests pass a function of their own. */
    readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}
/**
 * Returns a function that sends a request and retries it. A request is retried when the service responds with
 * `Service-Should-Retry: true`, after the delay of `Retry-After`. An idempotent request is also retried when no
 * complete response arrives, or when a proxy responds with 502, 503 or 504.
 */
export declare function withRetries(isIdempotent: (request: Request) => boolean, { maxRetries, wait, ...options }: RetryOptions): (request: Request) => Promise<Response>;
