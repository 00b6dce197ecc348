import { expect, test } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { openApiDocument } from '../../registry/openapi/openapi.ts'
import { exportsMax } from '../../registry/values/limits.ts'
import type { Scope } from '../../registry/values/scopes.ts'
import { revokeToken } from '../../src/access/revoke-token.ts'
import { newToken } from '../../src/access/token-format.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { endpointIds } from '../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../support/api.ts'
import { arrange, type Operation, scopeOf, statusOf } from '../support/contract/operation.ts'
import { contentsOf } from '../support/database-contents.ts'
import { everyScope, mintToken, openShop, operator, type Shop } from '../support/shop.ts'
import { elsewhere, withoutIds } from './fixture.ts'
import { fixtures } from './fixtures.ts'

/**
 * Sends every operation of the OpenAPI document with every kind of token. The ids in the requests are those of the
 * token's merchant, of another merchant, and so on. A cell of the access matrix is one combination of an operation, a
 * token and an origin of the ids. A leak is a cell whose response shows more than the token may read.
 */

const started = useApi()

/** Timeout of the test: the access matrix has about 2,000 requests, which take a minute on a busy machine. */
const matrixMs = 120_000

/**
 * The expected response to the request of an access matrix cell. `hidden`: the response is the same as for a record
 * that does not exist.
 */
type Expected =
  | { readonly is: 'refused'; readonly status: number; readonly code: ErrorCode }
  | { readonly is: 'hidden'; readonly missing: Reply }
  | { readonly is: 'malformed' }
  | { readonly is: 'accepted'; readonly status: number }

interface Cell {
  readonly name: string
  readonly operation: Operation
  readonly token: string | undefined
  readonly expected: Expected
}

/**
 * Returns a description of the response if it differs from the expected response of an access matrix cell. Otherwise
 * returns undefined.
 */
function leakOf({ name, expected }: Pick<Cell, 'name' | 'expected'>, reply: Reply): string | undefined {
  const found = `${name}: ${reply.status} ${reply.body?.error?.code ?? ''}`
  switch (expected.is) {
    case 'refused': {
      const isChallenged = (reply.headers.get('www-authenticate') === 'Bearer') === (expected.status === 401)
      const isRefused = reply.status === expected.status && reply.body?.error?.code === expected.code
      return isRefused && isChallenged ? undefined : found
    }
    case 'hidden': {
      const { missing } = expected
      return reply.status === 404 && withoutIds(reply.text) === withoutIds(missing.text) ? undefined : found
    }
    case 'malformed':
      return reply.status === 400 || reply.status === 404 ? undefined : found
    case 'accepted':
      return reply.status === expected.status ? undefined : found
  }
}

interface Arranged {
  readonly own: Operation
  /** The same request as `own`, but with the ids of another merchant's records. */
  readonly others: Operation
}

/** A token that the service rejects before the operation runs, with the expected response. */
type Refusal = readonly [name: string, token: string | undefined, status: number, code: ErrorCode]

async function refusals(api: TestApi, shop: Shop): Promise<readonly Refusal[]> {
  const revoked = await mintToken(api.context, shop.tenant, {})
  await revokeToken(api.context, operator, shop.tenant, revoked.id)
  const expired = await mintToken(api.context, shop.tenant, { expiresAt: toTimestamp(api.clock.nowMs() + 1000) })
  api.clock.advance(1000)
  const elsewhereOnly = await mintToken(api.context, shop.tenant, { ipAllowlist: ['10.0.0.0/8'] })
  const last = shop.token.endsWith('0') ? '1' : '0'
  return [
    ['no token', undefined, 401, 'missing_token'],
    ['a malformed token', 'nonsense', 401, 'invalid_token'],
    ['a wrong checksum', shop.token.slice(0, -1) + last, 401, 'invalid_token'],
    ['an unknown token', newToken('live'), 401, 'invalid_token'],
    ['a revoked token', revoked.token, 401, 'token_revoked'],
    ['an expired token', expired.token, 401, 'token_expired'],
    ['another address', elsewhereOnly.token, 403, 'ip_not_allowed'],
  ]
}

/** Returns one token for each scope. Each token has all other scopes and lacks this one. */
async function tokensWithout(api: TestApi, shop: Shop): Promise<ReadonlyMap<Scope, string>> {
  const minted = everyScope.map(async (scope) => {
    const scopes = everyScope.filter((each) => each !== scope)
    return [scope, (await mintToken(api.context, shop.tenant, { scopes })).token] as const
  })
  return new Map(await Promise.all(minted))
}

/**
 * Returns the request once for each source of its ids: own records, records of another merchant, nonexistent records,
 * and malformed ids.
 */
function sourcesOf({ own, others }: Arranged, nowMs: number): readonly (readonly [string, Operation])[] {
  if (fixtures[own.id].notFound === undefined) return [['own ids', own]]
  const shortened = JSON.stringify({ path: own.path, body: own.body }).replaceAll(
    /\b([a-z]{3})_[0-9a-z]{26}\b/g,
    '$1_x',
  )
  return [
    ['own ids', own],
    ['another merchant’s ids', others],
    ['absent ids', own.with(elsewhere(own, nowMs))],
    ['malformed ids', own.with(JSON.parse(shortened))],
  ]
}

