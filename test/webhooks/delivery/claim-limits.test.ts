import { describe, expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

/** Claims for one endpoint with two due deliveries. Returns the number claimed and the limit that applied. */
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

test('reports no limit when all due deliveries are claimed', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 2 })).toEqual({ deliveries: 2, limitedBy: undefined })
})

test('reports the endpoint as the limit when its cap is reached', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 1 })).toEqual({
    deliveries: 1,
    limitedBy: 'endpoint',
  })
})

test('reports the merchant as the limit when the endpoint’s cap is not reached', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 1, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
  expect(await claimOfTwo({ room: 1, merchantCap: 9, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
})

describe('of an enabled endpoint and a disabled one with a test delivery', () => {
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
    // The other delivery stays automatic, as until a sweep holds it.
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

  test('claims the automatic deliveries of one and the test delivery of the other', async () => {
    expect(await claimOfBoth(9)).toEqual({
      enabled: { triggers: ['automatic', 'automatic'], limitedBy: undefined },
      disabled: { triggers: ['test'], limitedBy: undefined },
    })
  })

  test('claims at most as many as the process has room for', async () => {
    expect(await claimOfBoth(2)).toEqual({
      enabled: { triggers: ['automatic', 'automatic'], limitedBy: undefined },
      disabled: { triggers: [], limitedBy: 'merchant' },
    })
  })
})
