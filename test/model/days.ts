import fc from 'fast-check'
import { expect } from 'vitest'
import { pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { cashPhonePrefix, dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import type { VariantId } from '../../registry/values/vocabulary.ts'
import { randomCode } from '../../src/base/ids.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { disputeEvents, recordDispute } from '../../src/commerce/orders/record-dispute.ts'
import { mutate } from '../../src/store/core/mutation.ts'
import type { Reply, ReplyBody, TestApi } from '../support/api.ts'
import { openTestShop, pass, plainPhone } from '../support/logistics/parcel-run.ts'
import { expectReports } from '../support/reports/exported-sales.ts'
import { operator, orderBody, type Shop, stockVariant } from '../support/shop.ts'
import { expectConsistentRecords } from './consistent-records.ts'

/**
 * Random days of a shop: orders, edits, payments, payment links, disputes, shipments with and without cash on delivery,
 * returns, exchanges, refunds and cancellations, one after another. After each action, the records of the shop must
 * agree with each other. The test does not predict the result of an action, but no action may cause an error of the
 * service.
 */

const pick = fc.nat({ max: 1000 })
const lines = fc.uniqueArray(fc.record({ variant: fc.nat({ max: 2 }), quantity: fc.integer({ min: 1, max: 3 }) }), {
  selector: ({ variant }) => variant,
  minLength: 1,
  maxLength: 3,
})
const share = fc.constantFrom(0.3, 1, 1.2)

/** Recipients for whom the carrier delivers, cancels before the pickup, or collects another amount of cash. */
const phone = fc.constantFrom(
  plainPhone,
  plainPhone,
  `${dispatchPhonePrefix}600`,
  ...[1, 2, 3, 4].map((digit) => `${cashPhonePrefix}${digit}`),
)

const placing = fc.record({ is: fc.constant('place' as const), lines, phone, isOnDelivery: fc.boolean() })

const action = fc.oneof(
  { weight: 4, arbitrary: placing },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('edit' as const), order: pick, lines }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('pay' as const), order: pick, share }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('void' as const), payment: pick }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('link' as const), order: pick }) },
  { weight: 7, arbitrary: fc.record({ is: fc.constant('ship' as const), order: pick, hasCash: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('ship_item' as const), order: pick, item: pick }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('wait' as const), minutes: fc.constantFrom(2, 10, 90) }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant('request' as const), order: pick, item: pick }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('exchange' as const), request: pick, placing }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('receive' as const), request: pick, isRestocked: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('refund_return' as const), request: pick }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('fetch' as const), request: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('refund' as const), order: pick, share: fc.constantFrom(0.3, 1) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('cancel' as const), order: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('dispute' as const),
      payment: pick,
      status: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
      share: fc.constantFrom(0.3, 0.7, 1),
    }),
  },
)

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never
type Placing = Extract<Action, { is: 'place' }>

/** On-hand quantity of each variant at the beginning. */
const openingUnits = 40

/** Offset of the time zone Africa/Lagos from UTC. Days of sales reports begin in this time zone. */
const lagosOffsetMs = 3_600_000

class Days {
  readonly #api: TestApi
  readonly #shop: Shop
  readonly #variants: readonly VariantId[]
  readonly #firstDay: string

  private constructor(api: TestApi, shop: Shop, variants: readonly VariantId[]) {
    this.#api = api
    this.#shop = shop
    this.#variants = variants
    this.#firstDay = new Date(api.clock.nowMs() + lagosOffsetMs).toISOString().slice(0, 10)
  }

  static async open(api: TestApi): Promise<Days> {
    const shop = await openTestShop(api)
    const variants: VariantId[] = []
    for (const priceKobo of [1_000_000, 333_300, 50_100]) {
      variants.push((await stockVariant(api, shop.merchantId, { priceKobo, onHand: openingUnits })).variantId)
    }
    return new Days(api, shop, variants)
  }

