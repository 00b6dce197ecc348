// DO NOT EDIT. Written by `npm run generate`.
import type { Client } from 'openapi-fetch';
import type { paths } from '../../generated/api.d.ts';
import { clientMethods } from '../../generated/client-methods.ts';
import { type ListedItem, type ListPath } from './list.ts';
/**
 * The operations as methods of their resources: `commerce.orders.create(body)`, `commerce.orders.get(id)`,
 * `commerce.orders.list(query)`. A method takes the ids of the path, then the body or the query, then the options. It
 * returns the record, or throws a CommerceError when the API responds with an error. A list method returns an iterator
 * over all records.
 */
export type Resources = {
    readonly [Resource in keyof Methods]: {
        readonly [Name in keyof Methods[Resource]]: ResourceMethod<Methods[Resource][Name]>;
    };
};
type Methods = typeof clientMethods;
type ResourceMethod<Entry> = Entry extends {
    readonly input: 'list';
    readonly path: infer Path extends ListPath;
} ? (...args: [...IdsOf<Path>, ...InputOf<OperationOf<Entry>, 'query'>, options?: ListOptions]) => AsyncGenerator<ListedItem<Path>, void, undefined> : Entry extends {
    readonly input: infer Kind;
    readonly path: infer Path;
} ? (...args: [...IdsOf<Path>, ...InputOf<OperationOf<Entry>, Kind>, options?: CallOptions<OperationOf<Entry>>]) => Promise<RecordOf<OperationOf<Entry>>> : never;
type OperationOf<Entry> = Entry extends {
    readonly path: infer Path extends keyof paths;
    readonly method: infer Method extends string;
} ? Lowercase<Method> extends keyof paths[Path] ? paths[Path][Lowercase<Method>] : never : never;
/**
 * The ids in a path, in the order of the path: a method for `/products/{id}/variants/{variantId}` takes `(id,
 * variantId)`.
 */
type IdsOf<Path> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...IdsOf<Rest>] : [];
type InputOf<Operation, Kind> = Kind extends 'body' ? Operation extends {
    requestBody: {
        content: {
            'application/json': infer Body;
        };
    };
} ? [body: Body] : Operation extends {
    requestBody?: {
        content: {
            'application/json': infer Body;
        };
    };
} ? [body?: Body] : never : Kind extends 'query' ? Operation extends {
    parameters: {
        query: infer Query;
    };
} ? [query: Omit<Query, 'cursor'>] : Operation extends {
    parameters: {
        query?: infer Query;
    };
} ? [query?: Omit<NonNullable<Query>, 'cursor'>] : never : [];
export interface ListOptions {
    /** Signal that ends the iteration: it aborts the request in progress, and no further request is sent. */
    readonly signal?: AbortSignal;
}
export interface CallOptions<Operation> extends ListOptions {
    /** The request headers that the operation documents, such as `If-Match` or `Idempotency-Key`. */
    readonly headers?: HeadersOf<Operation>;
}
/**
 * The headers that an operation documents, without `If-None-Match`. The response to a request with `If-None-Match` may
 * be a 304 without a record. Such a request must use the client's `GET`, which returns the whole response.
 */
type HeadersOf<Operation> = Operation extends {
    parameters: {
        header?: infer Headers;
    };
} ? Omit<NonNullable<Headers>, 'If-None-Match'> : never;
type RecordOf<Operation> = Operation extends {
    responses: infer Responses;
} ? {
    [Status in keyof Responses]: Status extends 200 | 201 | 202 ? JsonOf<Responses[Status]> : never;
}[keyof Responses] : never;
type JsonOf<Response> = Response extends {
    content: {
        'application/json': infer Json;
    };
} ? Json : never;
export declare function resourcesOf(client: Client<paths>): Resources;
export {};
