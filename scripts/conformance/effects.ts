import type { ApiRequest, ApiResponse } from './client.ts'
import { isAt, type Operation, parameterOf } from './document.ts'
import { pathParametersOf, pathWith } from './make-request.ts'
import { type Run, send } from './observe.ts'
import { codeOf } from './validate-response.ts'

/** Checks the effects of a write with the read operations of the OpenAPI document. */

/**
 * Returns requests that read the effect of a write. They read the path of the write or its nearest readable parent, the
 * records whose ids are in the body of the write, and the lists filtered by these ids.
 */
export function readsOf(run: Run, operation: Operation, request: ApiRequest): ApiRequest[] {
  const named = Object.entries(Object(request.body)).filter(
    (entry): entry is [string, string] => /Id$/.test(entry[0]) && typeof entry[1] === 'string',
  )
  const lists = named.flatMap(([name, id]) =>
    readingOf(run)
      .filter((each) => each.template === operation.template && parameterOf(each, name)?.in === 'query')
      .map((each) => `${largePageOf(each)}&${name}=${id}`),
  )
  const records = named.flatMap(([, id]) => recordPathsOf(run, id))
  const own = ownPathOf(run, request)
  const paths = [...(lists.length > 0 || own === undefined ? [] : [own]), ...lists, ...records]
  return paths.map((path) => ({ method: 'GET', path, as: 'token' }))
}

export function recordPathsOf(run: Run, id: string): string[] {
  return readingOf(run).flatMap((each) => {
    const [parameter, ...others] = pathParametersOf(each)
    if (parameter?.schema.pattern === undefined || others.length > 0 || !each.template.endsWith('}')) return []
    return new RegExp(parameter.schema.pattern, 'u').test(id) ? [pathWith(each, [id])] : []
  })
}

function readingOf({ declared }: Run): Operation[] {
  return declared.filter(({ method, isSecured }) => method === 'GET' && isSecured)
}

/**
 * Returns the longest prefix of the path for which the API has a read operation: `/orders/{id}` for
 * `/orders/{id}/cancel`.
 */
function ownPathOf(run: Run, request: ApiRequest): string | undefined {
  const parts = request.path.replace(/\?.*/s, '').split('/')
  for (let length = parts.length; length > 1; length--) {
    const path = parts.slice(0, length).join('/')
    const read = readingOf(run).find(({ template }) => isAt(template, path))
    if (read !== undefined) return read.isList ? largePageOf(read, path) : path
  }
  return undefined
}

function largePageOf(list: Operation, path = list.template): string {
  return `${path}?limit=${parameterOf(list, 'limit')?.schema.maximum ?? 1}`
}

/**
 * Returns the paths whose content changed during an action that must change nothing. Another client may change a record
 * during the action. A change is therefore reported only if content also changes during a second run of the action.
 */
export async function changesBy(run: Run, reads: readonly ApiRequest[], act: () => Promise<void>): Promise<string[]> {
  let changed: string[] = []
  for (let attempt = 0; attempt < 2; attempt++) {
    const before = await readAll(run, reads)
    await act()
    changed = changedSince(before, await readAll(run, reads))
    if (changed.length === 0) return []
  }
  return changed
}

/** The content of each response that was read, by the path of the request. */
type Shown = ReadonlyMap<string, string>

export async function readAll(run: Run, reads: readonly ApiRequest[]): Promise<Shown> {
  const shown = new Map<string, string>()
  for (const read of reads) shown.set(read.path, shownIn(await send(run, read)))
  return shown
}

export function changedSince(before: Shown, after: Shown): string[] {
  return [...after].filter(([path, shown]) => before.get(path) !== shown).map(([path]) => path)
}

/**
 * Returns the part of a response that can be compared. It excludes the cursor of a page and the request id of an error.
 */
export function shownIn({ status, body, text }: ApiResponse): string {
  const rows: unknown = Reflect.get(Object(body), 'data')
  if (Array.isArray(rows)) return `${status} ${JSON.stringify(rows)}`
  return `${status} ${codeOf(body) ?? text}`
}
