import { afterEach, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { isUnavailable } from '../../src/store/core/faults.ts'
import {
  countOpenProviderRefunds,
  listMerchantsWithRefundsDue,
  merchantsWithRefundsDue,
} from '../../src/store/refunds/refund-checks.ts'
import { openChain } from '../audit/chain.ts'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { useDatabase } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** A node of a distributed database does not respond, so that the merchants on it are unreachable. */

const opened = useDatabase()
const started = useApi({ opened })

/** Makes the merchants of the second list unreachable. Without this list, all merchants are reachable. */
function setUnreachable(reachable: readonly MerchantId[], unreachable: readonly MerchantId[] = []): void {
  opened().database.reachability.set({ reachable, unreachable })
}

afterEach(() => setUnreachable([]))

/** Creates two merchants, each with a refund that is due for a check. */
async function openShopsWithDueRefunds(): Promise<readonly [MerchantId, MerchantId]> {
  const api = started()
  const shops = [await openShop(api.context), await openShop(api.context)] as const
  for (const shop of shops) await (await paidByPaystack(api, shop)).refund(100)
  const merchantIds = [shops[0].merchantId, shops[1].merchantId] as const
  await api.database.pool.query('update refunds set next_check_at = now() where merchant_id = any($1)', [merchantIds])
  return merchantIds
}

test('while some merchants are unreachable, a search finds the rows of the reachable merchants only', async () => {
  const { database } = opened()
  const [one, other] = await openShopsWithDueRefunds()
  const now = toTimestamp(systemClock.nowMs() + 60_000)
  const inTransaction = () => bookkeep(database, (trx) => trx.search(merchantsWithRefundsDue, { now }))

  setUnreachable([one], [other])
  expect(await listMerchantsWithRefundsDue(database, now)).toEqual([one])
  expect(await inTransaction()).toEqual([{ merchantId: one }])

  setUnreachable([one, other])
  expect(await database.search(merchantsWithRefundsDue, { now }, [other])).toEqual([{ merchantId: other }])
  expect(await listMerchantsWithRefundsDue(database, now)).toEqual(expect.arrayContaining([one, other]))
  expect(await inTransaction()).toEqual(expect.arrayContaining([{ merchantId: one }, { merchantId: other }]))
})

test('while the database node of a merchant does not respond, the merchant’s SQL statements and transactions fail as if the database were unavailable', async () => {
  const { database } = opened()
  const [one, other] = await openShopsWithDueRefunds()
  const attempts = (merchantId: MerchantId) => [
    () => countOpenProviderRefunds(database, merchantId),
    () => countOpenProviderRefunds(database.within(1_000), merchantId),
    async () => (await database.connect(merchantId)).release(),
  ]
  setUnreachable([one], [other])
  for (const attempt of attempts(other)) {
    const failure = await attempt().catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    expect(failure).toMatchObject({ message: `The database node of merchant ${other} does not respond.` })
  }
  for (const attempt of attempts(one)) await attempt()
  setUnreachable([one, other])
  for (const attempt of attempts(other)) await attempt()
})

test('requests of an unreachable merchant get 503 service_unavailable, and those of other merchants succeed', async () => {
  const api = started()
  const [one, other] = [await openShop(api.context), await openShop(api.context)]
  const list = ({ token }: Shop) => api.send('GET', '/api/v1/orders', { token })
  setUnreachable([one.merchantId], [other.merchantId])
  expect(await list(one)).toMatchObject({ status: 200 })
  expect(await list(other)).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } })
  setUnreachable([one.merchantId, other.merchantId])
  expect((await Promise.all([list(one), list(other)])).map(({ status }) => status)).toEqual([200, 200])
})

test('the audit rows of an unreachable merchant are added to its hash chain once the merchant is reachable', async () => {
  const [one, other] = [openChain(opened()), openChain(opened())]
  await one.write('one')
  await other.write('one')
  await one.seal()
  const [{ merchantId }, { merchantId: unreachable }] = [await one.merchant(), await other.merchant()]
  await one.write('two', 'three')
  await other.write('two')
  setUnreachable([merchantId], [unreachable])
  expect(await one.seal()).toBe(2)
  await one.write('four')
  expect(await one.seal()).toBe(1)
  setUnreachable([merchantId, unreachable])
  expect(await one.seal()).toBe(1)
  expect(await one.verify()).toMatchObject({ rows: 5, faults: [] })
  expect(await other.verify()).toMatchObject({ rows: 3, faults: [] })
})
