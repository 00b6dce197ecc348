import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { useApi } from '../../support/api.ts'
import { eventsOf } from '../../support/database-contents.ts'
import { openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

/** A carrier that reports an end of a parcel after it has reported another end. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/** Opens a shipment of a paid order that was picked up, and whose carrier then reports the statuses, one a minute. */
async function reported(...statuses: readonly ShipmentStatus[]) {
  const order = await placeOrder(started(), shop, { isPaid: true })
  const { update, read, key } = await openTrackedShipment(started(), shop, { orderId: order.id })
  await update('picked_up', 1)
  for (const [index, status] of statuses.entries()) await update(status, index + 2)
  const path = `/api/v1/logistics/shipments/${key.id}`
  return {
    ...{ update, key },
    status: (await read()).shipment.status,
    open: async () =>
      (await started().send('GET', path, { token: shop.token })).body.exceptions
        .filter(({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt === null)
        .map(({ code, message }: { code: string; message: string }) => [code, message]),
  }
}

describe('a carrier that reports another end of a parcel later', () => {
  test.for([
    ['delivered', 'returned', 'parcel_returned', 'was delivered', 'came back'],
    ['delivered', 'lost', 'parcel_lost', 'was delivered', 'was lost'],
    ['returned', 'delivered', 'parcel_returned', 'came back', 'was delivered'],
    ['lost', 'delivered', 'parcel_lost', 'was lost', 'was delivered'],
    ['lost', 'returned', 'parcel_returned', 'was lost', 'came back'],
  ] as const)('if a parcel that was %s is later reported as %s, the status stays and the exception %s asks the merchant to find out who has the units', async ([
    first,
    second,
    code,
    firstText,
    laterText,
  ]) => {
    const { status, open, key } = await reported(first, second)
    expect(status).toBe(first)
    const message = `that the parcel ${firstText}, and later that it ${laterText}. Ask Simulator Swift who has the units`
    expect(await open()).toContainEqual([code, expect.stringContaining(message)])
    const events = await eventsOf(started(), shop.merchantId, 'shipment.exception_raised')
    expect(events).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ shipmentId: key.id, code, carrier: 'simulator-swift' }),
      }),
    )
    const notifications = await listNotifications(started().database, { merchantId: shop.merchantId, limit: 100 })
    expect(notifications).toContainEqual(
      expect.objectContaining({
        kind: 'shipment.exception',
        data: expect.objectContaining({ shipmentId: key.id, code, cause: 'other_end' }),
      }),
    )
  })

  test('an earlier end that is reported out of order raises no exception', async () => {
    const { update, open } = await reported('in_transit', 'in_transit', 'delivered')
    await update('returned', 2)
    await update('delivered', 4, { carrierStatus: 'DELIVERED AGAIN' })
    expect(await open()).toEqual([])
  })

  test('a repeated report of another end raises its exception once', async () => {
    const { update, open } = await reported('delivered', 'returned')
    await update('returned', 3)
    await update('returned', 9, { carrierStatus: 'RETURNED AGAIN' })
    expect(await open()).toHaveLength(1)
  })
})
