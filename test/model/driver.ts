import { expect } from 'vitest'
import { newOrderId } from '../../src/base/records.ts'
import { expireOrders } from '../../src/commerce/orders/expire-orders.ts'
import type { SignedCallback } from '../partners/payments/paystack-server.ts'
import { sendRaw, type TestApi } from '../support/api.ts'
import { connectShop } from '../support/commerce/paystack.ts'
import { select } from '../support/database-contents.ts'
import { type Shop as Merchant, orderBody, type Stocked, stockVariant } from '../support/shop.ts'
import type { Action, Order, Refund, Shop } from './model-records.ts'
import { keyOf, sorted } from './model-refunds.ts'
import { wrongProblems } from './problems.ts'
import type { Done } from './serialize.ts'

interface ReadCharge {
  readonly reference: string
  readonly refunds: readonly (Refund & { readonly id: string })[]
}

/** Executes the actions of the model against the service, and reads the resulting state from the tables. */
export class Driver {
  readonly #api: TestApi
  readonly #merchant: Merchant
  readonly #variants: readonly Stocked[]
  readonly #orderIds = new Map<number, string>()
  readonly #provider: Awaited<ReturnType<typeof connectShop>>
  /** For each order, the ids of its manual payments and its charges, as of the last read. */
  readonly #payments = new Map<
    number,
    { readonly manual: readonly string[]; readonly charges: readonly ReadCharge[] }
  >()
  #references = 0

  private constructor(
    api: TestApi,
    merchant: Merchant,
    variants: readonly Stocked[],
    provider: Awaited<ReturnType<typeof connectShop>>,
  ) {
    this.#api = api
    this.#merchant = merchant
    this.#variants = variants
    this.#provider = provider
  }

  static async open(api: TestApi, merchant: Merchant, shop: Shop): Promise<Driver> {
    const variants: Stocked[] = []
    for (const { priceKobo, onHand } of shop.variants) {
      variants.push(await stockVariant(api, merchant.merchantId, { priceKobo, onHand }))
    }
    return new Driver(api, merchant, variants, await connectShop(api, merchant))
  }