  expectConsistentRecords(): Promise<void> {
    return expectConsistentRecords(this.#api, this.#shop, openingUnits)
  }

  async expectReports(): Promise<void> {
    const today = new Date(this.#api.clock.nowMs() + lagosOffsetMs).toISOString().slice(0, 10)
    await expectReports(this.#api, this.#shop, [this.#firstDay, today])
  }

  /**
   * Takes an action. Returns whether the service accepted it. Returns false if the shop has no record to which the
   * action applies.
   */
  async take(chosen: Action): Promise<boolean> {
    if (chosen.is === 'dispute') return this.#dispute(chosen)
    const reply = await this.#send(chosen)
    if (reply === undefined) return chosen.is === 'wait'
    expect(reply.status, `${JSON.stringify(chosen)}: ${reply.text}`).toBeLessThan(500)
    return reply.status < 300
  }

  /** Records a report of the payment provider about a payment. Each payment has at most one dispute. */
  async #dispute({ payment: number, status, share: lost }: Extract<Action, { is: 'dispute' }>): Promise<boolean> {
    const payments = (await this.#all('/payments')).filter(({ provider }) => provider !== 'manual')
    const payment = this.#choose(payments, number)
    if (payment === undefined) return false
    const { reference, amountKobo } = payment
    const report = {
      provider: 'paystack',
      disputeId: reference,
      transaction: reference,
      status,
      resolution: null,
    } as const
    const change = { actor: operator, action: 'payment.update', resourceType: 'payment', emits: disputeEvents } as const
    const resourceId = () => payment.id
    const outcome = await mutate(this.#api.context, { tenant: this.#shop.tenant, ...change, resourceId }, (work) =>
      recordDispute(work, { ...report, lostKobo: toKobo(Math.round(amountKobo * lost)) }),
    )
    return outcome.is === 'recorded'
  }

  async #send(chosen: Exclude<Action, { is: 'dispute' }>): Promise<Reply | undefined> {
    switch (chosen.is) {
      case 'place':
        return this.#place(chosen)
      case 'wait':
        return void (await pass(this.#api, chosen.minutes * 60, 60))
      case 'void': {
        const payment = this.#choose(await this.#all('/payments'), chosen.payment)
        return payment && this.#post(`/payments/${payment.id}/void`, { reason: 'bounced' })
      }
      case 'exchange':
      case 'receive':
      case 'refund_return':
      case 'fetch': {
        const request = this.#choose(await this.#all('/returns'), chosen.request)
        return request && this.#changeReturn(request, chosen)
      }
      default: {
        const order = this.#choose(await this.#all('/orders'), chosen.order)
        return order && this.#changeOrder(await this.#get(`/orders/${order.id}`), chosen)
      }
    }
  }

  #place({ lines: chosen, phone: number, isOnDelivery }: Placing, more: object = {}): Promise<Reply> {
    const [variant] = this.#variants
    if (variant === undefined) throw new Error('The shop has no variant.')
    const address = {
      recipientName: 'Bisi Ade',
      phone: number,
      line1: '12 Admiralty Way',
      city: 'Lekki',
      state: 'Lagos',
    }
    const paymentMethod = isOnDelivery ? 'pay_on_delivery' : 'bank_transfer'
    const items = this.#itemsOf(chosen)
    return this.#post('/orders', orderBody(variant, { items, shippingAddress: address, paymentMethod, ...more }))
  }

  #changeOrder(order: ReplyBody, chosen: Extract<Action, { order: number }>): Promise<Reply> {
    const path = `/orders/${order.id}`
    const dispatch = (more: object) => this.#dispatch({ orderId: order.id, pickup: pickupInputExample, ...more })
    switch (chosen.is) {
      case 'edit':
        return this.#write('PATCH', path, { items: this.#itemsOf(chosen.lines) })
      case 'pay': {
        const amountKobo = Math.max(1, Math.round(order.balanceKobo * chosen.share))
        const payment = { amountKobo, method: 'cash', reference: randomCode(12), allowOverpayment: chosen.share > 1 }
        return this.#post(`${path}/payments`, payment)
      }
      case 'link':
        return this.#payLink(path)
      case 'ship':
        return dispatch(chosen.hasCash && order.balanceKobo > 0 ? { codAmountKobo: order.balanceKobo } : {})
      case 'ship_item':
        return dispatch({ items: [{ itemId: order.items[chosen.item % order.items.length].id, quantity: 1 }] })
      case 'request': {
        const items = [{ itemId: order.items[chosen.item % order.items.length].id, quantity: 1 }]
        return this.#request(`${path}/returns`, items)
      }
      case 'refund': {
        const amountKobo = Math.max(1, Math.round(order.refundableKobo * chosen.share))
        return this.#refund(order.id, { amountKobo, reason: 'goodwill' })
      }
      case 'cancel':
        return this.#post(`${path}/cancel`, { reason: 'customer' })
    }
  }

  #dispatch(parcel: object): Promise<Reply> {
    const reference = randomCode(12)
    return this.#post('/logistics/dispatch', { reference, failover: { maxPriceKobo: 10_000_000 }, ...parcel })
  }

  /** Creates the payment link of an order, and pays it as a buyer does. */
  async #payLink(path: string): Promise<Reply> {
    const link = await this.#post(`${path}/payment-link`, {})
    if (link.status >= 300) return link
    const { provider, reference, amountKobo } = link.body
    return this.#post(`${path}/payments`, { provider, reference, amountKobo, method: 'card' })
  }

