// DO NOT EDIT. Written by `npm run generate`.
import type { Client } from 'openapi-fetch';
import type { paths } from '../../generated/api.d.ts';
interface Page<Item> {
    data: Item[];
    pagination: {
        cursor: string | null;
        limit: number;
        hasMore: boolean;
    };
}
type ResponseOf<Path extends keyof paths> = paths[Path] extends {
    get: {
        responses: {
            200: {
                content: {
                    'application/json': infer Response;
                };
            };
        };
    };
} ? Response : never;
/** The paths of paginated lists. */
export type ListPath = {
    [Path in keyof paths]: ResponseOf<Path> extends Page<unknown> ? Path : never;
}[keyof paths];
export type ListedItem<Path extends ListPath> = ResponseOf<Path> extends Page<infer Item> ? Item : never;
type ParametersOf<Path extends ListPath> = paths[Path] extends {
    get: {
        parameters: infer Parameters;
    };
} ? Parameters : never;
type QueryOf<Path extends ListPath> = ParametersOf<Path> extends {
    query?: infer Query;
} ? Omit<NonNullable<Query>, 'cursor'> : never;
type PathOf<Path extends ListPath> = ParametersOf<Path> extends {
    path: infer Names;
} ? {
    path: Names;
} : {
    path?: never;
};
/**
 * Parameters of a list. An aborted `signal` ends the iteration: the request in progress is aborted, and no further
 * request is sent.
 */
export type ListParameters<Path extends ListPath> = {
    query?: QueryOf<Path>;
    signal?: AbortSignal;
} & PathOf<Path>;
/**
 * Yields the records of a list. The next page is requested when all records of the previous page were consumed. Throws
 * a CommerceError when the API responds with an error, and NoResponseError or UnexpectedResponseError like every call.
 */
export declare function walkList<Path extends ListPath>(client: Client<paths>, path: Path, { query, signal, ...others }: {
    readonly query?: unknown;
    readonly path?: unknown;
    readonly signal?: AbortSignal;
}): AsyncGenerator<ListedItem<Path>, void, undefined>;
export {};
