import { describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { discount } from '../../support/commerce/discount.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, stockVariant } from '../../support/shop.ts'
import { expectNoChangeOf } from '../no-change.ts'
import { buyer, openNewOrder, path, quantityOf } from './new-order-form.ts'

const api = useApi()

type Invalid = readonly [
  name: string,
  fieldsOf: (quantity: string) => Readonly<Record<string, string>>,
  fieldOf: (quantity: string) => string,
  message: string,
]

describe('invalid values of a new order', () => {
  test.for<Invalid>([
    ['a quantity that is no number', (quantity) => ({ [quantity]: 'two' }), (quantity) => quantity, 'whole number'],
    ['a fraction as the quantity', (quantity) => ({ [quantity]: '1.5' }), (quantity) => quantity, 'whole number'],
    ['a negative quantity', (quantity) => ({ [quantity]: '-1' }), (quantity) => quantity, 'whole number'],
    ['a quantity above the maximum', (quantity) => ({ [quantity]: '1001' }), (quantity) => quantity, 'at most 1000'],
    ['more units than are available', (quantity) => ({ [quantity]: '6' }), (quantity) => quantity, 'Only 5 units'],
    ['an unknown discount code', () => ({ discountCodes: 'NOPE' }), () => 'discountCodes', 'NOPE: no discount has'],
    ['a shipping price that is no amount', () => ({ shipping: '-5' }), () => 'shipping', 'amount in naira'],
    ['a foreign phone number', () => ({ phone: '+44 20 7946 0958' }), () => 'phone', 'Nigerian phone number'],
    ['an invalid e-mail address', () => ({ email: 'adaeze' }), () => 'email', 'email address'],
    ['an address without a street', () => ({ area: 'Yaba' }), () => 'line1', 'Fill in this field'],
    ['a city of another state', () => ({ line1: '1 Main St', city: 'Kano', state: 'Lagos' }), () => 'state', 'Kano'],
  ])('a new order with %s is refused, and the form shows the problem at the field and all entered values again', async ([
    ,
    fieldsOf,
    fieldOf,
    message,
  ]) => {
    const { dress, previewed, submit } = await openNewOrder(api())
    const preview = await previewed()
    const fields = fieldsOf(quantityOf(dress))
    await expectNoChangeOf(api(), async () => {
      for (const intent of ['preview', 'create']) {
        const refused = await submit(preview, fields, intent)
        expect(refused.status, intent).toBe(422)
        const [, shown = ''] = refused.text.split(`id="p-${fieldOf(quantityOf(dress))}"`)
        expect(shown.split('</p>')[0]).toContain(message)
        expect(refused.text).toContain(`href="#f-${fieldOf(quantityOf(dress))}"`)
        expect(formValuesOf(refused.text, path)).toMatchObject(fields)
      }
    })
  })

  test('the total of a new order can be previewed without a customer, but the order cannot be created without a customer', async () => {
    const { listOrders, previewed, submit } = await openNewOrder(api())
    const noCustomer = { name: '', email: '', phone: '' }
    const preview = await previewed(noCustomer)
    expect(textOf(preview.text)).toContain('Total ₦15,000.00')
    for (const [name, shown] of [
      ['email', { name: 'Adaeze', phone: '0803 123 4567' }],
      ['name', { email: 'adaeze@example.com' }],
    ] as const) {
      const again = await submit(preview, { ...noCustomer, ...shown }, 'preview')
      expect([again.status, textOf(again.text).includes('Total ₦15,000.00')]).toEqual([200, true])
      const refused = await submit(preview, { ...noCustomer, ...shown }, 'create')
      expect([refused.status, refused.text.includes(`id="p-${name}"`)]).toEqual([422, true])
    }
    const refused = await submit(preview, noCustomer, 'create')
    expect(refused.text).toContain('Choose a customer, or enter a new one.')
    expect(await listOrders()).toEqual([])
  })

  test('an order is not created if its discount code ended after the preview, and the form shows the problem at the code', async () => {
    const { call, listOrders, previewed, shop, submit } = await openNewOrder(api())
    const { id, code } = await discount(api(), shop)
    const preview = await previewed({ discountCodes: code.toLowerCase() })
    expect(textOf(preview.text)).toContain('Total ₦13,500.00')
    await call('POST', `/discounts/${id}/archive`)
    const refused = await submit(preview, {}, 'create')
    expect([refused.status, refused.text.includes('id="p-discountCodes"')]).toEqual([422, true])
    expect(await listOrders()).toEqual([])
  })

  test('if a product is archived after the preview of a new order, the form shows the problem at the row of the product', async () => {
    const { call, dress, previewed, submit } = await openNewOrder(api())
    const preview = await previewed()
    await call('PATCH', `/products/${dress.productId}`, { status: 'archived' })
    const refused = await submit(preview, {}, 'create')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`id="p-${quantityOf(dress)}" role="alert">This product is not for sale.`)
  })

  test('a product and a customer of another merchant are refused as unknown', async () => {
    const { dress, listOrders, member, previewed, submit } = await openNewOrder(api())
    const other = await openShop(api().context)
    const foreign = await stockVariant(api(), other.merchantId)
    const customer = await api().send('POST', '/api/v1/customers', { token: other.token, body: buyer })
    const item = await previewed({ [quantityOf(foreign)]: '1' })
    expect([item.status, item.text.includes('This product does not exist.')]).toEqual([422, true])
    const fields = { customerId: customer.body.id, [quantityOf(dress)]: '1' }
    const page = await submit(await member.get(path), fields)
    expect([page.status, page.text.includes('This customer does not exist.')]).toEqual([422, true])
    expect((await submit(await previewed(), { [quantityOf(foreign)]: '1' }, 'create')).status).toBe(422)
    expect(await listOrders()).toEqual([])
  })

  test('a malformed customer id is refused with a message about its format, and not as an unknown customer', async () => {
    const { dress, member, submit } = await openNewOrder(api())
    const page = await submit(await member.get(path), { customerId: 'cus_x', [quantityOf(dress)]: '1' })
    expect([page.status, page.text.includes('id="p-findCustomer"')]).toEqual([422, true])
    expect(page.text).not.toContain('This customer does not exist')
  })

  test('an order has at most 100 items', async () => {
    const { dress, previewed, shop, submit } = await openNewOrder(api())
    const stocked = await Promise.all(Array.from({ length: 100 }, () => stockVariant(api(), shop.merchantId)))
    const items = Object.fromEntries(stocked.map((each) => [quantityOf(each), '1']))
    const tooMany = await previewed(items)
    expect([tooMany.status, tooMany.text.includes('at most 100 items')]).toEqual([422, true])
    const full = await submit(tooMany, { remove: dress.variantId })
    expect(textOf(full.text)).toContain('Total ₦1,500,000.00')
    expect((await submit(full, {}, 'create')).status).toBe(303)
  })

  test('if a search text has only one letter, the form of a new order shows the problem at the search field', async () => {
    const { member, submit } = await openNewOrder(api())
    const page = await submit(await member.get(path), { findItems: 'a', findCustomer: 'b' })
    expect(page.status).toBe(422)
    for (const field of ['findItems', 'findCustomer'])
      expect(page.text).toMatch(new RegExp(`id="p-${field}" role="alert">Must have at least 2 characters`))
  })

  test('a form without items and without a customer shows both problems', async () => {
    const { member, submit } = await openNewOrder(api())
    const page = await submit(await member.get(path), { shownTotal: '0' }, 'create')
    expect(page.status).toBe(422)
    expect(page.text).toMatch(/Add an item[\s\S]*Choose a customer/)
  })

  test('a customer name of more than 300 characters is refused, and the form shows the markup in the name as text', async () => {
    const { previewed } = await openNewOrder(api())
    const name = `<b>"&${'أ'.repeat(300)}`
    const page = await previewed({ name })
    expect(page.status).toBe(422)
    expect(page.text).not.toContain('<b>"')
    expect(formValuesOf(page.text, path)).toMatchObject({ name })
  })
})
