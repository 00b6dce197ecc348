import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { type Fields, formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'
import { basic, discountActions, pathOf } from './discount-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const { send, discountOf, created, customer } = discountActions(api, () => ({ shop, member }))

describe('the form that edits a discount', () => {
  const edit = (id: string, fields: Fields) => member.submit(pathOf(id, '/edit'), pathOf(id, '/edit'), fields)

  test('the form shows the stored terms of the discount, and saving them unchanged changes nothing', async () => {
    const { productId } = await stockVariant(api(), shop.merchantId)
    const id = await created({ minimum: '20,000', maximum: '1000', products: productId })
    const { text } = await member.get(pathOf(id, '/edit'))
    for (const value of ['DETTY10', '20000.00', '1000.00', '10']) expect(text).toContain(`value="${value}"`)
    expect(text).toMatch(new RegExp(`value="${productId}" checked`))
    const startsAt = /name="startsAt" type="datetime-local" value="([^"]+)"/.exec(text)?.[1] ?? ''
    // A browser shows a field for seconds only if the value contains seconds.
    expect(startsAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
    const same = { ...basic, minimum: '20000.00', maximum: '1000.00', products: productId, startsAt }
    const { type: _, ...fields } = same
    expect((await edit(id, { ...fields, title: 'DETTY10' })).status).toBe(303)
    expect((await discountOf(id)).version).toBe(1)
  })

  test('a member changes the terms of an unused discount, pauses it and removes its limits', async () => {
    const id = await created({ minimum: '20,000', usageLimit: '5' })
    const reply = await edit(id, { code: 'OWAMBE', value: '15', paused: 'yes' })
    expect(reply.location).toBe(`${pathOf(id)}?done=discounts.id.edit`)
    expect(await discountOf(id)).toMatchObject({
      ...{ code: 'OWAMBE', percentageBps: 1500, status: 'paused', minimumSubtotalKobo: null, usageLimit: null },
    })
  })

  test('the preview of a change shows the new terms and stores nothing', async () => {
    const id = await created()
    const { status, text } = await edit(id, { code: 'DETTY10', value: '15', intent: 'preview' })
    expect([status, text.includes('15 % off orders')]).toEqual([200, true])
    expect(await discountOf(id)).toMatchObject({ version: 1, percentageBps: 1000 })
  })

  test('a discount that is limited to variants stays limited to these variants when a member changes another term of the discount', async () => {
    const { variantId } = await stockVariant(api(), shop.merchantId)
    const { id } = await discount(api(), shop, { appliesTo: { scope: 'variants', ids: [variantId] } })
    const opened = await member.get(pathOf(id, '/edit'))
    expect(opened.text).toContain('Ankara maxi dress, M / Indigo')
    expect((await edit(id, { code: 'VARIANT', value: '5' })).status).toBe(303)
    expect((await discountOf(id)).appliesTo).toEqual({ scope: 'variants', ids: [variantId] })
  })

  describe('a discount with a deleted product and a deleted customer', () => {
    let id: string
    let productId: string
    let customerId: string
    beforeEach(async () => {
      productId = (await send('POST', '/products', { title: 'Gele', variants: [{ priceKobo: 1 }] })).body.id
      customerId = await customer()
      id = await created({ products: productId, customers: customerId })
      const removed = [await send('DELETE', `/products/${productId}`), await send('DELETE', `/customers/${customerId}`)]
      expect(removed.map(({ status }) => status)).toEqual([200, 200])
    })
    const limits = () => ({ appliesTo: { scope: 'products', ids: [productId] }, customerIds: [customerId] })

    test('the form shows the deleted product and the deleted customer as ticked, and changing another term removes neither', async () => {
      const { text } = await member.get(pathOf(id, '/edit'))
      expect(text).toContain(`name="products" value="${productId}" checked><span>Deleted product<`)
      expect(text).toContain(`name="customers" value="${customerId}" checked><span>Deleted customer<`)
      const fields = { code: 'DETTY10', value: '15', products: productId, customers: customerId }
      expect((await edit(id, fields)).status).toBe(303)
      expect(await discountOf(id)).toMatchObject({ percentageBps: 1500, ...limits() })
    })

    test.for([
      ['wholeOrder', (): Fields => ({ customers: customerId })],
      ['everyone', (): Fields => ({ products: productId })],
      ['wholeOrder', (): Fields => ({ products: productId, customers: customerId, wholeOrder: 'yes' })],
      ['everyone', (): Fields => ({ products: productId, customers: customerId, everyone: 'yes' })],
    ] as const)('the form shows a problem at the field “%s” if the member ticks both this field and the records to which the discount is limited, or neither', async ([
      field,
      fields,
    ]) => {
      const { status, text } = await edit(id, { code: 'DETTY10', value: '10', ...fields() })
      expect([status, text.includes(`id="p-${field}"`)]).toEqual([422, true])
      expect(text).toContain(`name="products" value="${productId}"`)
      expect(text).toContain(`name="customers" value="${customerId}"`)
      expect(await discountOf(id)).toMatchObject({ version: 1, ...limits() })
    })

    test('a member can remove the limits of a discount, so that it applies to the whole order and to all customers', async () => {
      const fields = { code: 'DETTY10', value: '10', wholeOrder: 'yes', everyone: 'yes' }
      const shown = await edit(id, { ...fields, intent: 'preview' })
      expect(shown.text).toMatch(/name="wholeOrder" value="yes" checked.*name="everyone" value="yes" checked/s)
      expect((await edit(id, fields)).status).toBe(303)
      expect(await discountOf(id)).toMatchObject({ appliesTo: { scope: 'order' }, customerIds: null })
    })
  })

  test('a change from a form that was opened before another change is refused, with a message', async () => {
    const id = await created()
    const form = formOf((await member.get(pathOf(id, '/edit'))).text, pathOf(id, '/edit'))
    await send('PATCH', `/discounts/${id}`, { usageLimit: 9 })
    const stale = await member.post(pathOf(id, '/edit'), { ...form, code: 'NEWCODE', value: '10' })
    expect([stale.status, stale.text.includes('was changed after you opened this form')]).toEqual([422, true])
    expect(stale.text).toContain('value="NEWCODE"')
    expect(await discountOf(id)).toMatchObject({ code: 'DETTY10', usageLimit: 9 })
  })

  describe('a discount that an order has used', () => {
    let id: string
    let form: Record<string, string>
    beforeEach(async () => {
      id = await created()
      form = formOf((await member.get(pathOf(id, '/edit'))).text, pathOf(id, '/edit'))
      await placeOrder(api(), shop, { body: { discountCodes: ['DETTY10'] } })
    })
    const editUsed = (fields: Fields) => member.submit(pathOf(id, '/edit'), pathOf(id, '/edit-used'), fields)

    test('only the title, the end, the limits and the pause of the discount can change', async () => {
      const { text } = await member.get(pathOf(id, '/edit'))
      expect(text).toContain('its code and its reduction can no longer change')
      expect(text).not.toContain('name="code"')
      expect((await editUsed({ title: 'Ended', endsAt: '2031-01-01T09:30', usageLimit: '7' })).status).toBe(303)
      expect(await discountOf(id)).toMatchObject({
        ...{ title: 'Ended', endsAt: '2031-01-01T08:30:00.000Z', usageLimit: 7, code: 'DETTY10', percentageBps: 1000 },
      })
    })

    test('a usage limit below the number of uses is refused, and the problem is shown at the field of the limit', async () => {
      await placeOrder(api(), shop, { body: { discountCodes: ['DETTY10'] } })
      const { status, text } = await editUsed({ usageLimit: '1' })
      expect([status, text.includes('id="p-usageLimit"')]).toEqual([422, true])
    })

    test('a form with all terms is refused with a message if it was opened before an order used the discount', async () => {
      const late = await member.post(pathOf(id, '/edit'), { ...form, code: 'OTHER', value: '10' })
      expect([late.status, late.text.includes('An order has used the discount')]).toEqual([422, true])
    })
  })
})
