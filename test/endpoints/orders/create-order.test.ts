import { describe, expect, test } from 'vitest'
import { newCustomerId, newVariantId } from '../../../src/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../../support/api.ts'
import { contentsOf, eventsOf, select } from '../../support/contents.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'
const dayMs = 24 * 3_600_000

async function open(settings: Readonly<Record<string, unknown>> = {}): Promise<{ api: TestApi; shop: Shop }> {
  const api = started()
  const shop = await openShop(api.context)
  for (const [column, value] of Object.entries(settings)) {
    await select(api, `update merchants set ${column} = $2 where id = $1`, [shop.merchantId, value])
  }
  return { api, shop }
}

type Stock = Parameters<typeof stockVariant>[2]

/** An order of one variant, stocked for it. */
async function order(api: TestApi, shop: Shop, stock: Stock = {}, more: object = {}): Promise<Reply> {
  const { variantId } = await stockVariant(api, shop.merchantId, stock)
  return api.send('POST', path, { token: shop.token, body: orderBody(variantId, more) })
}

describe('201', () => {
  test('a new order is pending, unpaid, and expires in a day', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: 1_500_000 })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(`${path}/${reply.body.id}`)
    expect(reply.body).toMatchObject({
      status: 'pending',
      paymentStatus: 'unpaid',
      fulfillmentStatus: 'unfulfilled',
      version: 1,
      totalKobo: 1_500_000,
      paidKobo: 0,
      balanceKobo: 1_500_000,
      refundableKobo: 0,
      currency: 'NGN',
      source: 'api',
      expiresAt: new Date(api.clock.nowMs() + dayMs).toISOString(),
      allowedTransitions: ['on_hold', 'processing', 'cancelled'],
    })
    expect(reply.body.number).toMatch(/^ORD-[0-9A-HJKMNP-TV-Z]{8}$/)
  })

  test('an order of a merchant whose orders live for ever has no expiry', async () => {
    const { api, shop } = await open({ pending_order_ttl_minutes: null })
    expect((await order(api, shop)).body.expiresAt).toBeNull()
  })

  test('order.created is told once, with the order that was answered, and no change of status is', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop)
    const events = await eventsOf(api, shop.merchantId, 'order.created')
    expect(events).toMatchObject([{ mode: 'live', data: { order: reply.body } }])
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
  })

  test('an order of nothing to pay is confirmed at once', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: 0 })
    expect(reply.body).toMatchObject({
      status: 'processing',
      paymentStatus: 'paid',
      totalKobo: 0,
      expiresAt: null,
      confirmedAt: reply.body.createdAt,
      paidAt: reply.body.createdAt,
    })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body).toEqual(reply.body)
  })
})

