import { expect } from 'vitest'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import type { ShipmentStatus } from '../../registry/logistics/shipment-states.ts'
import { ShipmentId } from '../../registry/values/vocabulary.ts'
import { randomCode } from '../../src/base/ids.ts'
import type { TestApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { cancelShipment, inOrder, plainPhone, post } from '../support/logistics/parcel-run.ts'
import { applyUpdate } from '../support/logistics/tracking-updates.ts'
import { orderBody, type Shop, stockVariant } from '../support/shop.ts'
import { type Action, type Order, type Parcel, unitPriceKobo } from './parcels-model.ts'

/** Executes the model's actions against the service, and reads the resulting state from the tables. */
export class ParcelsDriver {
  readonly #api: TestApi
  readonly #shop: Shop
  readonly #orderId: string
  readonly #itemIds: readonly string[]
  readonly #shipmentIds = new Map<number, string>()

  private constructor(api: TestApi, shop: Shop, order: { id: string; items: readonly { id: string }[] }) {
    this.#api = api
    this.#shop = shop
    this.#orderId = order.id
    this.#itemIds = order.items.map(({ id }) => id)
  }

  static async open(api: TestApi, shop: Shop, quantities: readonly number[]): Promise<ParcelsDriver> {
    const items: { variantId: string; quantity: number }[] = []
    const { variantId: first } = await stockVariant(api, shop.merchantId, stocked)
    for (const [index, quantity] of quantities.entries()) {
      const variantId = index === 0 ? first : (await stockVariant(api, shop.merchantId, stocked)).variantId
      items.push({ variantId, quantity })
    }
    const shippingAddress = { phone: plainPhone, line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
    const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
    const { body: order } = await send('/orders', orderBody(first, { items, shippingAddress }))
    const payment = { amountKobo: order.totalKobo, method: 'cash', reference: randomCode(12) }
    const paid = await send(`/orders/${order.id}/payments`, payment)
    if (paid.status !== 201) throw new Error(paid.text)
    return new ParcelsDriver(api, shop, order)
  }

  /** Executes all actions concurrently, each on its own database connection. */
  doAtOnce(actions: readonly Action[]): Promise<{ action: Action; code: string }[]> {
    return Promise.all(actions.map(async (action) => ({ action, code: await this.#answer(action) })))
  }

  async #answer(action: Action): Promise<string> {
    switch (action.is) {
      case 'dispatch':
        return this.#dispatch(plainPhone, action.units, action.slot)
      case 'dispatch_rest':
        return this.#dispatch(plainPhone, undefined, action.slot)
      case 'dispatch_in_vain':
        return this.#dispatch(refusingPhone, action.units)
      case 'refund': {
        const { line, quantity, isRestocked: restock } = action
        return this.#send('/refunds', { items: [{ itemId: this.#itemIds[line], quantity, restock }] })
      }
      case 'refund_rest':
        return this.#refundRest()
      case 'cancel_order':
        return this.#send(`/orders/${this.#orderId}/cancel`, { reason: 'customer' })
      case 'cancel': {
        const reply = await cancelShipment(this.#api, this.#shop, this.#id(action.parcel), { maxFeeKobo: 1_000_000 })
        return reply.status === 200 ? 'ok' : reply.text
      }
      default: {
        const id = ShipmentId.parse(this.#id(action.parcel))
        const key = { merchantId: this.#shop.merchantId, id }
        const { is } = await applyUpdate(this.#api, this.#shop, key, { status: saidOf[action.is] })
        return is === 'moved' ? 'ok' : is
      }
    }
  }

  async #dispatch(phone: string, units: readonly number[] | undefined, slot?: number): Promise<string> {
    const items = units?.flatMap((quantity, line) =>
      quantity === 0 ? [] : [{ itemId: this.#itemIds[line], quantity }],
    )
    const reply = await post(this.#api, this.#shop, 'dispatch', {
      reference: randomCode(12),
      orderId: this.#orderId,
      pickup: pickupInputExample,
      dropoff: { ...dropoffInputExample, phone },
      ...inOrder(['simulator-swift']),
      ...(items === undefined ? {} : { items }),
    })
    if (reply.status === 201 && slot !== undefined) this.#shipmentIds.set(slot, reply.body.id)
    return reply.status === 201 ? 'ok' : reply.body.error.code
  }

  /** This action runs alone, because a concurrent request could change the amount left to refund after it was read. */
  async #refundRest(): Promise<string> {
    const [row] = await select(this.#api, 'select paid_kobo - refunded_kobo as left from orders where id = $1', [
      this.#orderId,
    ])
    return this.#send('/refunds', { amountKobo: Math.max(1, Number(row.left)) })
  }

  async #send(path: string, more: object): Promise<string> {
    const body = path === '/refunds' ? { orderId: this.#orderId, reason: 'customer_request', ...more } : more
    const reply = await this.#api.send('POST', `/api/v1${path}`, { token: this.#shop.token, body })
    return reply.status < 300 ? 'ok' : reply.body.error.code
  }

  #id(slot: number): string {
    const id = this.#shipmentIds.get(slot)
    if (id === undefined) throw new Error(`There is no shipment in slot ${slot}.`)
    return id
  }

  async read(): Promise<Order> {
    const [order] = await select(
      this.#api,
      'select status, refunded_kobo::int as "refundedKobo" from orders where id = $1',
      [this.#orderId],
    )
    const lines = await select(
      this.#api,
      `select quantity, fulfilled_quantity as fulfilled, returned_quantity as returned, lost_quantity as lost,
         cancelled_quantity as cancelled, refunded_quantity as refunded, (
           select coalesce(sum(item.quantity), 0)::int from refund_items item
           where item.order_id = order_items.order_id and item.item_id = order_items.id and item.restock
         ) as restocked, on_hand as "onHand", reserved
       from order_items
       join inventory on inventory.merchant_id = order_items.merchant_id and inventory.variant_id = order_items.variant_id
       where order_id = $1
       order by position`,
      [this.#orderId],
    )
    const rows = await select(this.#api, 'select id, status, items from shipments where order_id = $1', [this.#orderId])
    const parcels: Record<number, Parcel> = {}
    for (const [slot, id] of [...this.#shipmentIds].toSorted(([a], [b]) => a - b)) {
      const { status, items } = rows.find((row) => row.id === id)
      const quantityOf = (itemId: string): number =>
        items.find((item: { itemId: string }) => item.itemId === itemId)?.quantity ?? 0
      parcels[slot] = { units: this.#itemIds.map(quantityOf), state: stateOf(status) }
    }
    return { ...order, lines, parcels }
  }

  /**
   * Checks that the stock is the sum of its inventory movements, that every open unit is reserved, and that each unit
   * which is not on hand is with a carrier, with the customer, lost, or written off.
   */
  async expectLedgerToAddUp(): Promise<void> {
    const rows = await select(
      this.#api,
      `select on_hand as "onHand", reserved, quantity - fulfilled_quantity - cancelled_quantity as open,
         (select sum(on_hand_delta)::int from stock_movements movement where movement.variant_id = order_items.variant_id) as moved,
         (select sum(reserved_delta)::int from stock_movements movement where movement.variant_id = order_items.variant_id) as held
       from order_items
       join inventory on inventory.merchant_id = order_items.merchant_id and inventory.variant_id = order_items.variant_id
       where order_id = $1`,
      [this.#orderId],
    )
    for (const { onHand, reserved, open, moved, held } of rows) {
      expect({ onHand, reserved, open }).toEqual({ onHand: stockedUnits + moved, reserved: held, open: reserved })
    }
  }
}

const stockedUnits = 1000

const stocked = { priceKobo: unitPriceKobo, onHand: stockedUnits }

/**
 * A phone number that makes every simulated carrier reject the request for a rider (registry/service/test-phones.ts).
 */
const refusingPhone = '+2348035550111'

const saidOf = {
  pick_up: 'picked_up',
  deliver: 'delivered',
  return: 'returned',
  lose: 'lost',
} as const satisfies Partial<Record<Action['is'], ShipmentStatus>>

function stateOf(status: ShipmentStatus): Parcel['state'] {
  if (status === 'awaiting_courier') return 'made'
  if (status === 'picked_up') return 'out'
  if (status === 'delivered' || status === 'returned' || status === 'lost' || status === 'cancelled') return status
  throw new Error(`No shipment of the model is ${status}.`)
}
