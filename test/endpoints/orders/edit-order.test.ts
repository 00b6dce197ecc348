import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type Reply, useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { ledgerOf, moveOrderTo, stockOf } from '../../support/commerce/order-transitions.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { mintToken, orderBody, stockVariant } from '../../support/shop.ts'

const started = useApi()

/** Opens a shop with three variants and an order of two units of the first one. */
async function openOrder(more: { settings?: Settings; body?: object; shop?: 'test' } = {}) {
  const opened = await openShopWith(started(), more.settings ?? {})
  const { api } = opened
  const shop = more.shop === 'test' ? await openTestShop(api) : opened.shop
  const [dress, scarf, cap] = await Promise.all([
    stockVariant(api, shop.merchantId, { priceKobo: 1_000_000, onHand: 10 }),
    stockVariant(api, shop.merchantId, { priceKobo: 250_000, onHand: 5 }),
    stockVariant(api, shop.merchantId, { priceKobo: 100_000, onHand: 1 }),
  ])
  const items = [{ variantId: dress.variantId, quantity: 2 }]
  const body = orderBody(dress.variantId, { items, ...more.body })
  const created = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  expect(created.status, created.text).toBe(201)
  const path = `/api/v1/orders/${created.body.id}`
  const edit = (change: object, headers: Record<string, string> = {}): Promise<Reply> =>
    api.send('PATCH', path, { token: shop.token, body: change, headers })
  const read = async () => (await api.send('GET', path, { token: shop.token })).body
  const pay = async (amountKobo: number) => {
    const payment = { amountKobo, method: 'bank_transfer', reference: `edit-${created.body.number}-${amountKobo}` }
    const paid = await api.send('POST', `${path}/payments`, { token: shop.token, body: payment })
    expect(paid.status, paid.text).toBe(201)
  }
  const refund = (amountKobo: number) =>
    api.send('POST', '/api/v1/refunds', {
      token: shop.token,
      body: { orderId: created.body.id, amountKobo, reason: 'goodwill' },
    })
  return { api, shop, dress, scarf, cap, order: created.body, id: created.body.id, path, edit, read, pay, refund }
}

const units = (variantId: string, quantity: number, more: object = {}) => ({ variantId, quantity, ...more })

