// DO NOT EDIT. Written by `npm run generate`.
import { unwrap } from "./unwrap.js";
/**
 * Yields the records of a list. The next page is requested when all records of the previous page were consumed. Throws
 * a CommerceError when the API responds with an error, and NoResponseError or UnexpectedResponseError like every call.
 */
export async function* walkList(client, path, { query, signal, ...others }) {
    for (let cursor;;) {
        const params = { ...others, query: { ...Object(query), ...(cursor === undefined ? {} : { cursor }) } };
        const { data, pagination } = await pageOf(client, path, { params, ...(signal === undefined ? {} : { signal }) });
        yield* data;
        // The last page has no cursor (spec 4.1), so the iteration ends. A further request without a cursor would return
        // the first page again.
        if (!pagination.hasMore || pagination.cursor === null)
            return;
        cursor = pagination.cursor;
    }
}
/**
 * Requests one page of a list. The cast is safe: list() has checked the types of the path, which the compiler cannot
 * follow here.
 */
async function pageOf(client, path, init) {
    return unwrap(await client.GET(path, init));
}
