import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toKobo } from '../commerce/money.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { type SeedProduct, type SeedVariant, seedProducts, seedVariants } from '../store/seed/seed.ts'
import { insertOpeningInventory, moveStock, type SeedMovement } from '../store/seed/seed-stock.ts'
import { catalogue } from './catalogue.ts'
import { type CatalogueProduct, optionsOf, optionValuesOf, skuOf, variantTitleOf } from './catalogue-product.ts'
import { demoIds } from './demo-ids.ts'

/** Returns the number of products. */
export function seedCatalogue(context: Context, actor: Actor, tenant: Tenant): Promise<number> {
  const mutation = {
    tenant,
    actor,
    action: 'seed.catalogue' as const,
    resourceType: 'merchant',
    resourceId: () => tenant.merchantId,
  }
  return mutate(context, mutation, async ({ trx, merchantId, nowMs, now, note }) => {
    const seeded = catalogue.map((product, place) => seededProductOf(product, place, { merchantId, nowMs, now }))
    const variants = seeded.flatMap((each) => each.variants)
    seedProducts.insert(
      trx,
      seeded.map((each) => each.product),
    )
    seedVariants.insert(trx, variants)
    insertOpeningInventory(trx, { merchantId, now, variantIds: variants.map((variant) => variant.id) })
    moveStock(trx, { merchantId, now, movements: seeded.flatMap((each) => each.movements) })
    note({ products: [0, seeded.length], variants: [0, variants.length] })
    return seeded.length
  })
}

interface SeededProduct {
  readonly product: SeedProduct
  readonly variants: readonly SeedVariant[]
  readonly movements: readonly SeedMovement[]
}

// Maximum number of variants of a demo product. Inventory movements are numbered by product and variant, so more
// variants would repeat a number.
const variantsMax = 6

function seededProductOf(
  product: CatalogueProduct,
  place: number,
  moment: { merchantId: MerchantId; nowMs: number; now: Timestamp },
): SeededProduct {
  const { merchantId, nowMs, now } = moment
  const ids = demoIds(merchantId, 'catalogue', product.slug)
  const productId = ids.product(nowMs)
  const variants = product.variants.map((variant, position) => ({
    merchantId,
    id: ids.variant(nowMs),
    productId,
    sku: skuOf(product, variant),
    title: variantTitleOf(variant),
    optionValues: optionValuesOf(variant),
    priceKobo: toKobo(variant[2]),
    position,
    createdAt: now,
    updatedAt: now,
  }))
  return {
    product: {
      merchantId,
      id: productId,
      title: product.title,
      slug: product.slug,
      description: product.description,
      status: 'active',
      options: optionsOf(product),
      images: [],
      category: product.category,
      tags: [...product.tags],
      taxExempt: false,
      metadata: {},
      version: 1,
      publishedAt: now,
      createdAt: now,
      updatedAt: now,
    },
    variants,
    movements: variants.map((variant, position) => ({
      id: ids.movement(nowMs, place * variantsMax + position),
      variantId: variant.id,
      reason: 'opening',
      orderId: null,
      onHandDelta: product.variants[position]?.[3] ?? 0,
      reservedDelta: 0,
    })),
  }
}
