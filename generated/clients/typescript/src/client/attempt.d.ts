// DO NOT EDIT. Written by `npm run generate`.
export interface AttemptOptions {
    /**
     * Timeout of an attempt in milliseconds: by then, the last byte of the response must have arrived. Defaults to 30
     * seconds. For a long poll, the time of its `wait` parameter is added.
     */
    readonly timeoutMs?: number;
    /**
     * Calls `onTimeout` after a delay in milliseconds. Returns a function that cancels the timer. Tests pass a function
     * of their own.
     */
    readonly startTimer?: (delayMs: number, onTimeout: () => void) => () => void;
    readonly fetch?: (request: Request) => Promise<Response>;
}
/**
 * Returns a function that sends a request once and reads the whole response. If the connection ends before the body is
 * complete, the call rejects, as it does when no response arrives. Reading the body of a returned response therefore
 * cannot fail.
 */
export declare function withTimeout({ timeoutMs, startTimer, fetch, }: AttemptOptions): (request: Request) => Promise<Response>;
/** Returns a copy of the response with the body that was already read from it. */
export declare function withBody({ status, statusText, headers }: Response, body: ArrayBuffer | string): Response;
