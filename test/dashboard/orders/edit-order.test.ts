import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { openEditableOrder } from '../../support/commerce/editable-order.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { type PageReply, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, placeOrder, stockVariant } from '../../support/shop.ts'
import { expectNoChangeOf } from '../no-change.ts'

const api = useApi()

type Editable = Awaited<ReturnType<typeof openEditableOrder>>

let opened: Editable
let member: SignedInMember
let path: string
beforeEach(async () => {
  const shippingAddress = { line1: '12 Admiralty Way', city: 'Lagos', latitude: 6.4474, longitude: 3.4723 }
  opened = await openEditableOrder(api(), { body: { shippingAddress, note: 'Gate code 12' } })
  member = await signedIn(api(), opened.shop.merchantId, 'operations')
  path = `/dashboard/orders/${opened.id}/edit`
})

const quantityOf = ({ variantId }: { readonly variantId: string }) => `quantity-${variantId}`

/** Submits the form of a page, as a browser does when the member has changed some fields and pressed a button. */
function submit(page: PageReply, fields: Readonly<Record<string, string>>, intent = 'preview'): Promise<PageReply> {
  return member.post(path, { ...formValuesOf(page.text, path), intent, ...fields })
}

describe('an edit of an order', () => {
  test('a member changes quantities, adds and removes items, and saves the order at the previewed total', async () => {
    const { dress, scarf, cap, read } = opened
    const form = await member.get(path)
    expect(formValuesOf(form.text, path)).toMatchObject({ [quantityOf(dress)]: '2', line1: '12 Admiralty Way' })
    const before = await read()
    const preview = await submit(form, { [quantityOf(scarf)]: '2', [quantityOf(cap)]: '1', shipping: '1,500' })
    expect(textOf(preview.text)).toContain('Total ₦27,500.00 Total before ₦20,000.00 Due ₦27,500.00')
    expect(await read()).toEqual(before)
    const fewer = await submit(preview, { [quantityOf(dress)]: '1', remove: cap.variantId })
    expect(textOf(fewer.text)).toContain('Total ₦16,500.00')
    const saved = await submit(fewer, {}, 'save')
    expect([saved.status, saved.location]).toEqual([303, `/dashboard/orders/${opened.id}?done=orders.id.edit`])
    expect(await read()).toMatchObject({
      ...{ totalKobo: 1_650_000, shippingKobo: 150_000, note: 'Gate code 12', version: 2 },
      items: [
        { variantId: dress.variantId, quantity: 1 },
        { variantId: scarf.variantId, quantity: 2 },
      ],
      shippingAddress: { line1: '12 Admiralty Way', latitude: 6.4474 },
    })
  })

  test('when a member changes the quantities of a paid order, the form shows the amount due or the overpaid amount', async () => {
    await opened.pay(2_000_000)
    const form = await member.get(path)
    const more = await submit(form, { [quantityOf(opened.dress)]: '3' })
    expect(textOf(more.text)).toContain('Paid ₦20,000.00 Due ₦10,000.00')
    const less = await submit(form, { [quantityOf(opened.dress)]: '1' })
    expect(textOf(less.text)).toContain('Paid ₦20,000.00 Overpaid ₦10,000.00')
    expect(less.text).toContain('Refund the overpaid amount after you save the order.')
  })

  test('a new street removes the coordinates of the earlier address, and an empty address removes the address', async () => {
    await submit(await member.get(path), { line1: '5 Allen Avenue' }, 'save')
    expect((await opened.read()).shippingAddress).toMatchObject({ line1: '5 Allen Avenue', latitude: null })
    await submit(await member.get(path), { line1: '', city: '', state: '' }, 'save')
    expect(await opened.read()).toMatchObject({ shippingAddress: null, totalKobo: 2_000_000 })
  })

  test('an edit saves a discount code and an empty note, and saving an unchanged form does not raise the version', async () => {
    const { code } = await discount(api(), opened.shop)
    const preview = await submit(await member.get(path), { discountCodes: code, note: '' })
    expect(textOf(preview.text)).toContain('Discounts ₦2,000.00 Total ₦18,000.00')
    await submit(preview, {}, 'save')
    expect(await opened.read()).toMatchObject({ totalKobo: 1_800_000, note: null, version: 2 })
    expect((await submit(await member.get(path), {}, 'save')).status).toBe(303)
    expect(await opened.read()).toMatchObject({ totalKobo: 1_800_000, version: 2 })
  })

  test('a member can edit the note of an order with a shipment, because the request contains only the changed fields', async () => {
    await storeShipment(api(), opened.shop, { orderId: opened.id })
    const saved = await submit(await member.get(path), { note: 'Gate code 21' }, 'save')
    expect(saved.status).toBe(303)
    expect(await opened.read()).toMatchObject({ note: 'Gate code 21', shippingAddress: { line1: '12 Admiralty Way' } })
  })
})