describe('totals', () => {
  const vat = { tax_registered: true, tax_rate_bps: 750 }

  test('prices that contain VAT stay as they are, and tell the VAT in them', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: true })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 2 }], shippingKobo: 250_000 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body).toMatchObject({
      subtotalKobo: 2_000_000,
      shippingKobo: 250_000,
      taxKobo: 139_535 + 17_442, // of 2,000,000 and of 250,000, each × 750 / 10750, halves up
      totalKobo: 2_250_000,
      taxInclusive: true,
      taxRateBps: 750,
      items: [{ subtotalKobo: 2_000_000, taxKobo: 139_535, totalKobo: 2_000_000, taxRateBps: 750 }],
    })
  })

  test('prices without VAT have it added', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: false })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 2 }], shippingKobo: 250_000 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    expect(reply.body).toMatchObject({
      subtotalKobo: 2_000_000,
      taxKobo: 150_000 + 18_750,
      totalKobo: 2_418_750,
      taxInclusive: false,
      items: [{ subtotalKobo: 2_000_000, taxKobo: 150_000, totalKobo: 2_150_000 }],
    })
  })

  test('half a kobo of VAT is rounded up, on each line', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 5000, tax_inclusive: false })
    const first = await stockVariant(api, shop.merchantId, { priceKobo: 1 })
    const second = await stockVariant(api, shop.merchantId, { priceKobo: 3 })
    const items = [first, second].map(({ variantId }) => ({ variantId, quantity: 1 }))
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(first.variantId, { items }) })
    expect(reply.body.items).toMatchObject([{ taxKobo: 1 }, { taxKobo: 2 }])
    expect(reply.body).toMatchObject({ subtotalKobo: 4, taxKobo: 3, totalKobo: 7 })
  })

  test('a product that is exempt carries no VAT', async () => {
    const { api, shop } = await open({ ...vat, tax_inclusive: true })
    const { productId, variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    await select(api, 'update products set tax_exempt = true where id = $1', [productId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    expect(reply.body).toMatchObject({ taxKobo: 0, taxRateBps: 750, items: [{ taxRateBps: 0, taxKobo: 0 }] })
  })

  test('a merchant who is not registered for VAT charges none', async () => {
    const { api, shop } = await open({ tax_registered: false, tax_inclusive: false })
    const reply = await order(api, shop, { priceKobo: 1_000_000 })
    expect(reply.body).toMatchObject({ taxKobo: 0, taxRateBps: 0, totalKobo: 1_000_000 })
  })

  test('the total that was expected is accepted', async () => {
    const { api, shop } = await open()
    const more = { shippingKobo: 5, expectedTotalKobo: 12 }
    expect((await order(api, shop, { priceKobo: 7 }, more)).body.totalKobo).toBe(12)
  })
})

describe('stock', () => {
  test('an order reserves its pieces and enters them in the ledger', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10 })
    const body = orderBody(variantId, { items: [{ variantId, quantity: 4 }] })
    const reply = await api.send('POST', path, { token: shop.token, body })
    const stock = 'select on_hand, reserved, available from inventory where variant_id = $1'
    expect(await select(api, stock, [variantId])).toEqual([{ on_hand: 10, reserved: 4, available: 6 }])
    const ledger = `
      select reason, order_id, on_hand_delta, reserved_delta, on_hand, reserved
      from stock_movements where variant_id = $1`
    expect(await select(api, ledger, [variantId])).toEqual([
      {
        reason: 'order_reserved',
        order_id: reply.body.id,
        on_hand_delta: 0,
        reserved_delta: 4,
        on_hand: 10,
        reserved: 4,
      },
    ])
  })

  test.for(['tracked = false', 'allow_backorder = true'])('a variant with %s is never short', async (setting) => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 0 })
    await select(api, `update inventory set ${setting} where variant_id = $1`, [variantId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    expect(reply.status).toBe(201)
  })
})

