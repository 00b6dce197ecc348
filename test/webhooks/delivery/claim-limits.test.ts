import { describe, expect, onTestFinished, test } from 'vitest'
import { type Claimed, claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

/**
 * Claims due deliveries of a webhook endpoint with two due deliveries. Returns the number of claimed deliveries and the
 * limit that applied.
 */
async function claimOfTwo(caps: { readonly room: number; readonly merchantCap: number; readonly endpointCap: number }) {
  const { database } = opened()
  const shop = await openShop(database)
  const { merchantId, endpointId } = await shop.addEndpoint('http://127.0.0.1:1/hook')
  await shop.emit()
  await shop.emit()
  const lanes = [{ merchantId, endpointId }]
  const claimed = await claimDeliveries(database, { lanes, workerId: 'wrk_one', now: shop.now(), ...caps })
  const { deliveries, limitedBy } = only(claimed.lanes)
  return { deliveries: deliveries.length, limitedBy }
}

test('a claim that takes all due webhook deliveries reports that no concurrency limit was reached', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 2 })).toEqual({ deliveries: 2, limitedBy: undefined })
})

test('a claim of webhook deliveries returns the endpoint as limitedBy when the endpoint’s concurrency limit is reached', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 1 })).toEqual({
    deliveries: 1,
    limitedBy: 'endpoint',
  })
})

