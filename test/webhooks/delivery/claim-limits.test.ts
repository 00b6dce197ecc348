import { expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
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
