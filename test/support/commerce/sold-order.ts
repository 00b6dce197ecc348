import { expect } from 'vitest'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import { randomCode } from '../../../src/base/ids.ts'
import type { Reply, ReplyBody, TestApi } from '../api.ts'
import { eventsOf } from '../database-contents.ts'
import { openShop, type Shop } from '../shop.ts'
import { ledgerOf, type MovedOrder, orderAt, stockOf } from './order-transitions.ts'

/**
 * An order of three units of one item, for 1,000,000 kobo each by default. The customer has the units and may return
 * them. Ten units were on hand before the order.
 */
export interface SoldOrder {
  readonly shop: Shop
  readonly order: MovedOrder
  readonly itemId: string
  read(): Promise<ReplyBody>
  /** Records a manual payment of the balance of the order. */
  pay(): Promise<void>
  request(quantity: number, more?: object): Promise<Reply>
  /** Creates and approves a return, and returns its id. */
  approved(quantity: number): Promise<string>
  move(returnId: string, to: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Receives units of the only item of the order, or of the item that `units` names. */
  receive(returnId: string, units: object): Promise<Reply>
  readReturn(returnId: string): Promise<ReplyBody>
  returnEvents(returnId: string): Promise<readonly ReplyBody[]>
  /**
   * Expects that the variant's stock equals its opening stock plus its movements. The opening stock has no movement.
   */
  expectLedger(): Promise<void>
}

export async function soldOrder(
  api: TestApi,
  {
    status = 'delivered',
    shop: given,
    priceKobo = 1_000_000,
  }: { readonly status?: OrderStatus; readonly shop?: Shop; readonly priceKobo?: number } = {},
): Promise<SoldOrder> {
  const shop = given ?? (await openShop(api.context))
  const order = await orderAt(api, shop, status, priceKobo)
  const { token } = shop
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    api.send('POST', `/api/v1${path}`, { token, body, headers })
  const move = (returnId: string, to: string, headers?: Readonly<Record<string, string>>) =>
    post(`/returns/${returnId}/transition`, { to }, headers)
  const request = (quantity: number, more: object = {}) => {
    const items = [{ itemId: order.itemId, quantity }]
    return post(`/orders/${order.id}/returns`, { items, reason: 'wrong_size', ...more })
  }
  return {
    shop,
    order,
    itemId: order.itemId,
    read: order.read,
    pay: async () => {
      const { balanceKobo: amountKobo } = await order.read()
      const paid = await post(`/orders/${order.id}/payments`, { amountKobo, method: 'cash', reference: randomCode(12) })
      expect(paid.status, paid.text).toBe(201)
    },
    request,
    approved: async (quantity) => {
      const { body } = await request(quantity)
      await move(body.id, 'approved')
      return body.id
    },
    move,
    receive: (returnId, units) => post(`/returns/${returnId}/receive`, { items: [{ itemId: order.itemId, ...units }] }),
    readReturn: async (returnId) => (await api.send('GET', `/api/v1/returns/${returnId}`, { token })).body,
    returnEvents: async (returnId) => {
      const events = await eventsOf(api, shop.merchantId, 'return.status_changed')
      return events.map(({ data }) => data).filter((data) => data.return.id === returnId)
    },
    expectLedger: async () => {
      const { onHand, reserved } = await ledgerOf(api, order.variantId)
      expect({ onHand: onHand + 10, reserved }).toEqual(await stockOf(api, order.variantId))
    },
  }
}
