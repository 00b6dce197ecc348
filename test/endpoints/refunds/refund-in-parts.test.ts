import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { connectShop } from '../../support/commerce/paystack.ts'
import { refunding } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

/**
 * Refunds a whole order in random parts of random items, while some refunds fail. The sums of the refunds must match
 * the order exactly.
 */

const started = useApi()

const line = fc.record({ priceKobo: fc.integer({ min: 1, max: 1_000_003 }), quantity: fc.integer({ min: 1, max: 3 }) })
const step = fc.record({
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  line: fc.nat(),
  restock: fc.boolean(),
  fate: fc.constantFrom('refuses', 'failed', 'processed', 'pending'),
})
const anyCourse = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  isInclusive: fc.boolean(),
  steps: fc.array(step, { maxLength: 8 }),
})

test('random partial refunds of an order add up to exactly the amount paid and exactly its VAT, and refund no unit twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyCourse, async ({ lines, isInclusive, steps }) => {
      const { api, shop } = await openShopWith(started(), { tax_registered: true, tax_inclusive: isInclusive })
      const { server, charge, work, later } = await connectShop(api, shop)
      const items: { variantId: string; quantity: number }[] = []
      for (const { priceKobo, quantity } of lines) {
        items.push({ variantId: (await stockVariant(api, shop.merchantId, { priceKobo })).variantId, quantity })
      }
      const { variantId } = await stockVariant(api, shop.merchantId)
      const order = await placeOrder(api, shop, { isPaid: false, body: orderBody(variantId, { items }) })
      await charge(order.id, order.totalKobo)
      const { refund, read } = refunding(api, shop, order.id)
      for (const each of steps) {
        const { refundableKobo, items: known } = await read()
        if (refundableKobo === 0) break
        const chosen = known[each.line % known.length]
        const hasUnits = chosen.refundedQuantity < chosen.quantity
        const mostKobo = hasUnits ? Math.min(refundableKobo, priceOfNextUnit(chosen)) : refundableKobo
        const amountKobo = Math.max(1, Math.floor(mostKobo * each.part))
        const named = { items: [{ itemId: chosen.id, quantity: 1, restock: each.restock }] }
        const reply = await refund(amountKobo, hasUnits ? named : {})
        expect(reply.status, reply.text).toBe(201)
        if (each.fate === 'refuses') server.failRefund(reply.body.id, 'create', 'refuses')
        server.newStatus = each.fate === 'refuses' ? 'pending' : each.fate
        await work()
      }
      const rest = (await read()).refundableKobo
      if (rest > 0) await refund(rest)
      server.newStatus = 'processed'
      await work()
      for (const made of server.refunds) if (made.status === 'pending') made.status = 'processed'
      for (let check = 0; check < 20 && (await read()).refundPendingKobo > 0; check++) await later()
      const ended = await read()
      expect(ended).toMatchObject({
        refundedKobo: order.totalKobo,
        refundPendingKobo: 0,
        refundableKobo: 0,
        paymentStatus: 'refunded',
      })
      const emitted = await eventsOf(api, shop.merchantId, 'order.refunded')
      const sumOf = (field: string) => emitted.reduce((sum, { data }) => sum + data.refund[field], 0)
      expect([sumOf('amountKobo'), sumOf('taxKobo')]).toEqual([order.totalKobo, ended.taxKobo])
      expect(emitted.filter(({ data }) => data.fullyRefunded)).toHaveLength(1)
      const drift = await select(
        api,
        `select i.variant_id from inventory i
         left join stock_movements m on m.merchant_id = i.merchant_id and m.variant_id = i.variant_id
         where i.merchant_id = $1 group by i.variant_id, i.on_hand, i.reserved
         having i.on_hand <> 1000 + coalesce(sum(m.on_hand_delta), 0) or i.reserved <> coalesce(sum(m.reserved_delta), 0)`,
        [shop.merchantId],
      )
      expect(drift).toEqual([])
    }),
    { numRuns: 12 },
  )
})

/**
 * Returns the price of the next unit: the price of the refunded units and one more, minus the price of the refunded
 * units. Both prices are rounded half up, so the prices of all units add up to the item's total.
 */
function priceOfNextUnit(item: { totalKobo: number; quantity: number; refundedQuantity: number }): number {
  const priceOfFirst = (units: number) => Math.floor((2 * item.totalKobo * units + item.quantity) / (2 * item.quantity))
  return priceOfFirst(item.refundedQuantity + 1) - priceOfFirst(item.refundedQuantity)
}