describe('200 responses of updateOrder that change the content of an order', () => {
  test('an edit of the items changes the totals, the stock, the audit log and the version, and emits order.edited once', async () => {
    const { api, shop, dress, scarf, order, edit, read } = await openOrder({ body: { shippingKobo: 50_000 } })
    const reply = await edit({ items: [units(scarf.variantId, 3), units(dress.variantId, 1)], shippingKobo: 70_000 })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      version: order.version + 1,
      subtotalKobo: 1_750_000,
      shippingKobo: 70_000,
      totalKobo: 1_820_000,
      balanceKobo: 1_820_000,
      paymentStatus: 'unpaid',
      items: [
        { variantId: scarf.variantId, quantity: 3, totalKobo: 750_000 },
        { id: order.items[0].id, variantId: dress.variantId, quantity: 1, totalKobo: 1_000_000 },
      ],
    })
    expect(await read()).toEqual(reply.body)
    expect(await stockOf(api, dress.variantId)).toEqual({ onHand: 10, reserved: 1 })
    expect(await stockOf(api, scarf.variantId)).toEqual({ onHand: 5, reserved: 3 })
    expect(await ledgerOf(api, dress.variantId)).toEqual({ onHand: 0, reserved: 1 })
    expect(await eventsOf(api, shop.merchantId, 'order.edited')).toMatchObject([
      { data: { order: reply.body, previousTotalKobo: order.totalKobo } },
    ])
    const [row] = (await auditRows(api, shop.merchantId)).filter(({ action }) => action === 'order.update')
    const [first] = order.items
    const item = (variantId: string, quantity: number, unitPriceKobo: number) => ({
      variantId,
      quantity,
      unitPriceKobo,
    })
    expect(row?.changes).toEqual({
      items: [
        [item(dress.variantId, 2, first.unitPriceKobo)],
        [item(scarf.variantId, 3, 250_000), item(dress.variantId, 1, first.unitPriceKobo)],
      ],
      shippingKobo: [50_000, 70_000],
      totalKobo: [order.totalKobo, 1_820_000],
    })
  })

  test('an edit removes an item that the request leaves out, and its reservation', async () => {
    const { api, dress, scarf, edit, read } = await openOrder()
    const reply = await edit({ items: [units(scarf.variantId, 1)] })
    expect(reply.body.items).toHaveLength(1)
    expect((await read()).items).toMatchObject([{ variantId: scarf.variantId }])
    expect(await stockOf(api, dress.variantId)).toEqual({ onHand: 10, reserved: 0 })
  })

  test('an existing item keeps the price of the order, and an added item has the present catalogue price', async () => {
    const { api, dress, scarf, edit } = await openOrder()
    await select(api, 'update product_variants set price_kobo = price_kobo * 2 where id = any($1)', [
      [dress.variantId, scarf.variantId],
    ])
    const reply = await edit({ items: [units(dress.variantId, 3), units(scarf.variantId, 1)] })
    expect(reply.body.items).toMatchObject([{ unitPriceKobo: 1_000_000 }, { unitPriceKobo: 500_000 }])
  })

  test('an edit keeps the VAT rules with which the order was created', async () => {
    const settings = { tax_registered: true, tax_rate_bps: 750, tax_inclusive: false }
    const { api, shop, scarf, edit } = await openOrder({ settings })
    await select(api, 'update merchants set tax_rate_bps = 2000 where id = $1', [shop.merchantId])
    const reply = await edit({ items: [units(scarf.variantId, 2)] })
    expect(reply.body).toMatchObject({ taxRateBps: 750, taxKobo: 37_500, totalKobo: 537_500 })
  })

  test('a dry run of an edit shows the new total and balance, and stores nothing', async () => {
    const { api, scarf, edit, pay } = await openOrder()
    await pay(2_000_000)
    const before = await contentsOf(api)
    const reply = await edit({ items: [units(scarf.variantId, 5)] }, { 'Service-Dry-Run': 'true' })
    expect(reply.body).toMatchObject({ totalKobo: 1_250_000, paidKobo: 2_000_000, balanceKobo: -750_000 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('an edit to the present content changes neither the version nor the audit log', async () => {
    const { api, dress, order, edit } = await openOrder()
    const before = await contentsOf(api)
    const reply = await edit({ items: [units(dress.variantId, 2)], expectedTotalKobo: 2_000_000 })
    expect(reply.body).toEqual(order)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('items, address and note change together, with one version', async () => {
    const { scarf, order, edit } = await openOrder()
    const change = { note: 'By hand.', shippingAddress: { line1: '3 Aminu Kano Crescent', state: 'FCT' } }
    const reply = await edit({ ...change, items: [units(scarf.variantId, 1)] })
    expect(reply.body).toMatchObject({
      note: 'By hand.',
      shippingAddress: { state: 'FCT' },
      totalKobo: 250_000,
      version: order.version + 1,
    })
  })

  test('a pending order is confirmed by an edit to a total that its payments cover', async () => {
    const { api, shop, dress, edit, pay, read } = await openOrder()
    await pay(1_000_000)
    const reply = await edit({ items: [units(dress.variantId, 1)] })
    expect(reply.body).toMatchObject({ status: 'processing', paymentStatus: 'paid', balanceKobo: 0, expiresAt: null })
    expect(reply.body.paidAt).not.toBeNull()
    expect(await read()).toEqual(reply.body)
    const changes = await eventsOf(api, shop.merchantId, 'order.status_changed')
    expect(changes).toMatchObject([{ data: { from: 'pending', to: 'processing', reason: 'order_edited' } }])
  })

  test('a paid order that is edited to a higher total owes the difference and stays in its status', async () => {
    const { dress, edit, pay, read } = await openOrder()
    await pay(2_000_000)
    const reply = await edit({ items: [units(dress.variantId, 3)] })
    expect(reply.body).toMatchObject({
      status: 'processing',
      paymentStatus: 'partially_paid',
      balanceKobo: 1_000_000,
      paidAt: null,
    })
    await pay(1_000_000)
    expect(await read()).toMatchObject({ paymentStatus: 'paid', balanceKobo: 0 })
  })

  test('a payment above the edited total is reported until it is refunded', async () => {
    const { api, shop, dress, edit, pay, refund } = await openOrder()
    await pay(2_000_000)
    await edit({ items: [units(dress.variantId, 1)] })
    const problems = () =>
      select(
        api,
        `select kind, data ->> 'excessKobo' as "excessKobo", resolved_at is null as "isOpen"
         from notifications where merchant_id = $1`,
        [shop.merchantId],
      )
    expect(await problems()).toEqual([{ kind: 'order.paid_above_price', excessKobo: '1000000', isOpen: true }])
    expect((await refund(1_000_000)).status).toBe(201)
    expect(await problems()).toMatchObject([{ kind: 'order.paid_above_price', isOpen: false }])
  })

  test('an edit updates the amount that is reported as paid above the total, until the total covers the payments', async () => {
    const { api, shop, dress, scarf, edit, pay } = await openOrder()
    await pay(2_000_000)
    const open = async () =>
      select(
        api,
        `select kind, (data ->> 'excessKobo')::int as "excessKobo" from notifications
         where merchant_id = $1 and resolved_at is null`,
        [shop.merchantId],
      )
    await edit({ items: [units(scarf.variantId, 1)] })
    expect(await open()).toEqual([{ kind: 'order.paid_above_price', excessKobo: 1_750_000 }])
    await edit({ items: [units(dress.variantId, 1)] })
    expect(await open()).toEqual([{ kind: 'order.paid_above_price', excessKobo: 1_000_000 }])
    await edit({ items: [units(dress.variantId, 2)] })
    expect(await open()).toEqual([])
    await edit({ items: [units(dress.variantId, 1)] })
    expect(await open()).toEqual([{ kind: 'order.paid_above_price', excessKobo: 1_000_000 }])
  })

  test('a payment that a lost dispute returned does not confirm an edited order', async () => {
    const { api, dress, id, edit, pay } = await openOrder()
    await pay(1_000_000)
    await select(api, 'update payments set disputed_at = now(), dispute_lost_kobo = amount_kobo where order_id = $1', [
      id,
    ])
    const reply = await edit({ items: [units(dress.variantId, 1)] })
    expect(reply.body, reply.text).toMatchObject({ status: 'pending', totalKobo: 1_000_000 })
    expect(reply.body.expiresAt).not.toBeNull()
  })

  test('an edit that adds no unit of an oversold variant is accepted', async () => {
    const { api, dress, edit } = await openOrder()
    await select(api, 'update inventory set on_hand = 0 where variant_id = $1', [dress.variantId])
    expect((await edit({ shippingKobo: 1 })).status).toBe(200)
    expect((await edit({ items: [units(dress.variantId, 1)] })).status).toBe(200)
    answers('updateOrder', 'insufficient_stock', await edit({ items: [units(dress.variantId, 2)] }))
  })

  test('an expected total without a change of the content is compared with the total of the order, in any status', async () => {
    const { api, shop, id, order, edit } = await openOrder()
    await moveOrderTo(api, shop, id, 'shipped')
    expect((await edit({ note: 'By hand.', expectedTotalKobo: order.totalKobo })).status).toBe(200)
    answers('updateOrder', 'total_mismatch', await edit({ note: 'By bus.', expectedTotalKobo: 1 }))
  })
})

describe('discounts of an edited order', () => {
  test('a redeemed discount stays applicable after its end and its last use', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const capped = await discount(api, shop, { percentageBps: 1000, usageLimit: 1 })
    const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: 1_000_000 })
    const body = orderBody(variantId, { discountCodes: [capped.code] })
    const created = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
    await select(api, `update discounts set ends_at = starts_at + interval '1 millisecond' where id = $1`, [capped.id])
    const path = `/api/v1/orders/${created.body.id}`
    const change = { items: [units(variantId, 2)] }
    const reply = await api.send('PATCH', path, { token: shop.token, body: change })
    expect(reply.body, reply.text).toMatchObject({ discountKobo: 200_000, totalKobo: 1_800_000 })
    expect(await readDiscount(api, shop, capped.id)).toMatchObject({ redemptionCount: 1 })
    const uses = `select amount_kobo::int as amount from discount_redemptions where discount_id = $1 and released_at is null`
    expect(await select(api, uses, [capped.id])).toEqual([{ amount: 200_000 }])
  })

  test('an edit can replace a discount, which releases its use', async () => {
    const { api, shop, order, edit, dress } = await openOrder()
    const first = await discount(api, shop, { percentageBps: 1000, usageLimit: 1 })
    const second = await discount(api, shop, { percentageBps: 2000, usageLimit: 1 })
    expect((await edit({ discountCodes: [first.code.toLowerCase()] })).body).toMatchObject({ totalKobo: 1_800_000 })
    const reply = await edit({ discountCodes: [second.code] })
    expect(reply.body).toMatchObject({ totalKobo: 1_600_000, discounts: [{ code: second.code }] })
    expect(await readDiscount(api, shop, first.id)).toMatchObject({ redemptionCount: 0 })
    expect(await readDiscount(api, shop, second.id)).toMatchObject({ redemptionCount: 1 })
    expect((await edit({ discountCodes: [] })).body).toMatchObject({ totalKobo: order.totalKobo, discounts: [] })
    expect((await edit({ items: [units(dress.variantId, 1)], discountCodes: [first.code] })).status).toBe(200)
  })

  test('a discount that an edit redeems again counts for the present customer of the order', async () => {
    const { api, shop, id, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, usageLimitPerCustomer: 1 })
    await edit({ discountCodes: [code] })
    await edit({ discountCodes: [], customer: { email: 'ngozi@example.com', phone: '+2347012345678' } })
    await edit({ discountCodes: [code] })
    const uses = 'select customer_email as email from discount_redemptions where order_id = $1 and released_at is null'
    expect(await select(api, uses, [id])).toEqual([{ email: 'ngozi@example.com' }])
  })

  test('concurrent edits that exchange two discounts of two orders all succeed', async () => {
    const { api, shop, dress, edit } = await openOrder()
    const [one, two] = await Promise.all([
      discount(api, shop, { usageLimit: 100, combinesWith: ['order'] }),
      discount(api, shop, { usageLimit: 100, combinesWith: ['order'] }),
    ])
    const second = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(dress.variantId) })
    const path = `/api/v1/orders/${second.body.id}`
    const editSecond = (discountCodes: string[]) =>
      api.send('PATCH', path, { token: shop.token, body: { discountCodes } })
    for (let round = 0; round < 5; round++) {
      await edit({ discountCodes: [one.code] })
      await editSecond([two.code])
      const both = [one.code, two.code]
      const replies = await Promise.all([edit({ discountCodes: both }), editSecond(both)])
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
    }
    expect(await readDiscount(api, shop, one.id)).toMatchObject({ redemptionCount: 2 })
  })

  test('a discount for the first order is applicable to an edit of the customer’s first order, and not to that of the second', async () => {
    const { api, shop, dress, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, firstOrderOnly: true })
    expect((await edit({ discountCodes: [code] })).status).toBe(200)
    const second = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(dress.variantId) })
    const path = `/api/v1/orders/${second.body.id}`
    const reply = await api.send('PATCH', path, { token: shop.token, body: { discountCodes: [code] } })
    answers('updateOrder', 'discount_not_applicable', reply)
    expect(reply.body.error.details).toEqual({ code, reason: 'not_first_order' })
  })

  test('an edit after which a redeemed discount’s minimum is not met is rejected until the code is removed', async () => {
    const { api, shop, scarf, edit } = await openOrder()
    const { code } = await discount(api, shop, { percentageBps: 1000, minimumSubtotalKobo: 1_000_000 })
    await edit({ discountCodes: [code] })
    const before = await contentsOf(api)
    const change = { items: [units(scarf.variantId, 1)] }
    const reply = await edit(change)
    answers('updateOrder', 'discount_not_applicable', reply)
    expect(reply.body.error.details).toEqual({ code, reason: 'minimum_not_met' })
    expect(await contentsOf(api)).toEqual(before)
    expect((await edit({ ...change, discountCodes: [] })).status).toBe(200)
  })
})