test('if a claim cannot take all due webhook deliveries, and the endpoint’s concurrency limit is not the reason, the claim returns limitedBy merchant', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 1, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
  expect(await claimOfTwo({ room: 1, merchantCap: 9, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
})

describe('a claim of webhook deliveries for several merchants', () => {
  /** Opens a shop with one endpoint that has two due deliveries. */
  async function openQueue() {
    const shop = await openShop(opened().database)
    const { merchantId, endpointId } = await shop.addEndpoint('http://127.0.0.1:1/hook')
    await shop.emit()
    await shop.emit()
    return { shop, lane: { merchantId, endpointId } }
  }

  const caps = { merchantCap: 9, endpointCap: 4 }

  test('a claim of webhook deliveries takes the first delivery of each merchant before the second delivery of any merchant', async () => {
    const [one, other] = [await openQueue(), await openQueue()]
    const claim = { lanes: [one.lane, other.lane], workerId: 'wrk_one', now: other.shop.now(), ...caps }
    const { lanes } = await claimDeliveries(opened().database, { ...claim, room: 3 })
    expect(lanes.map(({ deliveries, limitedBy }) => [deliveries.length, limitedBy])).toEqual([
      [2, undefined],
      [1, 'merchant'],
    ])
  })

  test('a claim skips a merchant whose deliveries another worker is claiming at the moment, so that each delivery is leased once', async () => {
    const { database } = opened()
    const [one, other] = [await openQueue(), await openQueue()]
    const now = other.shop.now()
    const first = { lanes: [one.lane], workerId: 'wrk_one', now, ...caps, room: 9 }
    let second: Promise<Claimed> | undefined
    const { lanes } = await claimDeliveries(database, first, async () => {
      second = claimDeliveries(database, { ...first, workerId: 'wrk_two', lanes: [one.lane, other.lane] })
      await second
    })
    expect(only(lanes).deliveries).toHaveLength(2)
    const claimed = await second
    expect(claimed?.busy).toEqual([one.lane])
    expect(claimed?.lanes.map(({ endpointId, deliveries }) => [endpointId, deliveries.length])).toEqual([
      [other.lane.endpointId, 2],
    ])
    const third = await claimDeliveries(database, { ...first, workerId: 'wrk_two' })
    expect(only(third.lanes).deliveries).toEqual([])
  })

  test.for([
    'enabled',
    'disabled',
  ] as const)('if two endpoints are %s, a claim skips the endpoint of an unreachable merchant, and claims the deliveries of the other endpoint', async (status) => {
    const { database } = opened()
    const [one, other] = [await openQueue(), await openQueue()]
    const [reachable, unreachable] = [one.lane.merchantId, other.lane.merchantId]
    if (status === 'disabled') {
      const ids = [one.lane.endpointId, other.lane.endpointId]
      await database.pool.query("update webhook_deliveries set trigger = 'test' where endpoint_id = any($1)", [ids])
      await database.pool.query(
        "update webhook_endpoints set status = 'disabled', disabled_reason = 'manual', disabled_at = now() where id = any($1)",
        [ids],
      )
    }
    const request = { lanes: [other.lane, one.lane], workerId: 'wrk_one', now: other.shop.now(), ...caps, room: 9 }
    onTestFinished(() => database.reachability.set({ reachable: [reachable, unreachable], unreachable: [] }))
    database.reachability.set({ reachable: [reachable], unreachable: [unreachable] })
    const { lanes, busy } = await claimDeliveries(database, request)
    const claimed = lanes.map(({ endpointId, deliveries }) => [endpointId, deliveries.map(({ body }) => body !== '')])
    expect(claimed).toEqual([[one.lane.endpointId, [true, true]]])
    expect(busy).toEqual([])

    database.reachability.set({ reachable: [reachable, unreachable], unreachable: [] })
    const later = await claimDeliveries(database, request)
    expect(later.lanes.map(({ endpointId, deliveries }) => [endpointId, deliveries.length])).toEqual([
      [other.lane.endpointId, 2],
      [one.lane.endpointId, 0],
    ])
  })

  test('if the database node of a merchant stops responding during a claim, the claim of another worker skips this merchant and does not report it as busy', async () => {
    const { database } = opened()
    const { shop, lane } = await openQueue()
    const request = { lanes: [lane], workerId: 'wrk_one', now: shop.now(), ...caps, room: 9 }
    onTestFinished(() => database.reachability.set({ reachable: [lane.merchantId], unreachable: [] }))
    const { lanes } = await claimDeliveries(database, request, async () => {
      database.reachability.set({ reachable: [], unreachable: [lane.merchantId] })
      expect(await claimDeliveries(database, { ...request, workerId: 'wrk_two' })).toEqual({ lanes: [], busy: [] })
    })
    expect(only(lanes).deliveries).toHaveLength(2)
  })
})

describe('a claim for an enabled endpoint and a disabled endpoint with a test delivery', () => {
  async function claimOfBoth(room: number) {
    const { database } = opened()
    const shop = await openShop(database)
    const enabled = await shop.addEndpoint('http://127.0.0.1:1/enabled')
    const disabled = await shop.addEndpoint('http://127.0.0.1:1/disabled')
    await shop.emit()
    await shop.emit()
    await database.pool.query(
      `update webhook_endpoints
       set status = 'disabled', disabled_reason = 'manual', disabled_at = now()
       where merchant_id = $1 and id = $2`,
      [shop.merchantId, disabled.endpointId],
    )
    // One delivery of the disabled endpoint becomes a test delivery. The other delivery stays automatic and due,
    // because no sweep has held it yet.
    await database.pool.query(
      `update webhook_deliveries
       set trigger = 'test', is_paced = false
       where (merchant_id, id) = (
         select merchant_id, min(id) from webhook_deliveries where merchant_id = $1 and endpoint_id = $2 group by merchant_id
       )`,
      [shop.merchantId, disabled.endpointId],
    )
    const caps = { room, merchantCap: 9, endpointCap: 4 }
    const lanes = [disabled, enabled].map(({ merchantId, endpointId }) => ({ merchantId, endpointId }))
    const claimed = await claimDeliveries(database, { lanes, workerId: 'wrk_one', now: shop.now(), ...caps })
    const triggersOf = ({ endpointId }: EndpointKey) => {
      const lane = only(claimed.lanes.filter((each) => each.endpointId === endpointId))
      return { triggers: lane.deliveries.map(({ trigger }) => trigger), limitedBy: lane.limitedBy }
    }
    return { enabled: triggersOf(enabled), disabled: triggersOf(disabled) }
  }

  test('a worker’s claim takes the automatic deliveries of an enabled endpoint and the test delivery of a disabled endpoint', async () => {
    expect(await claimOfBoth(9)).toEqual({
      enabled: { triggers: ['automatic', 'automatic'], limitedBy: undefined },
      disabled: { triggers: ['test'], limitedBy: undefined },
    })
  })

  test('a claim takes at most as many deliveries as the worker’s process has free capacity for', async () => {
    expect(await claimOfBoth(2)).toEqual({
      enabled: { triggers: ['automatic', 'automatic'], limitedBy: undefined },
      disabled: { triggers: [], limitedBy: 'merchant' },
    })
  })
})
