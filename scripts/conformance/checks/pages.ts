import type { ApiRequest, ApiResponse } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { makePath, pairOf } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { idsOf } from './access.ts'

/** Checks pagination: the pages of a list contain each record once, newest first, and together equal one large page. */

const walkLimit = 3
const largeLimit = 100

/** Maximum number of pages of a list to read. One large page is then compared with the records of these pages. */
const pagesMax = 12

export async function checkPages(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (!operation.isList) continue
    const path = await livingPath(run, operation)
    if (path === undefined) continue
    const large = await walk(run, operation, path)
    await checkDefault(run, { operation, path, large })
    await checkCursors(run, operation, path)
  }
}

/** Maximum number of listed records to request until one is found that still exists. */
const triesMax = 20

export async function livingPath(run: Run, operation: Operation): Promise<string | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const path = makePath(generatorFor(run, { operation, purpose: `pages ${tries}` }), operation)
    if (path === undefined || path === operation.template) return path
    const response = await observe(run, { operation, check: 'pages', request: { method: 'GET', path, as: 'token' } })
    if (isSuccess(response)) return path
  }
  return undefined
}

/** Checks the pages of a list. Returns the number of records on a page that was requested with the largest limit. */
async function walk(run: Run, operation: Operation, path: string): Promise<number> {
  const seen: object[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = `?limit=${walkLimit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await observe(run, {
      operation,
      check: 'pages',
      request: { method: 'GET', path: path + query, as: 'token' },
      expect: (each) => faultsOfPage(each, walkLimit, seen),
    })
    seen.push(...rowsOf(response.body))
    cursor = nextOf(response.body)
    if (cursor === undefined) break
  }
  const isWhole = cursor === undefined
  const large = await observe(run, {
    operation,
    check: 'pages',
    request: { method: 'GET', path: `${path}?limit=${largeLimit}`, as: 'token' },
    expect: (response) => faultsOfWalk(idsOf(response.body), idsOf({ data: seen }), isWhole),
  })
  return rowsOf(large.body).length
}

interface Default {
  readonly operation: Operation
  readonly path: string
  /** Number of records on a page that was requested with the largest limit. */
  readonly large: number
}

/** Checks that a request without `limit` uses the default limit of the document. */
async function checkDefault(run: Run, { operation, path, large }: Default): Promise<void> {
  const limit = parameterOf(operation, 'limit')?.schema.default
  if (typeof limit !== 'number') return
  await observe(run, {
    operation,
    check: 'pages',
    request: { method: 'GET', path, as: 'token' },
    expect: (response) => {
      const { length } = rowsOf(response.body)
      const isShort = isSuccess(response) && length < Math.min(limit, large)
      return [
        ...faultsOfPage(response, limit, []),
        ...(isShort
          ? [`The page has ${length} records; the default limit is ${limit} and ${large} records exist.`]
          : []),
      ]
    },
  })
}

function faultsOfPage({ body }: ApiResponse, requestedLimit: number, seen: readonly object[]): string[] {
  const [ids, seenIds] = [idsOf(body), idsOf({ data: seen })]
  const page: object = Object(Reflect.get(Object(body), 'pagination'))
  const again = ids.filter((id, at) => seenIds.includes(id) || ids.indexOf(id) !== at)
  const limit: unknown = Reflect.get(page, 'limit')
  return [
    ...(again.length > 0 ? [`${again[0]} is listed twice.`] : []),
    ...(limit === requestedLimit ? [] : [`pagination.limit is ${limit}, expected ${requestedLimit}.`]),
    ...(ids.length > requestedLimit ? [`The page has ${ids.length} records, expected at most ${requestedLimit}.`] : []),
    ...(Reflect.get(page, 'hasMore') === true && ids.length < requestedLimit
      ? ['`pagination.hasMore` is true on a page that is not full.']
      : []),
    ...faultsOfOrder([...seen.slice(-1), ...rowsOf(body)]),
  ]
}

/** Returns violations of the order “newest records first” (spec 1). */
function faultsOfOrder(rows: readonly object[]): string[] {
  const moments = rows.map((row) => Date.parse(String(Reflect.get(row, 'createdAt'))))
  const at = moments.findIndex((moment, index) => moment > (moments[index - 1] ?? Number.POSITIVE_INFINITY))
  const [before, row] = [rows[at - 1], rows[at]]
  if (before === undefined || row === undefined) return []
  const shown = (each: object) => `${Reflect.get(each, 'id')} of ${Reflect.get(each, 'createdAt')}`
  return [`The records are not sorted by newest first: ${shown(row)} comes after ${shown(before)}.`]
}

export function rowsOf(body: unknown): object[] {
  const data: unknown = Reflect.get(Object(body), 'data')
  const rows: unknown[] = Array.isArray(data) ? data : []
  return rows.filter((row): row is object => typeof row === 'object' && row !== null)
}

/**
 * Compares the small pages of a list with one large page. Records that were created after the small pages were read
 * come first on the large page, and are skipped.
 */
function faultsOfWalk(large: readonly string[], seen: readonly string[], isWhole: boolean): string[] {
  const from = seen[0] === undefined ? 0 : Math.max(0, large.indexOf(seen[0]))
  const expected = isWhole ? large.slice(from) : large.slice(from, from + seen.length)
  const walked = seen.slice(0, largeLimit - from)
  const at = expected.findIndex((id, index) => id !== walked[index])
  if (at >= 0)
    return [
      `At one position, the page of ${largeLimit} records has ${expected[at]}, and the small pages have ${walked[at]}.`,
    ]
  return walked.length > expected.length
    ? [`The small pages have ${walked.length} records, the large page ${expected.length}.`]
    : []
}

function nextOf(body: unknown): string | undefined {
  const page: object = Object(Reflect.get(Object(body), 'pagination'))
  const cursor: unknown = Reflect.get(page, 'cursor')
  return Reflect.get(page, 'hasMore') === true && typeof cursor === 'string' ? cursor : undefined
}

async function checkCursors(run: Run, operation: Operation, path: string): Promise<void> {
  const requestOf = (query: string): ApiRequest => ({ method: 'GET', path: `${path}?${query}`, as: 'token' })
  const refuse = async (query: string, why: string) => {
    await observe(run, { operation, check: 'pages', request: requestOf(query), expect: expectStatus([400], why) })
  }
  await refuse('cursor=abc', 'An invalid cursor')
  const first = await observe(run, { operation, check: 'pages', request: requestOf('limit=1') })
  const cursor = nextOf(first.body)
  if (cursor === undefined) return
  await refuse(`cursor=${encodeURIComponent(altered(cursor))}`, 'A modified cursor')
  const filter = operation.parameters.find(
    ({ in: place, schema }) => place === 'query' && schema.format === 'date-time',
  )
  if (filter === undefined) return
  const other = pairOf(filter, '2020-01-01T00:00:00Z')
  await refuse(`cursor=${encodeURIComponent(cursor)}&${other}`, 'A cursor with a filter it was not issued for')
}

/** Returns the pagination cursor with its middle character replaced, so that its signature is invalid. */
function altered(cursor: string): string {
  const at = Math.floor(cursor.length / 2)
  return cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
}