describe('inventory.low_stock', () => {
  async function sell(api: TestApi, shop: Shop, variantId: string, quantity: number): Promise<void> {
    const body = orderBody(newVariantId(0), { items: [{ variantId, quantity }] })
    expect((await api.send('POST', path, { token: shop.token, body })).status).toBe(201)
  }

  test('is told once when the stock falls to the threshold, and not again below it', async () => {
    const { api, shop } = await open()
    const { variantId, productId } = await stockVariant(api, shop.merchantId, { onHand: 8, threshold: 5 })
    const told = async () => (await eventsOf(api, shop.merchantId, 'inventory.low_stock')).length
    await sell(api, shop, variantId, 2)
    expect(await told()).toBe(0)
    await sell(api, shop, variantId, 1)
    expect(await told()).toBe(1)
    await sell(api, shop, variantId, 1)
    await sell(api, shop, variantId, 4)
    const [event, ...more] = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(more).toEqual([])
    expect(event.data).toMatchObject({ productId, variantId, available: 5, onHand: 8, reserved: 3, threshold: 5 })
    expect(event.data.title).toBe('Ankara maxi dress, M / Indigo')
  })

  test('is told for each variant of one order that crosses', async () => {
    const { api, shop } = await open()
    const stocked = [
      await stockVariant(api, shop.merchantId, { onHand: 6, threshold: 5 }),
      await stockVariant(api, shop.merchantId, { onHand: 7, threshold: 5 }),
      await stockVariant(api, shop.merchantId, { onHand: 1, threshold: 0 }),
    ]
    const items = stocked.map(({ variantId }) => ({ variantId, quantity: 1 }))
    await api.send('POST', path, { token: shop.token, body: orderBody(newVariantId(0), { items }) })
    const events = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(events.map(({ data }) => data.variantId).sort()).toEqual(
      [stocked[0]?.variantId, stocked[2]?.variantId].sort(),
    )
  })

  test('falls back to the threshold of the product, then of the merchant', async () => {
    const { api, shop } = await open({ low_stock_threshold: 3 })
    const merchants = await stockVariant(api, shop.merchantId, { onHand: 4, threshold: null })
    await sell(api, shop, merchants.variantId, 1)
    const products = await stockVariant(api, shop.merchantId, { onHand: 10, threshold: null })
    await select(api, 'update products set low_stock_threshold = 9 where id = $1', [products.productId])
    await sell(api, shop, products.variantId, 1)
    const events = await eventsOf(api, shop.merchantId, 'inventory.low_stock')
    expect(events.map(({ data }) => data.threshold).sort()).toEqual([3, 9])
  })

  test('is not told where nobody set a threshold, nor for what is not tracked', async () => {
    const { api, shop } = await open({ low_stock_threshold: null })
    const plain = await stockVariant(api, shop.merchantId, { onHand: 1, threshold: null })
    await sell(api, shop, plain.variantId, 1)
    const untracked = await stockVariant(api, shop.merchantId, { onHand: 0, threshold: 5 })
    await select(api, 'update inventory set tracked = false where variant_id = $1', [untracked.variantId])
    await sell(api, shop, untracked.variantId, 1)
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toEqual([])
  })
})

describe('the customer', () => {
  const records = 'select id, name, email, phone from customers where merchant_id = $1'

  test('is found by an e-mail in other case, and keeps what is known of them', async () => {
    const { api, shop } = await open()
    const first = await order(api, shop, {}, { customer: { name: 'Adaeze', email: 'Adaeze@Example.com' } })
    const second = await order(
      api,
      shop,
      {},
      { customer: { name: 'A. Okafor', email: 'adaeze@example.com', phone: '+2348031234567' } },
    )
    expect(second.body.customer).toEqual({
      id: first.body.customer.id,
      name: 'A. Okafor',
      email: 'adaeze@example.com',
      phone: '+2348031234567',
    })
    expect(await select(api, records, [shop.merchantId])).toEqual([
      { id: first.body.customer.id, name: 'Adaeze', email: 'Adaeze@Example.com', phone: '+2348031234567' },
    ])
  })

  test('can be named by id, and is copied as they are now', async () => {
    const { api, shop } = await open()
    const { customer } = (await order(api, shop)).body
    const second = await order(api, shop, {}, { customer: undefined, customerId: customer.id })
    expect(second.body.customer).toEqual(customer)
  })

  test('of another merchant with the same e-mail is somebody else', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const first = await order(api, shop)
    const second = await order(api, other)
    expect(second.body.customer.id).not.toBe(first.body.customer.id)
  })

  test('of an order that is refused is not kept', async () => {
    const { api, shop } = await open()
    expect((await order(api, shop, { onHand: 0 })).status).toBe(409)
    expect(await select(api, records, [shop.merchantId])).toEqual([])
  })
})

