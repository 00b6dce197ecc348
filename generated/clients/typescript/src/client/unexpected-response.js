// DO NOT EDIT. Written by `npm run generate`.
import { withBody } from "./attempt.js";
/**
 * Error for a response that does not come from the API, such as the error page of a proxy. After a 502, 503 or 504 the
 * client has already retried an idempotent request.
 */
export class UnexpectedResponseError extends Error {
    name = 'UnexpectedResponseError';
    status;
    /** The first characters of the response body. */
    text;
    /**
     * The Idempotency-Key of the request. Send the same key if you retry the request, because a proxy that sent this
     * response may already have forwarded the request to the service.
     */
    idempotencyKey;
    constructor(request, { status }, text) {
        super(`${request.method} ${new URL(request.url).pathname} returned ${status} from a server other than the API, such as a proxy.`);
        this.status = status;
        this.text = text.slice(0, textMaxLength);
        this.idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined;
    }
}
/** Maximum number of stored characters of the body, enough of an error page to recognise the proxy in a log. */
const textMaxLength = 500;
/** Matches the media types of exports that are not JSON: NDJSON and CSV. */
const exported = /^(?:application\/x-ndjson|text\/csv)(?:;|$)/;
/**
 * Middleware that throws an UnexpectedResponseError for every response that does not match the types of the OpenAPI
 * document.
 */
export const rejectUnexpectedResponses = {
    async onResponse({ request, response }) {
        if (response.status === 304 && request.headers.has('If-None-Match'))
            return withoutError(response);
        // The body of an export is not read here, because it may be larger than the memory. The caller requests an export
        // with `parseAs: 'stream'`.
        if (response.ok && exported.test(response.headers.get('Content-Type') ?? ''))
            return response;
        const text = await response.text();
        const body = parsed(text);
        const isOfApi = response.ok ? isRecord(body) : isErrorBody(body);
        if (!isOfApi)
            throw new UnexpectedResponseError(request, response, text);
        return withKey(withBody(response, text), request);
    },
};
/** openapi-fetch treats any status outside 2xx as an error unless `Content-Length` is 0, so the header is set to 0. */
function withoutError(response) {
    const empty = withBody(response, '');
    empty.headers.set('Content-Length', '0');
    return empty;
}
/**
 * Adds the Idempotency-Key of the request to the response that the caller gets. The service itself includes the key in
 * a response only if it has stored the key.
 */
function withKey(response, request) {
    const key = request.headers.get('Idempotency-Key');
    if (key !== null)
        response.headers.set('Idempotency-Key', key);
    return response;
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function isErrorBody(body) {
    if (!isRecord(body) || !isRecord(body.error))
        return false;
    // A body is an error of this API only if it has a request id: the errors of other APIs may also have a code.
    return typeof body.error.code === 'string' && typeof body.error.requestId === 'string';
}
function isRecord(value) {
    return typeof value === 'object' && value !== null;
}
