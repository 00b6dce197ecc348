import { expect, test } from 'vitest'
import { dropoffInputExample } from '../../../registry/logistics/quote-example.ts'
import { sent, usePaidOrders } from '../../support/logistics/paid-order.ts'
import { getShipment, pass } from '../../support/logistics/parcel-run.ts'

/** Scheduled shipments whose units the merchant handed over in another way before the carrier was requested. */

const { here, paidOrder, anHourLater, inAnHour } = usePaidOrders()

const read = async (id: string) => (await getShipment(here().api, here().shop, id)).body

test.for([
  ['delivered', ['shipped', 'delivered']],
  ['returned', ['shipped', 'delivered', 'returned']],
] as const)('no carrier is requested for a scheduled shipment whose order was set to %s, and the shipment is cancelled', async ([
  status,
  steps,
]) => {
  const order = await paidOrder()
  const id = await sent(order, [2], inAnHour())
  for (const to of steps) expect((await order.transition(to)).status).toBe(200)
  await anHourLater(id)
  expect(await read(id)).toMatchObject({
    status: 'cancelled',
    statusReason: { code: 'units_handed_over' },
    attempts: [],
    exceptions: [],
  })
  expect((await order.read()).status).toBe(status)
})

test('the carrier of a scheduled shipment is requested if its order was set to shipped before the pickup', async () => {
  const order = await paidOrder()
  const id = await sent(order, [2], inAnHour())
  expect((await order.transition('shipped')).status).toBe(200)
  await anHourLater(id)
  expect((await read(id)).attempts).toMatchObject([{ carrier: 'simulator-swift' }])
})

test('the carrier of a scheduled shipment is requested for a unit that came back to the shop, even if the order is delivered', async () => {
  const order = await paidOrder()
  const phone = '+2348035550800'
  const returned = await sent(order, [1], { dropoff: { ...dropoffInputExample, phone } })
  await sent(order, [1])
  await pass(here().api, 1_800, 10)
  expect([(await read(returned)).status, (await order.read()).status]).toEqual(['returned', 'delivered'])
  const id = await sent(order, [1], inAnHour())
  await anHourLater(id)
  expect((await read(id)).attempts).toMatchObject([{ carrier: 'simulator-swift' }])
})