describe('addresses', () => {
  const line1 = '12 Admiralty Way'
  const filled = {
    recipientName: null,
    phone: null,
    line1,
    line2: null,
    landmark: null,
    country: 'NG',
    postalCode: null,
  }

  test.for([
    ['Lagos', {}, { city: 'Lagos', state: 'Lagos' }],
    ['Lagos', { city: 'Lekki' }, { city: 'Lekki', state: 'Lagos' }],
    ['Lagos', { state: 'FCT' }, { city: 'Abuja', state: 'FCT' }],
    ['FCT', {}, { city: 'Abuja', state: 'FCT' }],
    ['FCT', { state: 'Lagos' }, { city: 'Lagos', state: 'Lagos' }],
    ['FCT', { city: 'Gwarinpa' }, { city: 'Gwarinpa', state: 'FCT' }],
  ] as const)('of a merchant in %s, sent as %o', async ([default_state, sent, expected]) => {
    const { api, shop } = await open({ default_state })
    const more = { shippingAddress: { line1, ...sent }, billingAddress: { line1, ...sent } }
    const reply = await order(api, shop, {}, more)
    expect(reply.body.shippingAddress).toEqual({ ...filled, ...expected })
    expect(reply.body.billingAddress).toEqual({ ...filled, ...expected })
  })

  test('are null when none is sent', async () => {
    const { api, shop } = await open()
    expect((await order(api, shop)).body).toMatchObject({ shippingAddress: null, billingAddress: null })
  })
})

describe('400 validation_failed', () => {
  const line1 = '12 Admiralty Way'
  const variantId = 'var_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com' }

  test.for<[string, object, string, string]>([
    ['no lines', { items: [] }, 'body.items', 'too_short'],
    ['a quantity of 0', { items: [{ variantId, quantity: 0 }] }, 'body.items[0].quantity', 'too_small'],
    ['a quantity below 0', { items: [{ variantId, quantity: -1 }] }, 'body.items[0].quantity', 'too_small'],
    ['a quantity of 1001', { items: [{ variantId, quantity: 1001 }] }, 'body.items[0].quantity', 'too_big'],
    ['half a piece', { items: [{ variantId, quantity: 1.5 }] }, 'body.items[0].quantity', 'not_integer'],
    ['a quantity as text', { items: [{ variantId, quantity: '1' }] }, 'body.items[0].quantity', 'invalid_type'],
    ['a line without quantity', { items: [{ variantId }] }, 'body.items[0].quantity', 'required'],
    [
      'a variant twice',
      {
        items: [
          { variantId, quantity: 1 },
          { variantId, quantity: 2 },
        ],
      },
      'body.items[1].variantId',
      'duplicate',
    ],
    ['a product’s id', { items: [{ variantId: 'prd_x', quantity: 1 }] }, 'body.items[0].variantId', 'invalid_format'],
    [
      'a price',
      { items: [{ variantId, quantity: 1, unitPriceKobo: 1 }] },
      'body.items[0].unitPriceKobo',
      'unknown_field',
    ],
    ['neither customer', { customer: undefined }, 'body.customer', 'required'],
    ['both customers', { customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k' }, 'body.customer', 'required'],
    ['no e-mail', { customer: { name: 'Adaeze' } }, 'body.customer.email', 'required'],
    ['an e-mail without @', { customer: { ...customer, email: 'adaeze' } }, 'body.customer.email', 'invalid_format'],
    ['a local phone', { customer: { ...customer, phone: '08031234567' } }, 'body.customer.phone', 'invalid_format'],
    ['a foreign phone', { customer: { ...customer, phone: '+447911123456' } }, 'body.customer.phone', 'invalid_format'],
    ['a name of nothing', { customer: { ...customer, name: '' } }, 'body.customer.name', 'too_short'],
    ['a name of 121', { customer: { ...customer, name: 'x'.repeat(121) } }, 'body.customer.name', 'too_long'],
    ['an unknown payment method', { paymentMethod: 'barter' }, 'body.paymentMethod', 'invalid_enum_value'],
    ['no payment method', { paymentMethod: undefined }, 'body.paymentMethod', 'required'],
    ['shipping below 0', { shippingKobo: -1 }, 'body.shippingKobo', 'too_small'],
    ['shipping beyond the limit', { shippingKobo: 100_000_000_001 }, 'body.shippingKobo', 'too_big'],
    [
      'an unknown state',
      { shippingAddress: { line1, state: 'Abuja' } },
      'body.shippingAddress.state',
      'invalid_enum_value',
    ],
    [
      'another country',
      { shippingAddress: { line1, country: 'GH' } },
      'body.shippingAddress.country',
      'invalid_enum_value',
    ],
    ['an address without a street', { billingAddress: { city: 'Lekki' } }, 'body.billingAddress.line1', 'required'],
    ['21 tags', { tags: Array.from({ length: 21 }, () => 'a') }, 'body.tags', 'too_long'],
    ['null where nothing is meant', { note: null }, 'body.note', 'invalid_type'],
    ['a long key of metadata', { metadata: { ['k'.repeat(41)]: '' } }, 'body.metadata', 'invalid_value'],
    ['a number in metadata', { metadata: { count: 1 } }, 'body.metadata.count', 'invalid_type'],
    ['a status', { status: 'processing' }, 'body.status', 'unknown_field'],
  ])('%s', async ([, more, where, problem]) => {
    const { api, shop } = await open()
    const before = await contentsOf(api)
    const body = { ...orderBody(newVariantId(0), { items: [{ variantId, quantity: 1 }] }), ...more }
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: where, code: problem }])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('100 lines are taken and 101 are not', async () => {
    const { api, shop } = await open()
    const items: object[] = []
    for (let line = 0; line < 100; line++) {
      items.push({ variantId: (await stockVariant(api, shop.merchantId, { priceKobo: 1 })).variantId, quantity: 1 })
    }
    const send = (lines: object[]) => {
      return api.send('POST', path, { token: shop.token, body: orderBody(newVariantId(0), { items: lines }) })
    }
    expect((await send(items)).body.totalKobo).toBe(100)
    const refused = await send([...items, { variantId: newVariantId(0), quantity: 1 }])
    expect(refused.body.error.errors).toMatchObject([{ path: 'body.items', code: 'too_long' }])
  })

  test('every problem is told at once, and at most 20', async () => {
    const { api, shop } = await open()
    const { send } = api
    const two = await send('POST', path, { token: shop.token, body: { items: [], paymentMethod: 'barter', customer } })
    expect(two.body.error.errors).toHaveLength(2)
    const colours = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`colour${index}`, 'red']))
    const many = await send('POST', path, { token: shop.token, body: colours })
    expect(many.body.error.errors).toHaveLength(20)
  })
})