describe('a refused edit of an order', () => {
  test('an edit that changes the total without a preview is not saved, the form shows the new total, and the next submission saves the edit', async () => {
    const refused = await submit(await member.get(path), { [quantityOf(opened.dress)]: '3' }, 'save')
    expect(refused.status).toBe(422)
    expect(textOf(refused.text)).toContain('The total is now ₦30,000.00 instead of ₦20,000.00.')
    expect(await opened.read()).toMatchObject({ totalKobo: 2_000_000, version: 1 })
    expect((await submit(refused, {}, 'save')).status).toBe(303)
    expect(await opened.read()).toMatchObject({ totalKobo: 3_000_000, version: 2 })
  })

  test('a form that was opened before another member changed the order changes nothing, and shows the entered values again', async () => {
    const form = await member.get(path)
    await opened.edit({ note: 'Call first' })
    const fields = { [quantityOf(opened.dress)]: '3', landmark: 'Opposite the bank' }
    for (const intent of ['preview', 'save']) {
      const refused = await submit(form, fields, intent)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('The order was changed after you opened this form.')
      expect(formValuesOf(refused.text, path)).toMatchObject({ ...fields, version: '1' })
    }
    expect(await opened.read()).toMatchObject({ note: 'Call first', version: 2, totalKobo: 2_000_000 })
  })

  test('a form that is submitted twice at once changes the order once', async () => {
    const form = await member.get(path)
    const replies = await Promise.all([1, 2].map(() => submit(form, { note: 'Call first' }, 'save')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await opened.read()).toMatchObject({ note: 'Call first', version: 2 })
  })

  test.for([
    [
      'a shipment contains units',
      () => storeShipment(api(), opened.shop, { orderId: opened.id }),
      'Cancel the shipment',
    ],
    ['the order is cancelled', () => moveOrderTo(api(), opened.shop, opened.id, 'cancelled'), 'the order has ended'],
    ['units were handed over', () => moveOrderTo(api(), opened.shop, opened.id, 'shipped'), 'units of the order were'],
  ] as const)('new quantities are refused with an explanation if %s', async ([, change, message]) => {
    await change()
    const refused = await submit(await member.get(path), { [quantityOf(opened.dress)]: '1' }, 'save')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The items, the discounts and the shipping price cannot change:')
    expect(refused.text).toContain(message)
  })

  test('a new address is refused with an explanation if units of the order were handed over to a carrier', async () => {
    await moveOrderTo(api(), opened.shop, opened.id, 'shipped')
    const refused = await submit(await member.get(path), { line1: '5 Allen Avenue' }, 'save')
    expect([refused.status, refused.text.includes('The shipping address cannot change')]).toEqual([422, true])
  })

  test('a new address is refused with an explanation while a shipment of the order is in progress', async () => {
    await storeShipment(api(), opened.shop, { orderId: opened.id })
    const refused = await submit(await member.get(path), { line1: '5 Allen Avenue' }, 'save')
    expect([refused.status, refused.text.includes('Cancel the shipment first.')]).toEqual([422, true])
  })

  test('an edit with invalid values changes nothing, and the form shows each problem at its field', async () => {
    const { dress, scarf } = opened
    const archived = await stockVariant(api(), opened.shop.merchantId, { status: 'archived' })
    const foreign = await stockVariant(api(), (await openShop(api().context)).merchantId)
    const form = await member.get(path)
    const cases = [
      [{ [quantityOf(scarf)]: '6' }, quantityOf(scarf), 'Only 5 more units are available.'],
      [{ [quantityOf(dress)]: '1.5' }, quantityOf(dress), 'Use a whole number'],
      [{ [quantityOf(dress)]: '0' }, 'findItems', 'at least one item'],
      [{ [quantityOf(archived)]: '1' }, quantityOf(archived), 'not for sale'],
      [{ [quantityOf(foreign)]: '1' }, quantityOf(foreign), 'does not exist'],
      [{ discountCodes: 'NOPE' }, 'discountCodes', 'NOPE: no discount has this code.'],
      [{ shipping: 'free' }, 'shipping', 'amount in naira'],
      [{ line1: '', city: '', area: 'Yaba' }, 'line1', 'Fill in this field'],
      [{ recipientPhone: '12345678' }, 'recipientPhone', 'Nigerian phone number'],
    ] as const
    await expectNoChangeOf(api(), async () => {
      for (const [fields, field, message] of cases) {
        for (const intent of ['preview', 'save']) {
          const refused = await submit(form, fields, intent)
          expect(refused.status, `${field} ${intent}`).toBe(422)
          expect(refused.text.split(`id="p-${field}"`)[1]?.split('</p>')[0]).toContain(message)
        }
      }
    })
  })

  test('the edit form of an unknown order, or of an order of another merchant, returns 404', async () => {
    const other = await placeOrder(api(), await openShop(api().context))
    for (const id of [other.id, 'ord_1', 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k'])
      expect((await member.get(`/dashboard/orders/${id}/edit`)).status).toBe(404)
  })

  test('a viewer sees no link to the form, and cannot open or submit it', async () => {
    const viewer = await signedIn(api(), opened.shop.merchantId, 'viewer')
    const order = await viewer.get(`/dashboard/orders/${opened.id}`)
    expect(order.text).not.toContain(`href="${path}"`)
    expect((await member.get(`/dashboard/orders/${opened.id}`)).text).toContain(`href="${path}"`)
    expect((await viewer.get(path)).status).toBe(403)
    const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(order.text)?.groups ?? {}
    const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', version: '1', note: 'x', intent: 'save' }
    expect((await viewer.post(path, form)).status).toBe(403)
  })
})
