import { expect } from 'vitest'
import type { ReplyBody, TestApi } from '../support/api.ts'
import { ledgerOf } from '../support/commerce/order-transitions.ts'
import { auditRows, eventsOf, select } from '../support/database-contents.ts'
import type { Shop } from '../support/shop.ts'
import { wrongLosses } from './wrong-losses.ts'

/** Reads all records of a shop through the API, of which there must be at most 100 of each kind. */
async function readRecords(api: TestApi, { token }: Shop) {
  const get = async (path: string): Promise<ReplyBody> => {
    const { status, text, body } = await api.send('GET', `/api/v1${path}`, { token })
    expect(status, text).toBe(200)
    return body
  }
  const all = async (path: string): Promise<ReplyBody[]> => (await get(`${path}?limit=100`)).data
  const each = async (path: string): Promise<ReplyBody[]> =>
    Promise.all((await all(path)).map(({ id }) => get(`${path}/${id}`)))
  const [orders, products] = await Promise.all([each('/orders'), each('/products')])
  const [payments, refunds, returns] = await Promise.all([all('/payments'), all('/refunds'), all('/returns')])
  const shipments = await each('/logistics/shipments')
  const { carriers }: { carriers: ReplyBody[] } = await get('/logistics/remittances')
  return { orders, products, payments, refunds, returns, shipments, carriers }
}

type Records = Awaited<ReturnType<typeof readRecords>>

const sumOf = (records: readonly ReplyBody[], field: string): number =>
  records.reduce((sum, record) => sum + (record[field] ?? 0), 0)

/** The statuses of a shipment whose units are still in the shop. */
const beforePickup = ['scheduled', 'dispatching', 'awaiting_courier', 'courier_assigned', 'at_pickup', 'cancelling']

/** Units of an order item that the shop has reserved: those that it has not handed over and may still hand over. */
function reservedUnits(order: ReplyBody, item: ReplyBody, shipments: Records['shipments']): number {
  if (order.status !== 'cancelled') return item.quantity - item.cancelledQuantity - item.fulfilledQuantity
  const waiting = shipments.filter(({ orderId, status }) => orderId === order.id && beforePickup.includes(status))
  const units = waiting.flatMap(({ items }) => items).filter(({ itemId }: ReplyBody) => itemId === item.id)
  return sumOf(units, 'quantity')
}

/** The stock is the opening stock without the units that left the shop and did not come back in a sellable state. */
async function expectStock(api: TestApi, { orders, products, returns, shipments }: Records, openingUnits: number) {
  for (const { id, inventory } of products.flatMap(({ variants }) => variants)) {
    const items = orders.flatMap((order) => order.items.map((item: ReplyBody) => ({ order, ...item })))
    const ofVariant = items.filter(({ variantId }) => variantId === id)
    const received = returns
      .flatMap((each) => each.items)
      .filter(({ itemId }) => ofVariant.some((item) => item.id === itemId))
    const goneUnits =
      sumOf(ofVariant, 'fulfilledQuantity') -
      sumOf(ofVariant, 'returnedQuantity') +
      sumOf(received, 'writtenOffQuantity')
    const reserved = ofVariant.reduce((sum, item) => sum + reservedUnits(item.order, item, shipments), 0)
    expect({ onHand: inventory.onHand, reserved: inventory.reserved }).toEqual({
      onHand: openingUnits - goneUnits,
      reserved,
    })
    const ledger = await ledgerOf(api, id)
    expect({ ...ledger, onHand: ledger.onHand + openingUnits }).toEqual({ onHand: inventory.onHand, reserved })
  }
}

function expectMoney({ orders, payments, refunds, shipments, carriers }: Records): void {
  for (const order of orders) {
    const ofOrder = ({ orderId }: ReplyBody) => orderId === order.id
    const paidKobo = sumOf(payments.filter(({ voidedAt }) => voidedAt === null).filter(ofOrder), 'amountKobo')
    const valid = refunds.filter(({ status }) => status !== 'failed' && status !== 'cancelled').filter(ofOrder)
    expect(order, order.number).toMatchObject({ paidKobo, balanceKobo: order.totalKobo - paidKobo })
    expect(order.refundedKobo + order.refundPendingKobo, order.number).toBe(sumOf(valid, 'amountKobo'))
    const unrefundedKobo = paidKobo - order.refundedKobo - order.refundPendingKobo
    expect(order.refundableKobo, order.number).toBeGreaterThanOrEqual(0)
    if (
      payments.filter(ofOrder).some(({ disputedAt, disputeLostKobo }) => disputedAt !== null || disputeLostKobo > 0)
    ) {
      expect(order.refundableKobo, order.number).toBeLessThanOrEqual(unrefundedKobo)
    } else {
      expect(order.refundableKobo, order.number).toBe(unrefundedKobo)
    }
  }
  const collected = shipments.filter(({ codCollectedKobo }) => codCollectedKobo > 0)
  expect(sumOf(carriers, 'collectedKobo')).toBe(sumOf(collected, 'codCollectedKobo'))
  const cash = payments.filter(({ method, reference }) => method === 'pay_on_delivery' && reference.startsWith('shp_'))
  const amounts = (records: readonly ReplyBody[], id: string, field: string) =>
    Object.fromEntries(records.map((record) => [record[id], record[field]]))
  expect(amounts(cash, 'reference', 'amountKobo')).toEqual(amounts(collected, 'id', 'codCollectedKobo'))
}

/**
 * Expects that the last event of each record contains the current status of the record, and that an audited action
 * created each record.
 */
async function expectReported(api: TestApi, { merchantId }: Shop, { orders, returns, shipments }: Records) {
  const lastOf = (changes: readonly ReplyBody[]) => changes.toSorted((a, b) => b.version - a.version)[0]
  const moves = (await eventsOf(api, merchantId, 'order.status_changed')).map(({ data }) => data)
  const created = new Map(
    (await eventsOf(api, merchantId, 'order.created')).map(({ data }) => [data.order.id, data.order]),
  )
  for (const { id, status } of orders) {
    expect(lastOf(moves.filter(({ orderId }) => orderId === id))?.to ?? created.get(id)?.status, id).toBe(status)
  }
  const moved = (await eventsOf(api, merchantId, 'return.status_changed')).map(({ data }) => data.return)
  for (const { id, status } of returns) {
    expect(lastOf(moved.filter((each) => each.id === id))?.status ?? 'requested', id).toBe(status)
  }
  const actions = (await auditRows(api, merchantId)).map(({ action }) => action)
  const counts = (name: string) => actions.filter((action) => action === name).length
  expect([counts('order.create'), counts('return.create'), counts('shipment.dispatch')]).toEqual([
    orders.length,
    returns.length,
    shipments.length,
  ])
}

/** Expects that the records of a shop agree with each other. Each variant had `openingUnits` on hand at the beginning. */
export async function expectConsistentRecords(api: TestApi, shop: Shop, openingUnits: number): Promise<void> {
  const records = await readRecords(api, shop)
  await expectStock(api, records, openingUnits)
  expectMoney(records)
  await expectReported(api, shop, records)
  expect(await select(api, wrongLosses, [shop.merchantId])).toEqual([])
}