describe('404 customer_not_found', () => {
  test('nobody has this id', async () => {
    const { api, shop } = await open()
    const more = { customer: undefined, customerId: newCustomerId(0) }
    answers('createOrder', 'customer_not_found', await order(api, shop, {}, more))
  })

  test('another merchant’s customer, and one that was deleted', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    const { id } = (await order(api, shop)).body.customer
    const more = { customer: undefined, customerId: id }
    answers('createOrder', 'customer_not_found', await order(api, other, {}, more))
    await select(api, 'update customers set deleted_at = now() where id = $1', [id])
    answers('createOrder', 'customer_not_found', await order(api, shop, {}, more))
  })
})

describe('404 variant_not_found', () => {
  test('names every unknown variant', async () => {
    const { api, shop } = await open()
    const known = await stockVariant(api, shop.merchantId)
    const unknown = [newVariantId(0), newVariantId(0)]
    const items = [...unknown, known.variantId].map((variantId) => ({ variantId, quantity: 1 }))
    const body = orderBody(known.variantId, { items })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'variant_not_found', reply)
    expect(reply.body.error.details).toEqual({ variantIds: unknown })
  })
})

describe('409 product_not_available', () => {
  test.for(['draft', 'archived'] as const)('a product that is %s cannot be ordered', async (status) => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { status })
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    answers('createOrder', 'product_not_available', reply)
    expect(reply.body.error.details).toEqual({ variantIds: [variantId] })
  })

  test('an archived variant of an active product cannot be ordered', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    await select(api, 'update product_variants set archived_at = now() where id = $1', [variantId])
    const reply = await api.send('POST', path, { token: shop.token, body: orderBody(variantId) })
    answers('createOrder', 'product_not_available', reply)
  })
})

