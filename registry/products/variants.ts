import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { named, nullable, ProductId, VariantId } from '../values/vocabulary.ts'
import { Product, productFields, variantFields } from './product.ts'
import { productExample } from './product-example.ts'

const stockSettings = {
  tracked: variantFields.tracked
    .optional()
    .meta({ description: 'Whether the stock of the variant is tracked. When left out, true.' }),
  allowBackorder: variantFields.allowBackorder
    .optional()
    .meta({ description: 'Whether orders may exceed the available quantity of the variant. When left out, false.' }),
}

/** Fields of a new variant, in a request that creates a product or in a request that creates only the variant. */
export const variantInput = {
  sku: variantFields.sku
    .optional()
    .meta({ description: 'Stock keeping unit (SKU) of the variant. When left out, it is generated.' }),
  optionValues: variantFields.optionValues.optional(),
  priceKobo: variantFields.priceKobo,
  compareAtPriceKobo: variantFields.compareAtPriceKobo.optional(),
  costKobo: variantFields.costKobo.optional(),
  barcode: variantFields.barcode.optional(),
  weightGrams: variantFields.weightGrams.optional(),
  inventory: named(
    'OpeningInventoryInput',
    z
      .strictObject({
        ...stockSettings,
        onHand: variantFields.onHand
          .optional()
          .meta({ description: 'On-hand quantity of the variant. When left out, 0.' }),
        lowStockThreshold: productFields.lowStockThreshold.optional(),
      })
      .meta({ description: 'Opening stock of the variant.' }),
  ).optional(),
}

interface Prices {
  readonly priceKobo?: number | undefined
  readonly compareAtPriceKobo?: number | null | undefined
}

/**
 * Requires that the compare-at price exceeds the price if a request sends both. If a request sends only one of the two
 * prices, the handler compares this price with the stored other price, and may return the error
 * `compare_at_price_too_low`.
 */
export function requireHigherCompareAtPrice(
  { priceKobo, compareAtPriceKobo }: Prices,
  context: z.core.$RefinementCtx,
): void {
  if (priceKobo === undefined || compareAtPriceKobo === undefined || compareAtPriceKobo === null) return
  if (compareAtPriceKobo > priceKobo) return
  const message = 'Must be higher than `priceKobo`.'
  context.addIssue({ code: 'custom', path: ['compareAtPriceKobo'], message, params: { problem: 'too_small' } })
}

const VariantInput = named(
  'VariantInput',
  z
    .strictObject({
      ...variantInput,
      imageId: variantFields.imageId
        .optional()
        .meta({ description: 'Identifier of the product image that shows the variant.' }),
    })
    .superRefine(requireHigherCompareAtPrice)
    .meta({ description: 'New variant of an existing product.' }),
)

export type VariantInput = z.output<typeof VariantInput>

const refusals = [
  'product_not_found',
  'image_not_found',
  'sku_in_use',
  'option_values_in_use',
  'options_mismatch',
] as const

export const createVariant = write({
  id: 'createVariant',
  path: '/products/{id}/variants',
  tag: 'Products',
  summary: 'Create a variant',
  description:
    'Adds a variant with its opening stock to a product. The response is the whole product in its new version; the ' +
    'new variant is the last one.',
  access: 'products:write',
  params: z.strictObject({ id: ProductId }),
  body: {
    schema: VariantInput,
    example: {
      sku: 'ANK-MAX-L-IND',
      optionValues: { size: 'L', colour: 'Indigo' },
      priceKobo: 1600000,
      inventory: { onHand: 12 },
    },
  },
  reply: {
    status: 201,
    body: Product,
    meaning: 'The product with the new variant.',
    example: productExample,
    location: '/products/{id}',
  },
  refusals: [...refusals, 'variant_limit_reached'],
  emits: ['product.updated'],
  ifMatch: 'honoured',
  audits: { action: 'variant.create', resourceType: 'product' },
})

const params = z.strictObject({ id: ProductId, variantId: VariantId })

const orNull = {
  compareAtPriceKobo: nullable(variantFields.compareAtPriceKobo).optional().meta({
    description:
      'Regular price of one unit, in kobo, while it is sold at a lower price. Must be higher than `priceKobo`. Null ends the sale.',
  }),
  costKobo: nullable(variantFields.costKobo)
    .optional()
    .meta({ description: 'Cost of one unit for the merchant, in kobo. Null removes the stored cost.' }),
  barcode: nullable(variantFields.barcode)
    .optional()
    .meta({ description: 'Barcode of the variant: a GTIN, an EAN or your own code. Null removes the stored barcode.' }),
  weightGrams: nullable(variantFields.weightGrams)
    .optional()
    .meta({ description: 'Shipping weight of one unit, in grams. Null removes the stored weight.' }),
  imageId: nullable(variantFields.imageId).optional().meta({
    description: 'Identifier of the product image that shows the variant. Null removes the image from the variant.',
  }),
}

export const pricePatch = {
  priceKobo: variantFields.priceKobo.optional(),
  compareAtPriceKobo: orNull.compareAtPriceKobo,
  costKobo: orNull.costKobo,
}

const VariantPatch = named(
  'VariantPatch',
  z
    .strictObject({
      sku: variantFields.sku.optional(),
      optionValues: variantFields.optionValues.optional(),
      ...pricePatch,
      ...orNull,
      inventory: named(
        'InventorySettingsPatch',
        z
          .strictObject({
            tracked: variantFields.tracked.optional(),
            allowBackorder: variantFields.allowBackorder.optional(),
            lowStockThreshold: nullable(productFields.lowStockThreshold).optional().meta({
              description: 'Low-stock threshold of the variant. When null, the threshold of the product applies.',
            }),
          })
          .meta({ description: 'Inventory settings. To change the quantity, adjust the inventory.' }),
      ).optional(),
    })
    .superRefine(requireHigherCompareAtPrice),
)

export type VariantPatch = z.output<typeof VariantPatch>

export const updateVariant = write({
  id: 'updateVariant',
  method: 'PATCH',
  path: '/products/{id}/variants/{variantId}',
  tag: 'Products',
  summary: 'Update a variant',
  description:
    'Changes a variant. Fields that are left out keep their values. `If-Match` takes the version of the product, and the ' +
    'response is the whole product.',
  access: 'products:write',
  params,
  body: { schema: VariantPatch, example: { priceKobo: 1400000, compareAtPriceKobo: 1500000 } },
  reply: { status: 200, body: Product, meaning: 'The updated product.', example: productExample },
  refusals: [...refusals, 'variant_not_found', 'compare_at_price_too_low'],
  emits: ['product.updated', 'inventory.low_stock'],
  ifMatch: 'honoured',
  audits: { action: 'variant.update', resourceType: 'product' },
})

export const deleteVariant = write({
  id: 'deleteVariant',
  method: 'DELETE',
  path: '/products/{id}/variants/{variantId}',
  tag: 'Products',
  summary: 'Delete a variant',
  description:
    'Removes a variant from its product. A variant that was ordered stays readable in the orders. Its SKU and option ' +
    'values can be used again.',
  access: 'products:write',
  params: z.strictObject({ id: ProductId, variantId: withExampleId(VariantId, sampleIds.variantToDelete) }),
  reply: {
    status: 200,
    body: Product,
    meaning: 'The product after the removal of the variant.',
    example: productExample,
  },
  refusals: ['product_not_found', 'variant_not_found', 'product_needs_variant'],
  emits: ['product.updated'],
  ifMatch: 'honoured',
  audits: { action: 'variant.delete', resourceType: 'product' },
})
