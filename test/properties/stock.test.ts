import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReplyBody, type TestApi, useApi } from '../support/api.ts'
import { adjust, freeSku, makeProduct, patchProduct, productsPath, sell } from '../support/commerce/product.ts'
import { eventsOf, select } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'

/**
 * After any stock changes, sequential or concurrent, the sums of the inventory movements equal the inventory. The
 * quantity before each movement equals the quantity after the previous movement.
 */

const started = useApi()

const variants = 3
const which = fc.integer({ min: 0, max: variants - 1 })

const step = fc.oneof(
  fc.record({ is: fc.constant('order' as const), which, quantity: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    is: fc.constant('delta' as const),
    which,
    delta: fc.integer({ min: -9, max: 9 }).filter((d) => d !== 0),
  }),
  fc.record({ is: fc.constant('set' as const), which, set: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ is: fc.constant('threshold' as const), threshold: fc.integer({ min: 0, max: 15 }) }),
  fc.record({ is: fc.constant('own' as const), which, threshold: fc.option(fc.integer({ min: 0, max: 15 })) }),
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function take(api: TestApi, shop: Shop, product: ReplyBody, move: Step): Promise<number> {
  const path = `${productsPath}/${product.id}`
  const id = 'which' in move ? product.variants[move.which].id : ''
  switch (move.is) {
    case 'order':
      return (await sell(api, shop, id, move.quantity)).status
    case 'delta':
      return (await adjust(api, shop, `${path}/variants/${id}`, { delta: move.delta })).status
    case 'set':
      return (await adjust(api, shop, `${path}/variants/${id}`, { set: move.set, reason: 'count' })).status
    case 'threshold':
      return (await patchProduct(api, shop, product.id, { lowStockThreshold: move.threshold })).status
    case 'own': {
      const body = { inventory: { lowStockThreshold: move.threshold } }
      return (await api.send('PATCH', `${path}/variants/${id}`, { token: shop.token, body })).status
    }
  }
}

async function stockOf(api: TestApi, merchantId: string) {
  return select(
    api,
    `select stock.variant_id, stock.on_hand, stock.reserved, stock.is_low,
       stock.available <= coalesce(stock.low_stock_threshold, product.low_stock_threshold, 5) as under,
       stock.product_low_stock_threshold is not distinct from product.low_stock_threshold as is_copied,
       (select coalesce(sum(on_hand_delta), 0)::int from stock_movements where variant_id = stock.variant_id) as moved,
       (select coalesce(sum(reserved_delta), 0)::int from stock_movements where variant_id = stock.variant_id) as promised,
       (select coalesce(sum(quantity), 0)::int from order_items where variant_id = stock.variant_id) as ordered
     from inventory stock
     join product_variants variant on variant.id = stock.variant_id
     join products product on product.id = variant.product_id
     where stock.merchant_id = $1`,
    [merchantId],
  )
}

test.for([
  'one by one',
  'all at once',
])('after random stock operations, executed %s, the sum of the stock movements equals the inventory', async (how) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const api = started()
      const shop = await openShop(api.context)
      const product = await makeProduct(api, shop, {
        options: [{ name: 'size', values: ['S', 'M', 'L'] }],
        variants: ['S', 'M', 'L'].map((size) => ({
          sku: freeSku(api),
          optionValues: { size },
          priceKobo: 1,
          inventory: { onHand: 10 },
        })),
      })
      let crossings = 0
      if (how === 'all at once') await Promise.all(steps.map((move) => take(api, shop, product, move)))
      for (const move of how === 'all at once' ? [] : steps) {
        const before = await stockOf(api, shop.merchantId)
        expect([200, 201, 409]).toContain(await take(api, shop, product, move))
        const after = await stockOf(api, shop.merchantId)
        crossings += after.filter(
          (row) => row.is_low && !before.some((was) => was.variant_id === row.variant_id && was.is_low),
        ).length
        expect(await eventsOf(api, shop.merchantId, 'inventory.low_stock')).toHaveLength(crossings)
      }
      for (const row of await stockOf(api, shop.merchantId)) {
        expect(row).toMatchObject({
          moved: row.on_hand,
          promised: row.reserved,
          ordered: row.reserved,
          is_copied: true,
        })
        expect(row.is_low).toBe(row.under)
      }
    }),
    // Each run of the property test has a separate shop with a dozen requests. The seed differs from run to run.
    { numRuns: 15 },
  )
})