describe('409 insufficient_stock', () => {
  test('names every line that is short, and takes nothing', async () => {
    const { api, shop } = await open()
    const enough = await stockVariant(api, shop.merchantId, { onHand: 5 })
    const short = await stockVariant(api, shop.merchantId, { onHand: 2 })
    const none = await stockVariant(api, shop.merchantId, { onHand: 0 })
    const before = await contentsOf(api)
    const items = [enough, short, none].map(({ variantId }) => ({ variantId, quantity: 3 }))
    const body = orderBody(enough.variantId, { items })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'insufficient_stock', reply)
    expect(reply.body.error.details.items).toMatchObject([
      { variantId: short.variantId, requested: 3, available: 2 },
      { variantId: none.variantId, requested: 3, available: 0 },
    ])
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 total_mismatch', () => {
  test('names both totals, and takes nothing', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 7 })
    const before = await contentsOf(api)
    const body = orderBody(variantId, { expectedTotalKobo: 8 })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'total_mismatch', reply)
    expect(reply.body.error.details).toEqual({ expectedKobo: 8, actualKobo: 7 })
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('409 amount_too_large', () => {
  const most = 100_000_000_000

  test('an order of exactly the most is taken', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: most })
    expect(reply.body.totalKobo).toBe(most)
  })

  test('shipping must not push it over', async () => {
    const { api, shop } = await open()
    const reply = await order(api, shop, { priceKobo: most }, { shippingKobo: 1 })
    answers('createOrder', 'amount_too_large', reply)
    expect(reply.body.error.details).toEqual({ maxKobo: most })
  })

  test('VAT that is added must not push it over', async () => {
    const { api, shop } = await open({ tax_registered: true, tax_rate_bps: 750, tax_inclusive: false })
    answers('createOrder', 'amount_too_large', await order(api, shop, { priceKobo: most }))
  })

  test('sums beyond what a double can count are refused, not rounded', async () => {
    const { api, shop } = await open()
    const items: object[] = []
    for (let line = 0; line < 100; line++) {
      const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: most })
      items.push({ variantId, quantity: 1000 })
    }
    const body = orderBody(newVariantId(0), { items })
    answers('createOrder', 'amount_too_large', await api.send('POST', path, { token: shop.token, body }))
  })
})

