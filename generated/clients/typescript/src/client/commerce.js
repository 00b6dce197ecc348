// DO NOT EDIT. Written by `npm run generate`.
import createClient, {} from 'openapi-fetch';
import { idempotentOperations } from "../../generated/idempotent-operations.js";
import { idempotentRequestsOf } from "./idempotent-requests.js";
import { walkList } from "./list.js";
import { withNotModified } from "./not-modified.js";
import { resourcesOf } from "./resources.js";
import { withRetries } from "./retry.js";
import { rejectUnexpectedResponses } from "./unexpected-response.js";
export function createCommerce({ baseUrl, token, newKey = randomKey, ...retries }) {
    const client = createClient({
        baseUrl,
        headers: { Authorization: `Bearer ${token}` },
        // The API expects the values of an array parameter to be separated by commas.
        querySerializer: { array: { style: 'form', explode: false } },
        fetch: withRetries(idempotentRequestsOf(baseUrl), retries),
    });
    client.use(withKey(newKey), rejectUnexpectedResponses);
    const list = (path, ...[parameters]) => walkList(client, path, parameters ?? {});
    return { ...client, ...resourcesOf(client), GET: withNotModified(client.GET), list };
}
/** Adds an Idempotency-Key to requests of the operations that honour the header. */
function withKey(newKey) {
    const honoured = idempotentOperations;
    return {
        onRequest({ request, schemaPath }) {
            if (!honoured.includes(`${request.method} ${schemaPath}`) || request.headers.has('Idempotency-Key'))
                return;
            request.headers.set('Idempotency-Key', newKey());
        },
    };
}
function randomKey() {
    return crypto.randomUUID();
}
