import type { Client } from 'openapi-fetch'
import type { paths } from '../../generated/api.d.ts'
import { answered, type Result } from './answered.ts'

interface Page<Item> {
  data: Item[]
  pagination: { cursor: string | null; limit: number; hasMore: boolean }
}

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : never

/** The paths that answer page by page. */
export type ListPath = { [Path in keyof paths]: AnswerOf<Path> extends Page<unknown> ? Path : never }[keyof paths]

export type ListedItem<Path extends ListPath> = AnswerOf<Path> extends Page<infer Item> ? Item : never

type ParametersOf<Path extends ListPath> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Parameters
  : never

type QueryOf<Path extends ListPath> =
  ParametersOf<Path> extends { query?: infer Query } ? Omit<NonNullable<Query>, 'cursor'> : never

type PathOf<Path extends ListPath> =
  ParametersOf<Path> extends { path: infer Names } ? { path: Names } : { path?: never }

/** The signal ends the walk: the page that is under way, and all after it. */
export type ListParameters<Path extends ListPath> = { query?: QueryOf<Path>; signal?: AbortSignal } & PathOf<Path>

/**
 * Every record of a list, page after page, each fetched when the one before is used up. Stops when the loop is left; throws
 * CommerceError when a page is refused, and what any call throws where something else than the API answered, or nothing.
 */
export async function* walkList<Path extends ListPath>(
  client: Client<paths>,
  path: Path,
  { query, signal, ...others }: { readonly query?: unknown; readonly path?: unknown; readonly signal?: AbortSignal },
): AsyncGenerator<ListedItem<Path>, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const params = { ...others, query: { ...Object(query), ...(cursor === undefined ? {} : { cursor }) } }
    const { data, pagination } = await pageOf(client, path, { params, ...(signal === undefined ? {} : { signal }) })
    yield* data
    // Spec 4.1: until there are no more. Without a cursor the next page would be the first again.
    if (!pagination.hasMore || pagination.cursor === null) return
    cursor = pagination.cursor
  }
}

/**
 * The compiler cannot follow one path’s parameters and answer through a loop over all lists. Both were checked where the
 * list was asked for, and every list has this shape by ListPath.
 */
async function pageOf<Path extends ListPath>(client: Client<paths>, path: Path, init: object) {
  type Asked = (path: Path, init: object) => Promise<Result<Page<ListedItem<Path>>>>
  return answered(await (client.GET as unknown as Asked)(path, init))
}
