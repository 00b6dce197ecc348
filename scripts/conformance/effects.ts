import type { Answered, Asked } from './client.ts'
import { isAt, type Operation, parameterOf } from './document.ts'
import { codeOf } from './judge.ts'
import { pathParametersOf, pathWith } from './make-request.ts'
import { ask, type Run } from './observe.ts'

/** What a write does beside answering: it shows in the reads that the document has. */

/** Where a write would be seen: at its own path or what is above it, and in what tells of the records its body names. */
export function readsOf(run: Run, operation: Operation, asked: Asked): Asked[] {
  const named = Object.entries(Object(asked.body)).filter(
    (entry): entry is [string, string] => /Id$/.test(entry[0]) && typeof entry[1] === 'string',
  )
  const lists = named.flatMap(([name, id]) =>
    readingOf(run)
      .filter((each) => each.template === operation.template && parameterOf(each, name)?.in === 'query')
      .map((each) => `${largePageOf(each)}&${name}=${id}`),
  )
  const records = named.flatMap(([, id]) => recordPathsOf(run, id))
  const own = ownPathOf(run, asked)
  const paths = [...(lists.length > 0 || own === undefined ? [] : [own]), ...lists, ...records]
  return paths.map((path) => ({ method: 'GET', path, as: 'token' }))
}

/** Where a record of this id is read. */
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

/** `/orders/{id}` of `/orders/{id}/cancel`: the longest beginning that can be read. */
function ownPathOf(run: Run, asked: Asked): string | undefined {
  const parts = asked.path.replace(/\?.*/s, '').split('/')
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
 * What an act that must change nothing has changed. Somebody else may have changed it meanwhile, so it counts only when
 * the same act does it again.
 */
export async function changesBy(run: Run, reads: readonly Asked[], act: () => Promise<void>): Promise<string[]> {
  let changed: string[] = []
  for (let turn = 0; turn < 2; turn++) {
    const before = await withExampleId(run, reads)
    await act()
    changed = changedSince(before, await withExampleId(run, reads))
    if (changed.length === 0) return []
  }
  return changed
}

/** What reads show, by their paths. */
type Shown = ReadonlyMap<string, string>

export async function withExampleId(run: Run, reads: readonly Asked[]): Promise<Shown> {
  const shown = new Map<string, string>()
  for (const read of reads) shown.set(read.path, shownIn(await ask(run, read)))
  return shown
}

export function changedSince(before: Shown, after: Shown): string[] {
  return [...after].filter(([path, shown]) => before.get(path) !== shown).map(([path]) => path)
}

/** The records in a response, for comparison: the cursor of a page and the request id of an error change each time. */
export function shownIn({ status, body, text }: Answered): string {
  const rows: unknown = Reflect.get(Object(body), 'data')
  if (Array.isArray(rows)) return `${status} ${JSON.stringify(rows)}`
  return `${status} ${codeOf(body) ?? text}`
}