describe('rejected edits of the content of an order', () => {
  test('an edit needs stock only for the added units', async () => {
    const { api, dress, cap, edit } = await openOrder()
    await select(api, 'update inventory set on_hand = 3 where variant_id = $1', [dress.variantId])
    expect((await edit({ items: [units(dress.variantId, 3), units(cap.variantId, 1)] })).status).toBe(200)
    const before = await contentsOf(api)
    const reply = await edit({ items: [units(dress.variantId, 4), units(cap.variantId, 2)] })
    answers('updateOrder', 'insufficient_stock', reply)
    expect(reply.body.error.details.items).toMatchObject([
      { variantId: dress.variantId, requested: 1, available: 0 },
      { variantId: cap.variantId, requested: 1, available: 0 },
    ])
    expect(await contentsOf(api)).toEqual(before)
  })

  test('units of an archived product can stay or be removed, and not be added', async () => {
    const { api, dress, edit } = await openOrder()
    await select(api, `update products set status = 'archived', archived_at = now() where id = $1`, [dress.productId])
    answers('updateOrder', 'product_not_available', await edit({ items: [units(dress.variantId, 3)] }))
    expect((await edit({ items: [units(dress.variantId, 1)] })).status).toBe(200)
  })

  test('an edit with an unknown variant, another total, a price without its scope or a repeated variant is rejected', async () => {
    const { api, shop, dress, scarf, path, edit } = await openOrder()
    const before = await contentsOf(api)
    const unknown = await edit({ items: [units('var_01jd3f8q6hf5n8v1zr4c7e2m9k', 1)] })
    answers('updateOrder', 'variant_not_found', unknown)
    const other = await edit({ items: [units(scarf.variantId, 1)], expectedTotalKobo: 1 })
    answers('updateOrder', 'total_mismatch', other)
    expect(other.body.error.details).toEqual({ expectedKobo: 1, actualKobo: 250_000 })
    const huge = units(scarf.variantId, 5, { unitPriceKobo: 100_000_000_000 })
    answers('updateOrder', 'amount_too_large', await edit({ items: [huge] }))
    const twice = await edit({ items: [units(dress.variantId, 1), units(dress.variantId, 2)] })
    answers('updateOrder', 'validation_failed', twice)
    expect(twice.body.error.errors).toMatchObject([{ path: 'body.items[1].variantId' }])
    expect(await contentsOf(api)).toEqual(before)
    const { token } = await mintToken(api.context, shop.tenant, { scopes: ['orders:write'] })
    const body = { items: [units(dress.variantId, 1, { unitPriceKobo: 1 })] }
    answers('updateOrder', 'insufficient_scope', await api.send('PATCH', path, { token, body }))
  })

  test.for([
    ['shipped', 'handed_over'],
    ['delivered', 'handed_over'],
    ['cancelled', 'ended'],
    ['returned', 'ended'],
  ] as const)('the items of a %s order cannot change, for the reason %s', async ([status, reason]) => {
    const { api, shop, id, dress, edit } = await openOrder()
    await moveOrderTo(api, shop, id, status)
    const before = await contentsOf(api)
    for (const change of [{ items: [units(dress.variantId, 1)] }, { shippingKobo: 1 }, { discountCodes: [] }]) {
      const reply = await edit(change)
      answers('updateOrder', 'order_content_not_editable', reply)
      expect(reply.body.error.details).toEqual({ status, reason })
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  test('the items of an order cannot change after a refund', async () => {
    const { dress, edit, pay, refund } = await openOrder()
    await pay(2_000_000)
    expect((await refund(1_000)).status).toBe(201)
    const reply = await edit({ items: [units(dress.variantId, 1)] })
    answers('updateOrder', 'order_content_not_editable', reply)
    expect(reply.body.error.details).toEqual({ status: 'processing', reason: 'refunded' })
  })

  test('a concurrent edit and dispatch of an order never leave a shipment with other units than the order', async () => {
    const home = { line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos' }
    const body = { shippingAddress: { recipientName: 'Bisi Ade', phone: plainPhone, ...home } }
    for (let round = 0; round < 6; round++) {
      const { api, shop, id, dress, edit, pay, read } = await openOrder({ shop: 'test', body })
      await pay(2_000_000)
      const dispatch = () => post(api, shop, 'dispatch', parcelTo(plainPhone, { orderId: id }))
      const change = () => edit({ items: [units(dress.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const [dispatched, edited] = await Promise.all([dispatch(), editing ?? change()])
      if (edited.status !== 200) answers('updateOrder', 'order_content_not_editable', edited)
      if (dispatched.status !== 201) answers('dispatchShipment', 'order_items_unavailable', dispatched)
      expect([edited.status, dispatched.status]).not.toEqual([409, 409])
      const order = await read()
      const sent = order.shipments.flatMap(({ items }: { items: { quantity: number }[] }) => items)
      if (sent.length > 0) expect(sent).toMatchObject([{ quantity: order.items[0].quantity }])
    }
  })

  test('of an edit and a payment at the same moment, both count', async () => {
    for (let round = 0; round < 4; round++) {
      const { dress, edit, pay, read } = await openOrder()
      const change = () => edit({ items: [units(dress.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const [, edited] = await Promise.all([pay(1_000_000), editing ?? change()])
      expect(edited.status, edited.text).toBe(200)
      expect(await read()).toMatchObject({
        status: 'processing',
        paymentStatus: 'paid',
        balanceKobo: 0,
        expiresAt: null,
      })
    }
  })

  test('of an edit and a cancellation at the same moment, the stock follows the cancellation', async () => {
    for (let round = 0; round < 4; round++) {
      const { api, shop, dress, scarf, path, edit, read } = await openOrder()
      const change = () => edit({ items: [units(dress.variantId, 3), units(scarf.variantId, 1)] })
      const editing = round % 2 === 0 ? change() : undefined
      const cancelling = api.send('POST', `${path}/cancel`, { token: shop.token, body: { reason: 'customer' } })
      const [edited, cancelled] = await Promise.all([editing ?? change(), cancelling])
      expect(cancelled.status, cancelled.text).toBe(200)
      if (edited.status !== 200) answers('updateOrder', 'order_content_not_editable', edited)
      expect(await read()).toMatchObject({ status: 'cancelled' })
      expect(await stockOf(api, dress.variantId)).toMatchObject({ reserved: 0 })
      expect(await stockOf(api, scarf.variantId)).toMatchObject({ reserved: 0 })
    }
  })

  test('of two concurrent edits with the same If-Match, one succeeds and the stock follows it', async () => {
    const { api, dress, scarf, order, edit, read } = await openOrder()
    const ifMatch = { 'If-Match': `"v${order.version}"` }
    const replies = await Promise.all([
      edit({ items: [units(dress.variantId, 5)] }, ifMatch),
      edit({ items: [units(scarf.variantId, 4)] }, ifMatch),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
    const [item] = (await read()).items
    expect(await stockOf(api, item.variantId)).toMatchObject({ reserved: item.quantity })
    const other = item.variantId === dress.variantId ? scarf : dress
    expect(await stockOf(api, other.variantId)).toMatchObject({ reserved: 0 })
  })
})
