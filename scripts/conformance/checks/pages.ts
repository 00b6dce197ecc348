import type { Answered, Asked } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { makePath, pairOf } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { idsOf } from './access.ts'

/** Walking a list by its cursor shows each record once, the newest first, and the same as one large page. */

const walkLimit = 3
const largeLimit = 100

/** A long list is walked so far; the large page is compared with what was seen. */
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

/** How many records are tried before one is met that has not been deleted since it was told of. */
const triesMax = 20

export async function livingPath(run: Run, operation: Operation): Promise<string | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const path = makePath(generatorFor(run, { operation, turn: `pages ${tries}` }), operation)
    if (path === undefined || path === operation.template) return path
    const answered = await observe(run, { operation, check: 'pages', asked: { method: 'GET', path, as: 'token' } })
    if (isSuccess(answered)) return path
  }
  return undefined
}

/** What the large page shows. */
async function walk(run: Run, operation: Operation, path: string): Promise<number> {
  const seen: object[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = `?limit=${walkLimit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const answered = await observe(run, {
      operation,
      check: 'pages',
      asked: { method: 'GET', path: path + query, as: 'token' },
      expect: (each) => faultsOfPage(each, walkLimit, seen),
    })
    seen.push(...rowsOf(answered.body))
    cursor = nextOf(answered.body)
    if (cursor === undefined) break
  }
  const isWhole = cursor === undefined
  const large = await observe(run, {
    operation,
    check: 'pages',
    asked: { method: 'GET', path: `${path}?limit=${largeLimit}`, as: 'token' },
    expect: (answered) => faultsOfWalk(idsOf(answered.body), idsOf({ data: seen }), isWhole),
  })
  return rowsOf(large.body).length
}

interface Default {
  readonly operation: Operation
  readonly path: string
  /** How many records a large page shows. */
  readonly large: number
}

/** A page is as long as the document says where nobody says how long. */
async function checkDefault(run: Run, { operation, path, large }: Default): Promise<void> {
  const limit = parameterOf(operation, 'limit')?.schema.default
  if (typeof limit !== 'number') return
  await observe(run, {
    operation,
    check: 'pages',
    asked: { method: 'GET', path, as: 'token' },
    expect: (answered) => {
      const { length } = rowsOf(answered.body)
      const isShort = isSuccess(answered) && length < Math.min(limit, large)
      return [
        ...faultsOfPage(answered, limit, []),
        ...(isShort ? [`There are ${length} records where ${large} are to be had and ${limit} are the default.`] : []),
      ]
    },
  })
}

function faultsOfPage({ body }: Answered, asked: number, seen: readonly object[]): string[] {
  const [ids, seenIds] = [idsOf(body), idsOf({ data: seen })]
  const page: object = Object(Reflect.get(Object(body), 'pagination'))
  const again = ids.filter((id, at) => seenIds.includes(id) || ids.indexOf(id) !== at)
  const limit: unknown = Reflect.get(page, 'limit')
  return [
    ...(again.length > 0 ? [`${again[0]} is shown twice.`] : []),
    ...(limit === asked ? [] : [`pagination.limit is ${limit}, asked for were ${asked}.`]),
    ...(ids.length > asked ? [`There are ${ids.length} records, asked for were ${asked}.`] : []),
    ...(Reflect.get(page, 'hasMore') === true && ids.length < asked ? ['More follow a page that is not full.'] : []),
    ...faultsOfOrder([...seen.slice(-1), ...rowsOf(body)]),
  ]
}

/** Spec 1: the newest records come first. */
function faultsOfOrder(rows: readonly object[]): string[] {
  const moments = rows.map((row) => Date.parse(String(Reflect.get(row, 'createdAt'))))
  const at = moments.findIndex((moment, index) => moment > (moments[index - 1] ?? Number.POSITIVE_INFINITY))
  const [before, row] = [rows[at - 1], rows[at]]
  if (before === undefined || row === undefined) return []
  const shown = (each: object) => `${Reflect.get(each, 'id')} of ${Reflect.get(each, 'createdAt')}`
  return [`The newest come first, and ${shown(row)} comes after ${shown(before)}.`]
}

export function rowsOf(body: unknown): object[] {
  const data: unknown = Reflect.get(Object(body), 'data')
  const rows: unknown[] = Array.isArray(data) ? data : []
  return rows.filter((row): row is object => typeof row === 'object' && row !== null)
}

/** What was created during the walk comes first on the large page, and only there. */
function faultsOfWalk(large: readonly string[], seen: readonly string[], isWhole: boolean): string[] {
  const from = seen[0] === undefined ? 0 : Math.max(0, large.indexOf(seen[0]))
  const expected = isWhole ? large.slice(from) : large.slice(from, from + seen.length)
  const walked = seen.slice(0, largeLimit - from)
  const at = expected.findIndex((id, index) => id !== walked[index])
  if (at >= 0) return [`One page of ${largeLimit} shows ${expected[at]} where the walk showed ${walked[at]}.`]
  return walked.length > expected.length ? [`The walk showed ${walked.length}, one page ${expected.length}.`] : []
}

function nextOf(body: unknown): string | undefined {
  const page: object = Object(Reflect.get(Object(body), 'pagination'))
  const cursor: unknown = Reflect.get(page, 'cursor')
  return Reflect.get(page, 'hasMore') === true && typeof cursor === 'string' ? cursor : undefined
}

async function checkCursors(run: Run, operation: Operation, path: string): Promise<void> {
  const ask = (query: string): Asked => ({ method: 'GET', path: `${path}?${query}`, as: 'token' })
  const refuse = async (query: string, why: string) => {
    await observe(run, { operation, check: 'pages', asked: ask(query), expect: expectStatus([400], why) })
  }
  await refuse('cursor=abc', 'What is no cursor')
  const first = await observe(run, { operation, check: 'pages', asked: ask('limit=1') })
  const cursor = nextOf(first.body)
  if (cursor === undefined) return
  await refuse(`cursor=${encodeURIComponent(altered(cursor))}`, 'A cursor that was altered')
  const filter = operation.parameters.find(
    ({ in: place, schema }) => place === 'query' && schema.format === 'date-time',
  )
  if (filter === undefined) return
  const other = pairOf(filter, '2020-01-01T00:00:00Z')
  await refuse(`cursor=${encodeURIComponent(cursor)}&${other}`, 'A cursor with a filter it was not issued for')
}

/** One character in the middle is another. */
function altered(cursor: string): string {
  const at = Math.floor(cursor.length / 2)
  return cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
}
