import { describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openEditableOrder, units } from '../../support/commerce/editable-order.ts'
import { ledgerOf, moveOrderTo, stockOf } from '../../support/commerce/order-transitions.ts'
import { auditRows, contentsOf, eventsOf, select } from '../../support/database-contents.ts'

const started = useApi()
const openOrder = (more: Parameters<typeof openEditableOrder>[1] = {}) => openEditableOrder(started(), more)

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

  test('an edit removes an item that the request leaves out, and releases its reserved stock', async () => {
    const { api, dress, scarf, edit, read } = await openOrder()
    const reply = await edit({ items: [units(scarf.variantId, 1)] })
    expect(reply.body.items).toHaveLength(1)
    expect((await read()).items).toMatchObject([{ variantId: scarf.variantId }])
    expect(await stockOf(api, dress.variantId)).toEqual({ onHand: 10, reserved: 0 })
  })

  test('an edit of an order keeps the price of an existing item, and gives an added item the current catalogue price', async () => {
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

  test('an edit that sends the current content of the order changes neither its version nor the audit log', async () => {
    const { api, dress, order, edit } = await openOrder()
    const before = await contentsOf(api)
    const reply = await edit({ items: [units(dress.variantId, 2)], expectedTotalKobo: 2_000_000 })
    expect(reply.body).toEqual(order)
    expect(await contentsOf(api)).toEqual(before)
  })

  test('an edit can change items, address and note together, and raises the version once', async () => {
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

  test('an edit that lowers the total of a pending order to an amount that its payments cover confirms the order', async () => {
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

  test('if an edit lowers the total below the payments, a notification reports the excess until it is refunded', async () => {
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

  test('each edit updates the excess in the notification about an overpaid order, and the notification is resolved once the total covers the payments', async () => {
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

  test('a payment that was lost in a dispute does not confirm an edited order', async () => {
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

  test('updateOrder compares expectedTotalKobo with the order’s total in any status, even if the request does not change the items', async () => {
    const { api, shop, id, order, edit } = await openOrder()
    await moveOrderTo(api, shop, id, 'shipped')
    expect((await edit({ note: 'By hand.', expectedTotalKobo: order.totalKobo })).status).toBe(200)
    answers('updateOrder', 'total_mismatch', await edit({ note: 'By bus.', expectedTotalKobo: 1 }))
  })
})