  /**
   * Executes all actions concurrently, each on its own database connection. The expiry of orders is a job, so it
   * returns no response.
   */
  async doAtOnce(actions: readonly Action[]): Promise<Done[]> {
    const isExpiring = actions.some(({ is }) => is === 'expire')
    const [done] = await Promise.all([
      Promise.all(actions.map(async (action) => ({ action, code: await this.#answer(action) }))),
      isExpiring ? expireOrders(this.#api.context) : undefined,
    ])
    return done
  }

  async #answer(action: Action): Promise<string | undefined> {
    if (action.is === 'expire') return undefined
    if (action.is === 'charge') {
      const [orderId, amount] = [this.#orderId(action.order), action.amountKobo]
      this.#references += 1
      const data = {
        reference: `charge-${this.#references}`,
        amount,
        currency: 'NGN',
        channel: 'card',
        metadata: { orderId },
      }
      return this.#callBack(this.#provider.server.callback('charge.success', data))
    }
    if (action.is === 'provider_refund') return this.#callBack(this.#providerRefund(action))
    if (action.is === 'refund_status') return this.#callBack(this.#refundStatus(action))
    const reply = await this.#send(action)
    if (action.is === 'order' && reply.status === 201) this.#orderIds.set(action.slot, reply.body.id)
    return reply.status < 300 ? 'ok' : reply.body.error.code
  }

  #providerRefund({ order, charge, amountKobo }: Extract<Action, { is: 'provider_refund' }>): SignedCallback {
    const transactionReference = this.#payments.get(order)?.charges[charge]?.reference ?? expect.fail('No such charge.')
    this.#references += 1
    return this.#provider.server.refundCallback({
      ...{ id: this.#references, transactionReference, amount: amountKobo, merchantNote: 'by hand', createdAt: '' },
      ...{ status: 'processed' as const, reason: null, account: undefined },
    })
  }

  /** Changes the status of a submitted refund at the provider, and returns the callback about it. */
  #refundStatus({ order, charge, refund, to }: Extract<Action, { is: 'refund_status' }>): SignedCallback {
    const known = this.#payments.get(order)?.charges[charge]?.refunds
    const found = known?.find((each) => keyOf(each) === keyOf(refund)) ?? expect.fail('No such refund.')
    const { refunds } = this.#provider.server
    const moved = refunds.find(({ merchantNote }) => merchantNote === found.id) ?? expect.fail('Not submitted.')
    // Paystack has no callback that takes a refund back to an earlier status, but it may send an earlier callback late.
    if (to === 'failed' || (to !== 'processing' && found.status !== 'succeeded')) moved.status = to
    return this.#provider.server.refundCallback({ ...moved, status: to })
  }

  /** Submits the pending refunds to the provider, and polls those that are due. */
  submitRefunds(): Promise<number> {
    return this.#provider.work()
  }

  /**
   * Stores a callback of the payment provider and applies it. Returns undefined instead of a reply, because the model
   * specifies no response to a callback. The test does not advance the clock during this call.
   */
  async #callBack(callback: SignedCallback): Promise<undefined> {
    const path = `/callbacks/paystack/${this.#merchant.merchantId}`
    expect((await sendRaw(this.#api, { method: 'POST', path, ...callback })).status).toBe(200)
    await this.#provider.apply()
  }

  #send(action: Exclude<Action, { is: 'expire' | 'charge' | 'provider_refund' | 'refund_status' }>) {
    const post = (path: string, body: object) =>
      this.#api.send('POST', `/api/v1${path}`, { token: this.#merchant.token, body })
    this.#references += 1
    switch (action.is) {
      case 'order': {
        const items = action.lines.map(({ variant, quantity }) => ({
          variantId: this.#variant(variant).variantId,
          quantity,
        }))
        return post('/orders', orderBody(this.#variant(0).variantId, { items }))
      }
      case 'edit': {
        const items = action.lines.map(({ variant, quantity }) => ({
          variantId: this.#variant(variant).variantId,
          quantity,
        }))
        const path = `/api/v1/orders/${this.#orderId(action.order)}`
        return this.#api.send('PATCH', path, { token: this.#merchant.token, body: { items } })
      }
      case 'pay': {
        const body = { amountKobo: action.amountKobo, method: 'cash', reference: `model-${this.#references}` }
        return post(`/orders/${this.#orderId(action.order)}/payments`, body)
      }
      case 'refund':
        return post('/refunds', {
          orderId: this.#orderId(action.order),
          amountKobo: action.amountKobo,
          reason: 'other',
        })
      case 'void': {
        const id = this.#payments.get(action.order)?.manual[action.payment]
        return post(`/payments/${id}/void`, { reason: 'other' })
      }
      case 'cancel':
        return post(`/orders/${this.#orderId(action.order)}/cancel`, { reason: 'customer' })
      case 'move':
        return this.#move(action)
      case 'adjust': {
        const { productId, variantId } = this.#variant(action.variant)
        const body = { delta: action.delta, reason: action.delta < 0 ? 'damage' : 'restock' }
        return post(`/products/${productId}/variants/${variantId}/inventory`, body)
      }
    }
  }

  async #move({ order, to, isRestocked }: Extract<Action, { is: 'move' }>) {
    const id = this.#orderId(order)
    const rows = await select(this.#api, 'select id from order_items where order_id = $1', [id])
    const restock = to === 'returned' && isRestocked ? { restockItemIds: rows.map((row) => row.id) } : {}
    const body = { to, ...restock }
    return this.#api.send('POST', `/api/v1/orders/${id}/transition`, { token: this.#merchant.token, body })
  }

  #variant(index: number): Stocked {
    const variant = this.#variants[index]
    if (variant === undefined) throw new Error(`There is no variant ${index}.`)
    return variant
  }

  /** Returns the id of an order. If the order was rejected, returns an id that does not exist. */
  #orderId(slot: number): string {
    return this.#orderIds.get(slot) ?? newOrderId(this.#api.clock.nowMs())
  }

  async read(nowMs: number): Promise<Shop> {
    const variants = await Promise.all(
      this.#variants.map(async ({ variantId }) => {
        const [row] = await select(
          this.#api,
          `select price_kobo as "priceKobo", on_hand as "onHand", reserved
           from inventory join product_variants on id = variant_id and product_variants.merchant_id = inventory.merchant_id
           where variant_id = $1`,
          [variantId],
        )
        return row
      }),
    )
    const orders: Record<number, Order> = {}
    for (const [slot, id] of [...this.#orderIds].toSorted(([a], [b]) => a - b))
      orders[slot] = await this.#readOrder(slot, id)
    return { variants, orders, nowMs }
  }

  async #readOrder(slot: number, id: string): Promise<Order> {
    const [order] = await select(
      this.#api,
      `select status, held_from, total_kobo, paid_kobo, refunded_kobo, refund_pending_kobo, expires_at from orders where id = $1`,
      [id],
    )
    const lines = await select(
      this.#api,
      `select variant_id, quantity, fulfilled_quantity, returned_quantity, cancelled_quantity
       from order_items where order_id = $1 order by position`,
      [id],
    )
    const payments = await select(
      this.#api,
      `select id, reference, provider, amount_kobo::int as "amountKobo", voided_at is not null as "isVoided", (
         select coalesce(json_agg(json_build_object(
           'id', id, 'amountKobo', amount_kobo, 'isForeign', created_by_type = 'provider', 'status', case
             when status = 'pending' and provider_reference is null then 'pending'
             when status in ('pending', 'processing') then 'submitted'
             else status
           end
         )), '[]') from refunds
         where payment_id = payments.id and status not in ('failed', 'cancelled')
       ) as refunds
       from payments where order_id = $1 order by paid_at, id`,
      [id],
    )
    const manual = payments.filter(({ provider }) => provider === 'manual')
    const charges = payments.filter(({ provider }) => provider !== 'manual')
    this.#payments.set(slot, { manual: manual.map((row) => row.id), charges })
    return {
      status: order.status,
      heldFrom: order.held_from,
      lines: lines.map((line) => ({
        variant: this.#variants.findIndex(({ variantId }) => variantId === line.variant_id),
        quantity: line.quantity,
        fulfilled: line.fulfilled_quantity,
        returned: line.returned_quantity,
        cancelled: line.cancelled_quantity,
      })),
      totalKobo: Number(order.total_kobo),
      paidKobo: Number(order.paid_kobo),
      refundedKobo: Number(order.refunded_kobo),
      pendingKobo: Number(order.refund_pending_kobo),
      expiresMs: order.expires_at === null ? null : new Date(order.expires_at).getTime(),
      manual: manual.map(({ amountKobo, isVoided }) => ({ amountKobo, isVoided })),
      charges: charges.map(({ amountKobo, refunds }) => ({ amountKobo, refunds: sorted(refunds.map(withoutId)) })),
    }
  }

  /**
   * Checks that the open payment problems of each order match its amounts and units. In the model, no member resolves a
   * problem manually.
   */
  async expectProblemsToFollow(): Promise<void> {
    const found = await select(this.#api, wrongProblems, [this.#merchant.merchantId])
    expect(found).toEqual([])
  }

  /** Checks invariants: the sums of inventory movements and of payments equal the stored totals of stock and orders. */
  async expectLedgersToAddUp(opening: Shop): Promise<void> {
    for (const [index, { variantId }] of this.#variants.entries()) {
      const [row] = await select(
        this.#api,
        `select
           on_hand - (select coalesce(sum(on_hand_delta), 0) from stock_movements where variant_id = $1)::int as opening,
           reserved - (select coalesce(sum(reserved_delta), 0) from stock_movements where variant_id = $1)::int as lost
         from inventory where variant_id = $1`,
        [variantId],
      )
      expect(row).toEqual({ opening: opening.variants[index]?.onHand, lost: 0 })
    }
    const unbalanced = await select(
      this.#api,
      `select id, paid_kobo, refunded_kobo from orders
       where merchant_id = $1 and (
         paid_kobo <> (select coalesce(sum(amount_kobo), 0) from payments where order_id = orders.id and voided_at is null)
         or refunded_kobo <> (
           select coalesce(sum(amount_kobo), 0) from refunds where order_id = orders.id and status = 'succeeded'
         )
         or refund_pending_kobo <> (
           select coalesce(sum(amount_kobo), 0) from refunds
           where order_id = orders.id and status not in ('succeeded', 'failed', 'cancelled')
         )
       )`,
      [this.#merchant.merchantId],
    )
    expect(unbalanced).toEqual([])
  }
}

function withoutId({ amountKobo, status, isForeign }: Refund): Refund {
  return { amountKobo, status, isForeign }
}
