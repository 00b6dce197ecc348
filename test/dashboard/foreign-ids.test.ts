import { beforeAll, describe, expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { useApi, vault } from '../support/api.ts'
import { createdCustomer } from '../support/commerce/customer.ts'
import { moveOrderTo } from '../support/commerce/order-transitions.ts'
import { type Fields, formOf } from '../support/dashboard.ts'
import { openShop, operator, placeOrder, type Shop, stockVariant } from '../support/shop.ts'
import { type FullShop, openFullShop } from './full-shop.ts'
import { expectNoChangeOf } from './no-change.ts'
import { type Walk, walk } from './walk.ts'

/**
 * A member submits a dashboard form of their own merchant. One field of the form contains the id of another merchant's
 * record.
 */

const started = useApi()
let full: FullShop
let walked: Walk
let own: Ids
let foreign: Ids

interface Ids {
  readonly endpoint: string
  readonly merchant: string
  readonly edited: Ordered & { readonly variantId: string }
  readonly refunded: Ordered
  readonly restocked: Ordered
  readonly returned: Ordered
  /** A delivered order. */
  readonly returnable: Ordered
  /** `received` and `writtenOff` are two approved returns, each with its item. */
  readonly received: Ordered
  readonly writtenOff: Ordered
  readonly product: string
  readonly variant: string
  readonly customer: string
}

/** The ids of an order or a return, and of its item. */
interface Ordered {
  readonly id: string
  readonly itemId: string
}

async function order(shop: Shop): Promise<Ordered> {
  const { id, items } = await placeOrder(started(), shop)
  return { id, itemId: items[0]?.id ?? '' }
}

async function approvedReturn(shop: Shop): Promise<Ordered> {
  const { id: orderId, itemId } = await order(shop)
  await moveOrderTo(started(), shop, orderId, 'delivered')
  const post = async (path: string, body: object) => {
    const reply = await started().send('POST', `/api/v1${path}`, { token: shop.token, body })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }
  const { id } = await post(`/orders/${orderId}/returns`, { items: [{ itemId, quantity: 1 }], reason: 'wrong_size' })
  await post(`/returns/${id}/transition`, { to: 'approved' })
  return { id, itemId }
}

async function idsOf(shop: Shop, merchant: string): Promise<Ids> {
  const context = { ...started().context, policy: { allowsLoopback: true }, vault }
  const request = { url: 'http://127.0.0.1:9/hook', kinds: ['order.created'] } as const
  const endpoint = await createWebhookEndpoint(context, operator, shop.tenant, request)
  if (endpoint.is !== 'created') throw new Error(`No endpoint: ${endpoint.is}.`)
  const { id, items } = await placeOrder(started(), shop)
  const edited = { id, itemId: items[0]?.id ?? '', variantId: items[0]?.variantId ?? '' }
  const [refunded, restocked, returned] = [await order(shop), await order(shop), await order(shop)]
  const returnable = await order(shop)
  for (const { id: orderId } of [returned, returnable]) await moveOrderTo(started(), shop, orderId, 'delivered')
  const [received, writtenOff] = [await approvedReturn(shop), await approvedReturn(shop)]
  const sold = await stockVariant(started(), shop.merchantId, { priceKobo: 1_500_000, onHand: 20 })
  const { id: customer } = await createdCustomer(started(), shop)
  const orders = { edited, refunded, restocked, returned, returnable, received, writtenOff }
  return { endpoint: endpoint.id, merchant, ...orders, product: sold.productId, variant: sold.variantId, customer }
}

beforeAll(async () => {
  full = await openFullShop(started())
  walked = await walk(full.owner)
  own = await idsOf(full.shop, full.liveId)
  const shop = await openShop(started().context)
  foreign = await idsOf(shop, shop.merchantId)
})

interface Case {
  readonly name: string
  /** The name of the form field, with `<id>` in place of an id that the name contains. */
  readonly field: string
  readonly page: () => string
  readonly action: () => string
  readonly fields: (ids: Ids) => Fields
}

const dashboard = (path: () => string) => () => `/dashboard${path()}`
const edit = dashboard(() => `/orders/${own.edited.id}/edit`)
const refund = dashboard(() => `/orders/${own.refunded.id}/refund`)
const restock = dashboard(() => `/orders/${own.restocked.id}/refund`)
const transition = dashboard(() => `/orders/${own.returned.id}/transition`)
const newReturn = dashboard(() => `/orders/${own.returnable.id}/return`)
const receipt = dashboard(() => `/returns/${own.received.id}/receive`)
const writeOff = dashboard(() => `/returns/${own.writtenOff.id}/receive`)
const product = dashboard(() => `/products/${own.product}`)
const discount = dashboard(() => '/discounts/new')
const replay = dashboard(() => '/deliveries/replay')
const selection = dashboard(() => '/select-merchant')

const refundOf100 = { amount: '100', reason: 'damaged' }

const cases: readonly Case[] = [
  {
    ...{ name: 'the item of a new return', field: '/orders/{id}/return quantity-<id>' },
    ...{ page: newReturn, action: newReturn },
    fields: ({ returnable }) => ({ [`quantity-${returnable.itemId}`]: '1', reason: 'damaged' }),
  },
  {
    ...{ name: 'the endpoint of a replay', field: '/deliveries/replay endpoint', page: replay, action: replay },
    fields: ({ endpoint }) => ({ endpoint, since: '2026-11-21T08:00', statuses: 'failed' }),
  },
  {
    ...{ name: 'the item of an edited order', field: '/orders/{id}/edit quantity-<id>', page: edit, action: edit },
    fields: ({ edited }) => ({ [`quantity-${edited.variantId}`]: '1', intent: 'save' }),
  },
  {
    ...{ name: 'the item of a refund', field: '/orders/{id}/refund quantity-<id>', page: refund, action: refund },
    fields: ({ refunded }) => ({ [`quantity-${refunded.itemId}`]: '1', ...refundOf100 }),
  },
  {
    ...{ name: 'the restocked item of a refund', field: '/orders/{id}/refund restock', page: restock, action: restock },
    fields: ({ restocked }) => {
      const given = { ...refundOf100, restock: restocked.itemId }
      return { ...given, [`quantity-${own.restocked.itemId}`]: '1' }
    },
  },
  {
    ...{ name: 'the restocked item of a return', field: '/orders/{id}/transition restock' },
    ...{ page: () => `${transition()}?to=returned`, action: transition },
    fields: ({ returned }) => ({ to: 'returned', restock: returned.itemId }),
  },
  {
    ...{ name: 'the written off item of a received return', field: '/returns/{id}/receive write-off-<id>' },
    ...{ page: writeOff, action: writeOff },
    fields: ({ writtenOff }) => ({ [`write-off-${writtenOff.itemId}`]: '1', confirmed: 'yes' }),
  },
  {
    ...{ name: 'the restocked item of a received return', field: '/returns/{id}/receive restock-<id>' },
    ...{ page: receipt, action: receipt },
    fields: ({ received }) => ({ [`restock-${received.itemId}`]: '1', confirmed: 'yes' }),
  },
  {
    ...{ name: 'the variant of a price', field: '/products/{id} price-<id>', page: product, action: product },
    fields: ({ variant }) => ({ [`price-${own.variant}`]: '15000.00', [`price-${variant}`]: '14000' }),
  },
  {
    ...{ name: 'the variant of a quantity', field: '/products/{id} onHand-<id>', page: product, action: product },
    fields: ({ variant }) => ({ [`price-${own.variant}`]: '14000.00', [`onHand-${variant}`]: '19' }),
  },
  {
    ...{ name: 'the variant of a shown row', field: '/products/{id} shown-<id>', page: product, action: product },
    fields: ({ variant }) => ({ [`price-${own.variant}`]: '13000', [`shown-${variant}`]: '1400000 19' }),
  },
  {
    ...{ name: 'the product of a discount', field: '/discounts/new products', page: discount, action: discount },
    fields: ({ product }) => ({ code: 'PRODUCT', type: 'percentage', value: '10', products: product }),
  },
  {
    ...{ name: 'the customer of a discount', field: '/discounts/new customers', page: discount, action: discount },
    fields: ({ customer }) => ({ code: 'CUSTOMER', type: 'percentage', value: '10', customers: customer }),
  },
  {
    ...{ name: 'the orders of a dispatch', field: '/orders/dispatch id' },
    ...{ page: dashboard(() => `/orders/${own.refunded.id}/dispatch`), action: dashboard(() => '/orders/dispatch') },
    fields: ({ refunded, restocked }) => ({ id: [refunded.id, restocked.id] }),
  },
  {
    ...{ name: 'the orders of packing slips', field: '/orders/slips id' },
    ...{ page: dashboard(() => '/orders'), action: dashboard(() => '/orders/slips') },
    fields: ({ refunded, restocked }) => ({ id: [refunded.id, restocked.id] }),
  },
  {
    ...{ name: 'the orders of an export', field: '/orders/export id' },
    ...{ page: dashboard(() => '/orders'), action: dashboard(() => '/orders/export') },
    fields: ({ refunded, restocked }) => ({ id: [refunded.id, restocked.id] }),
  },
  {
    ...{ name: 'the merchant of the switch', field: '/select-merchant merchant' },
    ...{ page: dashboard(() => ''), action: selection },
    fields: ({ merchant }) => ({ merchant }),
  },
]

/** The SKU of a test variant contains the id of the variant, so a SKU is excluded. */
const idPattern = /(?<!SKU-)\b[a-z]{3}_[0-9a-z]{26}\b/

test('the test cases cover every dashboard form field that holds an id', () => {
  const found = walked.stops.flatMap(({ route, fields }) =>
    Object.entries(fields)
      .filter(([name, value]) => idPattern.test(name) || idPattern.test(String(value)))
      .map(([name]) => `${route.path} ${name.replace(idPattern, '<id>')}`),
  )
  const known = cases.map(({ field }) => field)
  expect(found.filter((field) => !known.includes(field))).toEqual([])
  expect(found.length).toBeGreaterThan(1)
})

describe('the id of another merchant', () => {
  test.for(cases)('a form with the id of another merchant’s record as $name is refused, and nothing changes', async ({
    page,
    action,
    fields,
  }) => {
    await expectNoChangeOf(started(), async () => {
      const { status } = await full.owner.submit(page(), action(), fields(foreign))
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    })
  })

  test('a form that names another merchant’s record returns 404 even if it is submitted with the confirmation of identity', async () => {
    const { csrf = '' } = formOf((await full.owner.get('/dashboard')).text, '/dashboard/sign-out')
    const path = `/dashboard/orders/${foreign.refunded.id}/refund`
    const carried = JSON.stringify({ path, tenant: null, values: {} })
    const fields = { csrf, carried, password: full.owner.password }
    expect((await full.owner.post('/dashboard/sign-in/confirm', fields)).status).toBe(404)
  })
})

// The tests below run after the other tests of this file, because their forms change records.
test.for(cases)('a form with the id of the merchant’s own record as $name is accepted', async ({
  page,
  action,
  fields,
}) => {
  // A form that changes nothing responds with its result instead of a redirect.
  expect([200, 303]).toContain((await full.owner.submit(page(), action(), fields(own))).status)
})
