import type { Answered, Asked } from '../client.ts'
import type { Operation } from '../document.ts'
import { makePath, pairOf } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { idsOf } from './access.ts'

/** Walking a list by its cursor shows each record once, and the same as one large page. */

const walkLimit = 3
const largeLimit = 100

/** A long list is walked so far; the large page is compared with what was seen. */
const pagesMax = 12

export async function checkPages(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (!operation.isList) continue
    const path = await livingPath(run, operation)
    if (path === undefined) continue
    await walk(run, operation, path)
    await checkCursors(run, operation, path)
  }
}

/** How many records are tried before one is met that has not been deleted since it was told of. */
const triesMax = 20

async function livingPath(run: Run, operation: Operation): Promise<string | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const path = makePath(generatorFor(run, operation, `pages ${tries}`), operation)
    if (path === undefined || path === operation.template) return path
    const answered = await observe(run, { operation, check: 'pages', asked: { method: 'GET', path, as: 'token' } })
    if (isSuccess(answered)) return path
  }
  return undefined
}

async function walk(run: Run, operation: Operation, path: string): Promise<void> {
  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = `?limit=${walkLimit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const answered = await observe(run, {
      operation,
      check: 'pages',
      asked: { method: 'GET', path: path + query, as: 'token' },
      expect: (each) => faultsOfPage(each, seen),
    })
    seen.push(...idsOf(answered.body))
    cursor = nextOf(answered.body)
    if (cursor === undefined) break
  }
  const isWhole = cursor === undefined
  await observe(run, {
    operation,
    check: 'pages',
    asked: { method: 'GET', path: `${path}?limit=${largeLimit}`, as: 'token' },
    expect: (answered) => faultsOfWalk(idsOf(answered.body), seen, isWhole),
  })
}

function faultsOfPage({ body }: Answered, seen: readonly string[]): string[] {
  const ids = idsOf(body)
  const page: object = Object(Reflect.get(Object(body), 'pagination'))
  const again = ids.filter((id, at) => seen.includes(id) || ids.indexOf(id) !== at)
  const limit: unknown = Reflect.get(page, 'limit')
  return [
    ...(again.length > 0 ? [`${again[0]} is shown twice.`] : []),
    ...(limit === walkLimit ? [] : [`pagination.limit is ${limit}, asked for were ${walkLimit}.`]),
    ...(ids.length > walkLimit ? [`There are ${ids.length} records, asked for were ${walkLimit}.`] : []),
    ...(Reflect.get(page, 'hasMore') === true && ids.length < walkLimit
      ? ['More follow a page that is not full.']
      : []),
  ]
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