describe('409 external_reference_in_use', () => {
  test('names the order that has it', async () => {
    const { api, shop } = await open()
    const first = await order(api, shop, {}, { externalReference: 'shop-1' })
    const before = await contentsOf(api)
    const { variantId } = (
      await select(api, 'select variant_id as "variantId" from order_items where order_id = $1', [first.body.id])
    )[0]
    const body = orderBody(variantId, { externalReference: 'shop-1' })
    const reply = await api.send('POST', path, { token: shop.token, body })
    answers('createOrder', 'external_reference_in_use', reply)
    expect(reply.body.error.details).toEqual({ existingId: first.body.id })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('another merchant may use the same', async () => {
    const { api, shop } = await open()
    const other = await openShop(api.context)
    expect((await order(api, shop, {}, { externalReference: 'shop-1' })).status).toBe(201)
    expect((await order(api, other, {}, { externalReference: 'shop-1' })).status).toBe(201)
  })
})

describe('at once', () => {
  test('50 orders for the last piece: one gets it, 49 are told which variant is short', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 1 })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const customer = { name: 'Adaeze', email: `adaeze${index}@example.com` }
        return api.send('POST', path, { token: shop.token, body: orderBody(variantId, { customer }) })
      }),
    )
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    const refused = replies.filter((reply) => reply.status !== 201)
    expect(refused).toHaveLength(49)
    for (const reply of refused) {
      answers('createOrder', 'insufficient_stock', reply)
      expect(reply.body.error.details.items).toMatchObject([{ variantId, requested: 1, available: 0 }])
    }
    const ledger = `
      select stock.reserved, (select sum(reserved_delta) from stock_movements where variant_id = stock.variant_id)::int
        as moved
      from inventory stock where variant_id = $1`
    expect(await select(api, ledger, [variantId])).toEqual([{ reserved: 1, moved: 1 }])
    expect(await select(api, 'select 1 from customers where merchant_id = $1', [shop.merchantId])).toHaveLength(1)
  })

  test('10 orders across the low-stock threshold: one event', async () => {
    const { api, shop } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10, threshold: 5 })
    await Promise.all(
      Array.from({ length: 10 }, () => api.send('POST', path, { token: shop.token, body: orderBody(variantId) })),
    )
    expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toMatchObject([{ data: { available: 5 } }])
    const stock = 'select available from inventory where variant_id = $1'
    expect(await select(api, stock, [variantId])).toEqual([{ available: 0 }])
  })

  test('10 orders for the same two variants, named in opposite order, do not wait for each other in a ring', async () => {
    const { api, shop } = await open()
    const first = await stockVariant(api, shop.merchantId)
    const second = await stockVariant(api, shop.merchantId)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const stocked = index % 2 === 0 ? [first, second] : [second, first]
        const items = stocked.map(({ variantId }) => ({ variantId, quantity: 1 }))
        const customer = { name: 'Adaeze', email: `ring${index}@example.com` }
        return api.send('POST', path, { token: shop.token, body: orderBody(first.variantId, { items, customer }) })
      }),
    )
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
  })

  test('the same externalReference: one order, the others are told of it', async () => {
    const { api, shop } = await open()
    const stocked = await Promise.all(Array.from({ length: 10 }, () => stockVariant(api, shop.merchantId)))
    const replies = await Promise.all(
      stocked.map(({ variantId }, index) => {
        const customer = { name: 'Adaeze', email: `reference${index}@example.com` }
        const body = orderBody(variantId, { customer, externalReference: 'shop-1' })
        return api.send('POST', path, { token: shop.token, body })
      }),
    )
    const [created, ...more] = replies.filter((reply) => reply.status === 201)
    expect(more).toEqual([])
    for (const reply of replies) {
      if (reply === created) continue
      answers('createOrder', 'external_reference_in_use', reply)
      expect(reply.body.error.details).toEqual({ existingId: created?.body.id })
    }
  })

  test('the same new e-mail in different cases: one customer', async () => {
    const { api, shop } = await open()
    const stocked = await Promise.all(Array.from({ length: 10 }, () => stockVariant(api, shop.merchantId)))
    const replies = await Promise.all(
      stocked.map(({ variantId }, index) => {
        const email = index % 2 === 0 ? 'NGOZI@example.com' : 'ngozi@Example.com'
        const body = orderBody(variantId, { customer: { name: 'Ngozi', email } })
        return api.send('POST', path, { token: shop.token, body })
      }),
    )
    expect(new Set(replies.map((reply) => reply.body.customer.id)).size).toBe(1)
    expect(await select(api, 'select 1 from customers where merchant_id = $1', [shop.merchantId])).toHaveLength(1)
  })

  test('100 orders have 100 numbers, each with a check character', async () => {
    const { api, shop } = await open()
    const placed = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const customer = { name: 'Adaeze', email: `number${index}@example.com` }
        return placeOrder(api, shop, { isPaid: false, body: { customer } })
      }),
    )
    expect(new Set(placed.map(({ number }) => number)).size).toBe(100)
  })
})
