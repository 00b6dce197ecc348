import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { moveOrderTo, stockOf } from '../../support/commerce/order-transitions.ts'
import { formOf, signedIn } from '../../support/dashboard.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, placeOrder, stockVariant } from '../../support/shop.ts'

const api = useApi()

/** Opens a shop that has ten units of a variant, and a paid order of three of them. */
async function openRefund() {
  const shop = await openShop(api().context)
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { variantId } = await stockVariant(api(), shop.merchantId, { priceKobo: 1_000_000, onHand: 10 })
  const { id, items } = await placeOrder(api(), shop, { body: { items: [{ variantId, quantity: 3 }] } })
  const itemId = items[0]?.id ?? expect.fail('The order has no item.')
  const path = `/dashboard/orders/${id}/refund`
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const form = formOf((await member.get(path)).text, path)
    return member.ask(path, { ...form, reason: 'damaged', ...fields })
  }
  return {
    ...{ itemId, path, member, ask },
    ship: () => moveOrderTo(api(), shop, id, 'shipped'),
    /** Submits the form, confirms the question that follows, and returns the text of the question. */
    refund: async (fields: Readonly<Record<string, string>>) => {
      const { text } = await ask(fields)
      expect((await member.post(path, formOf(text, path))).status).toBe(303)
      return textOf(text)
    },
    stock: () => stockOf(api(), variantId),
  }
}

const unitsOf = (quantity: number) => `${quantity} × Ankara maxi dress, M / Indigo`
const dropped = (quantity: number) =>
  `Not shipped any more, and not restocked: ${unitsOf(quantity)}. These units stay reserved, and are written off when the other units of the order have left the shop.`

test('a refund without restocking writes off its unshipped units when the order is shipped, as the confirmation of the refund states', async () => {
  const { itemId, ship, refund, stock } = await openRefund()
  expect(await refund({ [`quantity-${itemId}`]: '1' })).toContain(dropped(1))
  expect(await stock()).toEqual({ onHand: 10, reserved: 3 })
  await ship()
  expect(await stock()).toEqual({ onHand: 7, reserved: 0 })
})

test('the confirmation of a refund with restocking states that the unshipped units are restocked, and the refund restocks these units', async () => {
  const { itemId, refund, stock } = await openRefund()
  const question = await refund({ [`quantity-${itemId}`]: '2', restock: itemId })
  expect(question).toContain(`Restocked: ${unitsOf(2)}.`)
  expect(question).not.toContain('Not shipped any more')
  expect(await stock()).toEqual({ onHand: 10, reserved: 1 })
})

test('the confirmation of a refund without restocking states that the stock of shipped units does not change, and the refund does not change the stock', async () => {
  const { itemId, ship, refund, stock } = await openRefund()
  await ship()
  const question = await refund({ [`quantity-${itemId}`]: '1' })
  expect(question).toContain(`The refund does not change the stock of ${unitsOf(1)}.`)
  expect(await stock()).toEqual({ onHand: 7, reserved: 0 })
})

test('the confirmation of a partial refund states that all units will still be shipped; the confirmation of a full refund states that none will be shipped', async () => {
  const { ask } = await openRefund()
  expect(textOf((await ask({ amount: '5000' })).text)).toContain('all units are shipped as before.')
  expect(textOf((await ask({ amount: '30000' })).text)).toContain(dropped(3))
})

test('the refund form and its confirmation say that refunded units that have not left the shop are no longer shipped', async () => {
  const { itemId, path, member, ask } = await openRefund()
  const form = textOf((await member.get(path)).text)
  expect(form).toContain('3 of 3 units can be refunded.')
  expect(form).toContain('3 units of the order have not left the shop.')
  expect(form).toContain('Refunded units that have not left the shop are no longer shipped.')
  const question = textOf((await ask({ [`quantity-${itemId}`]: '1' })).text)
  expect(question).toContain(dropped(1))
  expect(question).toContain('₦20,000.00 of the order remains refundable after this refund.')
})