const isPublic = ({ endpoint }: Operation) => endpoint.access === 'public'

/**
 * Returns the access matrix cells in which the token is valid but must not give access to the records of the request.
 */
async function hiddenCells(arranged: Arranged, shop: Shop, other: Shop): Promise<readonly Cell[]> {
  const { own, others } = arranged
  const [, , absent, malformed] = sourcesOf(arranged, started().clock.nowMs()).map(([, operation]) => operation)
  // The operation is not tested with other ids, because its request contains no id of a record.
  if (absent === undefined || malformed === undefined) return []
  const hiddenFrom = async (name: string, operation: Operation, token: string): Promise<Cell> => {
    const missing = await absent.send({ token })
    return { name: `${own.id}, ${name}`, operation, token, expected: { is: 'hidden', missing } }
  }
  return [
    await hiddenFrom('another merchant’s ids', others, shop.token),
    await hiddenFrom('the token of another merchant', own, other.token),
    await hiddenFrom('absent ids', absent, shop.token),
    { name: `${own.id}, malformed ids`, operation: malformed, token: shop.token, expected: { is: 'malformed' } },
  ]
}

/** Sends the request of each cell of the access matrix, a few at a time. Returns the leaks that the responses show. */
async function leaksOf(cells: readonly Cell[], atOnce = 4): Promise<readonly string[]> {
  const leaks: (string | undefined)[] = []
  const waiting = cells.values()
  const sendWaiting = async () => {
    for (const cell of waiting) leaks.push(leakOf(cell, await cell.operation.send({ token: cell.token })))
  }
  // The number of concurrent requests is lower than the number of database connections for one merchant. Otherwise, a
  // request could wait for a connection and get an error other than the expected one.
  await Promise.all(Array.from({ length: atOnce }, sendWaiting))
  return leaks.filter((leak) => leak !== undefined)
}

test('every operation of the OpenAPI document has a test fixture', () => {
  const documented = Object.values(openApiDocument().paths ?? {}).flatMap((item) =>
    Object.values(item).map((operation: unknown) => Reflect.get(Object(operation), 'operationId')),
  )
  const named = documented.filter((id) => id !== undefined).map(String)
  expect(named.filter((id) => !Object.hasOwn(fixtures, id))).toEqual([])
  expect(named.sort()).toEqual([...endpointIds].sort())
})

test('no token can read a record of another merchant or a record outside the scopes of the token, for existing and nonexistent ids', {
  timeout: matrixMs,
}, async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const arranged: Arranged[] = []
  for (const id of endpointIds)
    arranged.push({ own: await arrange(api, id, shop), others: await arrange(api, id, other) })
  const [refused, narrow] = [await refusals(api, shop), await tokensWithout(api, shop)]
  const nowMs = api.clock.nowMs()

  const secured = arranged.filter(({ own }) => !isPublic(own))
  const tokenCells = secured.flatMap((each) =>
    sourcesOf(each, nowMs).flatMap(([source, operation]) => {
      const withoutScope: Refusal = [
        'a token without the scope',
        narrow.get(scopeOf(each.own.id)),
        403,
        'insufficient_scope',
      ]
      return [...refused, withoutScope].map(([name, token, status, code]): Cell => {
        return {
          name: `${each.own.id}, ${name}, ${source}`,
          operation,
          token,
          expected: { is: 'refused', status, code },
        }
      })
    }),
  )
  const hidden = (await Promise.all(secured.map((each) => hiddenCells(each, shop, other)))).flat()
  const before = await contentsOf(api)
  const leaks = [...(await leaksOf([...tokenCells, ...hidden]))]
  expect(await contentsOf(api)).toEqual(before)

  const accepted = arranged.map(({ own }): Cell => {
    return {
      name: `${own.id}, own ids`,
      operation: own,
      token: own.shop.token,
      expected: { is: 'accepted', status: statusOf(own.id) },
    }
  })
  leaks.push(...(await leaksOf(accepted, exportsMax)))
  console.log(`${tokenCells.length + hidden.length + accepted.length} cells, ${leaks.length} leaks`)
  expect(leaks).toEqual([])
})

test('the access check of this suite reports a leak when a response shows a record to another merchant', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const own = await arrange(api, 'getOrder', shop)
  const missing = await own.with(elsewhere(own, api.clock.nowMs())).send({ token: shop.token })
  const shown = await own.send({ token: shop.token })
  expect(leakOf({ name: 'getOrder', expected: { is: 'hidden', missing } }, shown)).toBe('getOrder: 200 ')
  expect(
    leakOf({ name: 'getOrder', expected: { is: 'refused', status: 403, code: 'insufficient_scope' } }, shown),
  ).toBe('getOrder: 200 ')
  expect(leakOf({ name: 'getOrder', expected: { is: 'hidden', missing } }, missing)).toBeUndefined()
})
