import { expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

/** Claims for one endpoint with two deliveries due; tells how many it got and what kept it from more. */
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

test('a claim that gets all that is due is limited by nothing', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 2 })).toEqual({ deliveries: 2, limitedBy: undefined })
})

test('an endpoint with more due than it may be sent at once is limited by itself', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 9, endpointCap: 1 })).toEqual({
    deliveries: 1,
    limitedBy: 'endpoint',
  })
})

test('an endpoint that had room of its own is limited by its merchant', async () => {
  expect(await claimOfTwo({ room: 9, merchantCap: 1, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
  expect(await claimOfTwo({ room: 1, merchantCap: 9, endpointCap: 2 })).toEqual({
    deliveries: 1,
    limitedBy: 'merchant',
  })
})
