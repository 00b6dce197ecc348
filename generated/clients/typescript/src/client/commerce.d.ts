// DO NOT EDIT. Written by `npm run generate`.
import { type Client } from 'openapi-fetch';
import type { paths } from '../../generated/api.d.ts';
import { type ListedItem, type ListParameters, type ListPath } from './list.ts';
import { type Get } from './not-modified.ts';
import { type Resources } from './resources.ts';
import { type RetryOptions } from './retry.ts';
export interface CommerceOptions extends RetryOptions {
    /** The base URL of the API with its version, such as `https://api.example.com/api/v1`. */
    readonly baseUrl: string;
    /** An API token, such as `svc_live_…` or `svc_test_…`. */
    readonly token: string;
    /** Creates the Idempotency-Key of a request that has none. Defaults to a random UUID. */
    readonly newKey?: () => string;
}
/**
 * The client of the API. Each operation is a method of its resource, such as `commerce.orders.create(body)`, which
 * returns the record or throws. `GET`, `POST`, `PATCH` and `DELETE` are those of openapi-fetch: they return `{ data,
 * error, response }`, whose `error.error.code` is one of the codes that the operation documents. Both `data` and
 * `error` are missing after a 304. UnexpectedResponseError is thrown for a response that does not come from the API,
 * NoResponseError when no response arrives.
 */
export interface Commerce extends Resources, Pick<Client<paths>, 'POST' | 'PATCH' | 'DELETE' | 'use' | 'eject'> {
    readonly GET: Get;
    /**
     * Iterates over all records of a list, page by page:
     * `for await (const order of commerce.list('/orders', { query: { status: ['pending'] } }))`.
     */
    list<Path extends ListPath>(path: Path, ...parameters: Record<string, never> extends ListParameters<Path> ? [ListParameters<Path>?] : [ListParameters<Path>]): AsyncGenerator<ListedItem<Path>, void, undefined>;
}
export declare function createCommerce({ baseUrl, token, newKey, ...retries }: CommerceOptions): Commerce;