  async #request(path: string, items: readonly object[]): Promise<Reply> {
    const created = await this.#post(path, { items, reason: 'wrong_size' })
    return created.status < 300 ? this.#post(`/returns/${created.body.id}/transition`, { to: 'approved' }) : created
  }

  #changeReturn({ id, orderId, items }: ReplyBody, chosen: Extract<Action, { request: number }>): Promise<Reply> {
    switch (chosen.is) {
      case 'exchange':
        return this.#place(chosen.placing, { exchangeOfReturnId: id })
      case 'receive': {
        const field = chosen.isRestocked ? 'restockQuantity' : 'writeOffQuantity'
        const received = items.map(({ itemId, quantity }: ReplyBody) => ({ itemId, [field]: quantity }))
        return this.#post(`/returns/${id}/receive`, { items: received })
      }
      case 'fetch':
        return this.#dispatch({ returnId: id, dropoff: pickupInputExample })
      case 'refund_return': {
        const refunded = items.map(({ itemId, quantity }: ReplyBody) => ({ itemId, quantity }))
        return this.#refund(orderId, { returnId: id, items: refunded, reason: 'returned' })
      }
    }
  }

  /** Refunds an order. The refund must state the same refundable amount as the order. */
  async #refund(orderId: string, more: object): Promise<Reply> {
    const refunded = await this.#post('/refunds', { orderId, ...more })
    if (refunded.status >= 300) return refunded
    const { refundableKobo } = await this.#get(`/orders/${orderId}`)
    expect(refunded.body.order.refundableKobo).toBe(refundableKobo)
    return refunded
  }

  #itemsOf(chosen: Placing['lines']): readonly object[] {
    return chosen.map(({ variant, quantity }) => ({ variantId: this.#variants[variant], quantity }))
  }

  #choose(records: readonly ReplyBody[], number: number): ReplyBody | undefined {
    return records[number % records.length]
  }

  #post(path: string, body: object): Promise<Reply> {
    return this.#write('POST', path, body)
  }

  #write(method: string, path: string, body: object): Promise<Reply> {
    return this.#api.send(method, `/api/v1${path}`, { token: this.#shop.token, body })
  }

  async #get(path: string): Promise<ReplyBody> {
    const { status, text, body } = await this.#api.send('GET', `/api/v1${path}`, { token: this.#shop.token })
    expect(status, text).toBe(200)
    return body
  }

  async #all(path: string): Promise<ReplyBody[]> {
    return (await this.#get(`${path}?limit=100`)).data
  }
}

const handOver: readonly Action[] = [
  { is: 'ship', order: 0, hasCash: false },
  { is: 'wait', minutes: 90 },
  { is: 'request', order: 0, item: 0 },
]

const unit: Placing = {
  is: 'place',
  lines: [{ variant: 0, quantity: 1 }],
  phone: plainPhone,
  isOnDelivery: false,
}

/**
 * The first actions of every simulated day. Without these actions, few runs would contain an exchange, or an exchange
 * of an exchange, and some runs would edit or cancel no order.
 */
const opening: readonly Action[] = [
  { ...unit, lines: [{ variant: 0, quantity: 2 }] },
  { is: 'link', order: 0 },
  ...handOver,
  { is: 'exchange', request: 0, placing: unit },
  ...handOver,
  { is: 'receive', request: 0, isRestocked: true },
  { is: 'refund_return', request: 0 },
  unit,
  { is: 'edit', order: 0, lines: [{ variant: 1, quantity: 1 }] },
  { is: 'cancel', order: 0 },
]

/** The kinds of actions that the service must have accepted at least once in all days together. */
const required: readonly Action['is'][] = [
  'edit',
  'link',
  'ship',
  'exchange',
  'receive',
  'refund_return',
  'fetch',
  'cancel',
  'dispute',
]

/** Takes random actions on some shops. Throws if the records of a shop contradict each other after an action. */
export async function runDays(api: TestApi, parameters: fc.Parameters<unknown>): Promise<void> {
  const accepted = new Set<Action['is']>()
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 25, maxLength: 40, size: 'max' }), async (actions) => {
      const days = await Days.open(api)
      for (const chosen of [...opening, ...actions]) {
        if (await days.take(chosen)) accepted.add(chosen.is)
        await days.expectConsistentRecords()
      }
      await days.expectReports()
    }),
    { endOnFailure: true, ...parameters },
  )
  expect([...accepted]).toEqual(expect.arrayContaining([...required]))
}
