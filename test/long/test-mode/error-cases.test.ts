import { expect, test } from 'vitest'
import { type ErrorCode, errorCodes } from '../../../registry/errors/index.ts'
import { defaultRateLimits } from '../../../registry/values/rate-limits.ts'
import type { Need, TokenKind } from '../../../scripts/reference/error-cases/case.ts'
import { causedCodes, rareCodes, unreachableCodes } from '../../../scripts/reference/error-cases/error-cases.ts'
import { revokeToken } from '../../../src/access/revoke-token.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { randomCode } from '../../../src/base/ids.ts'
import type { Results } from '../../../src/operations/fill-in.ts'
import { useApi } from '../../support/api.ts'
import { mintToken, operator } from '../../support/shop.ts'
import { type Answered, sendNeeded, sendRejected } from './requests.ts'
import { openWorld, type World } from './world.ts'

/** Each error code of the guide “Triggers” is returned by the request that the guide names, in test mode. */

const started = useApi({ sendsCallbacks: true, rates: { limits: defaultRateLimits } })

const minuteMs = 60_000

/** The times that the requests of error cases can contain, in minutes from now. */
const namedMinutes = [1, 10, 11, 60]

test.for(causedCodes)('a request in test mode returns the error code %s as the guide says', async ([
  code,
  { request, needs = [] },
]) => {
  const world = await openWorld(started())
  let results: Results = { run: randomCode(12), merchant: { id: world.shop.merchantId }, minutes: minutesFrom() }
  for (const need of needs) results = await fulfil(world, need, results)
  const token = await tokenOf(world, request.token)
  const send = () => sendRejected(started(), { token, results }, request)
  const answered = await Promise.all(Array.from({ length: request.times ?? 1 }, send))
  expect(codesOf(answered), JSON.stringify(answered[0])).toContain(code)
})

test('for every error code, the guide names a request that causes the error, or the reason why the guide has no such request', () => {
  const named: readonly string[] = [
    ...causedCodes.map(([code]) => code),
    ...Object.keys({ ...rareCodes, ...unreachableCodes }),
  ]
  expect(named.toSorted()).toEqual(errorCodes.toSorted())
})

test('the requests that the guide “Triggers” names cause at least 95 percent of the error codes that a client can cause in test mode', () => {
  const reachable = errorCodes.length - Object.keys(unreachableCodes).length
  expect(causedCodes.length / reachable).toBeGreaterThanOrEqual(0.95)
})

function minutesFrom(): Readonly<Record<string, string>> {
  const nowMs = started().clock.nowMs()
  return Object.fromEntries(namedMinutes.map((minutes) => [minutes, toTimestamp(nowMs + minutes * minuteMs)]))
}

/** Creates one precondition of an error case. Returns the results for the following requests. */
async function fulfil(world: World, need: Need, results: Results): Promise<Results> {
  if ('waitSeconds' in need) {
    if (need.waitSeconds > 3600) started().clock.advance(need.waitSeconds * 1000)
    else await world.pass(need.waitSeconds)
    return results
  }
  if ('paysOn' in need) throw new Error('No error case has a payment on a checkout page.')
  let last: Answered | undefined
  for (let count = need.times ?? 1; count > 0; count--) {
    last = await sendNeeded(started(), { token: world.shop.token, results }, need)
    expect(last.status, `${need.operation} ${JSON.stringify(last.body)}`).toBeLessThan(300)
  }
  return need.as === undefined ? results : { ...results, [need.as]: last?.body }
}

async function tokenOf({ shop, live }: World, kind: TokenKind | undefined): Promise<string | undefined> {
  const { context, clock } = started()
  const { tenant } = shop
  switch (kind) {
    case undefined:
      return shop.token
    case 'none':
      return undefined
    case 'unknown':
      return `svc_test_${'0'.repeat(40)}`
    case 'live':
      return live.token
    case 'narrow':
      return (await mintToken(context, tenant, { scopes: ['inventory:write'] })).token
    case 'elsewhere':
      return (await mintToken(context, tenant, { ipAllowlist: ['10.0.0.0/8'] })).token
    case 'expired': {
      const { token } = await mintToken(context, tenant, { expiresAt: toTimestamp(clock.nowMs() + 1000) })
      clock.advance(1000)
      return token
    }
    case 'revoked': {
      const { id, token } = await mintToken(context, tenant, {})
      await revokeToken(context, operator, tenant, id)
      return token
    }
  }
}

function codesOf(answered: readonly Answered[]): (ErrorCode | undefined)[] {
  return answered.map(({ body }) => body.error?.code)
}
