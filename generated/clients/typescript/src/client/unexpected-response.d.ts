// DO NOT EDIT. Written by `npm run generate`.
import type { Middleware } from 'openapi-fetch';
/**
 * Error for a response that does not come from the API, such as the error page of a proxy. After a 502, 503 or 504 the
 * client has already retried an idempotent request.
 */
export declare class UnexpectedResponseError extends Error {
    readonly name = "UnexpectedResponseError";
    readonly status: number;
    /** The first characters of the response body. */
    readonly text: string;
    /**
     * The Idempotency-Key of the request. Send the same key if you retry the request, because a proxy that sent this
     * response may already have forwarded the request to the service.
     */
    readonly idempotencyKey: string | undefined;
    constructor(request: Request, { status }: Response, text: string);
}
/**
 * Middleware that throws an UnexpectedResponseError for every response that does not match the types of the OpenAPI
 * document.
 */
export declare const rejectUnexpectedResponses: Middleware;
