import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderSources } from '../../../registry/orders/order-states.ts'
import { type State, states } from '../../../registry/values/states.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { summariseSales } from '../../../src/commerce/reports/summarise-sales.ts'
import { type Reply, type ReplyBody, useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { transitionsTo } from '../../support/commerce/order-transitions.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { select } from '../../support/database-contents.ts'
import { expectReports } from '../../support/reports/exported-sales.ts'
import { type Shop, stockVariant } from '../../support/shop.ts'

/**
 * Random changes of a shop over some days. The sales summaries are updated only at some of the steps. Each sales report
 * must be equal to the sums that the test computes from the exports. A change that the service rejects, such as the
 * edit of an ended order, is skipped.
 */

const started = useApi()

const pick = fc.nat({ max: 1000 })
const lines = fc.uniqueArray(fc.record({ variant: fc.nat({ max: 3 }), quantity: fc.integer({ min: 1, max: 3 }) }), {
  selector: ({ variant }) => variant,
  minLength: 1,
  maxLength: 3,
})
const shippingKobo = fc.constantFrom(0, 150_000)
const state = fc.constantFrom<State | undefined>(...states.slice(0, 3), undefined)

const placing = fc.record({
  is: fc.constant('place' as const),
  lines,
  shippingKobo,
  state,
  source: fc.constantFrom(...orderSources),
  hasDiscount: fc.boolean(),
})

const step = fc.oneof(
  { weight: 4, arbitrary: placing },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('pay' as const), order: pick, share: fc.constantFrom(0.5, 1) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('edit' as const), order: pick, lines, shippingKobo }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('move' as const), order: pick, state }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('cancel' as const), order: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('refund' as const), order: pick, share: fc.constantFrom(0.2, 0.5, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('refund_item' as const), order: pick, item: pick }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('fail' as const), refund: pick }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('exchange' as const), order: pick, replacement: placing }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('summarise' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface RandomShop {
  readonly shop: Shop
  readonly variantIds: readonly string[]
  readonly code: string
  readonly orderIds: string[]
  readonly refundIds: string[]
}

async function openRandomShop(isInclusive: boolean): Promise<RandomShop> {
  const api = started()
  const settings = { tax_registered: true, tax_rate_bps: 750, tax_inclusive: isInclusive }
  const { shop } = await openShopWith(api, settings)
  const stocked = []
  for (const priceKobo of [1_000_003, 333_333, 50_001]) {
    stocked.push(await stockVariant(api, shop.merchantId, { priceKobo }))
  }
  const [first] = stocked
  const options = [{ name: 'size', values: ['M', 'L'] }]
  await api.send('PATCH', `/api/v1/products/${first?.productId}`, { token: shop.token, body: { options } })
  const sibling = await api.send('POST', `/api/v1/products/${first?.productId}/variants`, {
    token: shop.token,
    body: { sku: randomCode(10), optionValues: { size: 'L' }, priceKobo: 777_777, inventory: { onHand: 1000 } },
  })
  expect(sibling.status, sibling.text).toBe(201)
  const { code } = await discount(api, shop)
  const variantIds = [...stocked.map(({ variantId }) => variantId), sibling.body.variants.at(-1).id]
  return { shop, variantIds, code, orderIds: [], refundIds: [] }
}

const addressIn = (name: string | undefined) =>
  name === undefined
    ? {}
    : { shippingAddress: { phone: '+2348031234567', line1: '12 High Street', city: 'Town', state: name } }

/** Applies a step. Returns undefined if the step sends no request, or if it needs an order and the shop has none. */
async function take(made: RandomShop, change: Step): Promise<Reply | undefined> {
  const api = started()
  if (change.is === 'wait') return void api.clock.advance(change.hours * 3_600_000)
  if (change.is === 'summarise') return void (await summariseSales(api))
  if (change.is === 'place') return place(made, change)
  if (change.is === 'fail') return void (await failRefund(made, change.refund))
  const orderId = made.orderIds[change.order % made.orderIds.length]
  if (orderId === undefined) return undefined
  const { body: order } = await api.send('GET', `/api/v1/orders/${orderId}`, { token: made.shop.token })
  return changeOrder(made, order, change)
}

const send = ({ shop: { token } }: RandomShop, method: string, path: string, body: object): Promise<Reply> =>
  started().send(method, `/api/v1${path}`, { token, body })

async function place(made: RandomShop, change: Extract<Step, { is: 'place' }>, more: object = {}): Promise<Reply> {
  const { source, hasDiscount, shippingKobo: price } = change
  const codes = hasDiscount ? { discountCodes: [made.code] } : {}
  const items = itemsOf(made, change.lines)
  const customer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' }
  const body = {
    customer,
    paymentMethod: 'cash',
    items,
    shippingKobo: price,
    source,
    ...addressIn(change.state),
    ...codes,
  }
  const reply = await send(made, 'POST', '/orders', { ...body, ...more })
  if (reply.status === 201) made.orderIds.push(reply.body.id)
  return reply
}

const itemsOf = ({ variantIds }: RandomShop, chosen: readonly { variant: number; quantity: number }[]) =>
  chosen.map(({ variant, quantity }) => ({ variantId: variantIds[variant], quantity }))

/** Changes a succeeded refund to failed, as a later report of a provider may do. */
async function failRefund({ refundIds }: RandomShop, chosen: number): Promise<void> {
  const text = `update refunds set status = 'failed', failed_at = now() where id = $1 and status = 'succeeded'`
  const id = refundIds[chosen % refundIds.length]
  if (id !== undefined) await select(started(), text, [id])
}

type OrderStep = Extract<Step, { order: number }>

async function changeOrder(made: RandomShop, order: ReplyBody, change: OrderStep): Promise<Reply | undefined> {
  const path = `/orders/${order.id}`
  switch (change.is) {
    case 'pay': {
      const amountKobo = Math.ceil(order.balanceKobo * change.share)
      const body = { amountKobo, method: 'cash', reference: randomCode(12) }
      return amountKobo > 0 ? send(made, 'POST', `${path}/payments`, body) : undefined
    }
    case 'edit': {
      const { lines: edited, shippingKobo: price } = change
      return send(made, 'PATCH', path, { items: itemsOf(made, edited), shippingKobo: price })
    }
    case 'move':
      return send(made, 'PATCH', path, addressIn(change.state))
    case 'cancel':
      return send(made, 'POST', `${path}/cancel`, { reason: 'customer' })
    case 'refund':
      return refund(made, { orderId: order.id, amountKobo: Math.ceil(order.refundableKobo * change.share) })
    case 'refund_item': {
      const itemId = order.items[change.item % order.items.length].id
      return refund(made, { orderId: order.id, items: [{ itemId, quantity: 1 }] })
    }
    case 'exchange':
      return exchange(made, order, change.replacement)
  }
}

async function refund(made: RandomShop, body: object): Promise<Reply> {
  const reply = await send(made, 'POST', '/refunds', { reason: 'damaged', ...body })
  if (reply.status === 201) made.refundIds.push(reply.body.id)
  return reply
}

async function exchange(made: RandomShop, order: ReplyBody, replacement: Extract<Step, { is: 'place' }>) {
  for (const to of order.status === 'processing' ? transitionsTo('delivered', 'processing') : []) {
    await send(made, 'POST', `/orders/${order.id}/transition`, { to })
  }
  const items = [{ itemId: order.items[0].id, quantity: 1 }]
  const { body: returned } = await send(made, 'POST', `/orders/${order.id}/returns`, { items, reason: 'wrong_size' })
  await send(made, 'POST', `/returns/${returned.id}/transition`, { to: 'approved' })
  return place(made, replacement, { exchangeOfReturnId: returned.id })
}

const soldOrder = { is: 'place', shippingKobo: 150_000, state: 'Lagos', source: 'pos', hasDiscount: true } as const

/** The first steps of every run. Without them, few random runs would contain an exchange. */
const opening: readonly Step[] = [
  { ...soldOrder, lines: [{ variant: 0, quantity: 2 }] },
  { is: 'pay', order: 0, share: 1 },
  { is: 'exchange', order: 0, replacement: { ...soldOrder, lines: [{ variant: 1, quantity: 1 }] } },
]

test('after random changes of a shop, each sales report equals the sums of the exported records', {
  timeout: 240_000,
}, async () => {
  const seen = new Set<string>()
  const shops = fc.record({
    isInclusive: fc.boolean(),
    steps: fc.array(step, { minLength: 25, maxLength: 40, size: 'max' }),
  })
  await fc.assert(
    fc.asyncProperty(shops, async ({ isInclusive, steps }) => {
      const made = await openRandomShop(isInclusive)
      const from = new Date(started().clock.nowMs() + 3_600_000).toISOString().slice(0, 10)
      for (const change of [...opening, ...steps]) {
        const reply = await take(made, change)
        if (reply === undefined ? !('order' in change) : reply.status < 300) seen.add(change.is)
      }
      const to = new Date(started().clock.nowMs() + 3_600_000).toISOString().slice(0, 10)
      const later = new Date(Date.parse(from) + 2 * 86_400_000).toISOString().slice(0, 10)
      const ranges = [[from, to] as const, ...(later <= to ? [[later, to] as const] : [])]
      for (const range of ranges) await expectReports(started(), made.shop, range)
      await summariseSales(started())
      for (const range of ranges) await expectReports(started(), made.shop, range)
    }),
    { numRuns: 8, endOnFailure: true },
  )
  expect([...seen]).toEqual(
    expect.arrayContaining(['edit', 'cancel', 'refund', 'refund_item', 'exchange', 'summarise']),
  )
})
