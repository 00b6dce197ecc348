import { z } from 'zod'
import type { ErrorCode } from '../errors/index.ts'
import { write } from '../kit/endpoint.ts'
import { batchEntriesMax, catalogueLimits } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, ProductId, VariantId } from '../values/vocabulary.ts'
import { adjustInventory, adjustmentFields, requireOne, requireOneQuantity, VariantInventory } from './inventory.ts'
import { Product, reportDuplicates, Variant, variantFields } from './product.ts'
import { pricePatch, requireHigherCompareAtPrice } from './variants.ts'

/**
 * Batches change many variants in one transaction. Each entry succeeds or fails by the rules of the operation that changes
 * one variant, and the response has one result for each entry.
 */

/** Fields that identify the variant to which an entry of a batch refers. */
const address = {
  variantId: VariantId.optional().meta({
    description: 'Identifier of the variant. Send either this field or `sku`.',
  }),
  sku: variantFields.sku.optional().meta({
    description:
      'Stock keeping unit (SKU) of the variant, regardless of case. Variants of archived products are only found by their id. Send either this field or `variantId`.',
  }),
}

const requireAddress = requireOne('variantId', 'sku')

interface Address {
  readonly variantId?: string | undefined
  readonly sku?: string | undefined
}

/** Each variant id and each SKU may occur in one entry only. */
function entriesOf<Entry extends z.ZodType<Address>>(entry: Entry) {
  return z
    .array(entry)
    .min(1)
    .max(batchEntriesMax)
    .superRefine((entries, context) => {
      for (const field of ['variantId', 'sku'] as const) {
        reportDuplicates(
          entries.map((each) => each[field]),
          (index) => [index, field],
          context,
        )
      }
    })
}

function entryError<const Codes extends readonly ErrorCode[]>(name: string, codes: Codes) {
  return named(
    name,
    z
      .object({
        code: z
          .enum(codes)
          .meta({ description: 'Code of the error, as in the error catalogue. More values may be added.' }),
        message: impersonalText().meta({
          description: 'Description of the error, for people. The wording may change.',
        }),
        path: impersonalText().meta({
          description: 'Path of the value that caused the error.',
          examples: ['body.prices[1].sku'],
        }),
      })
      .meta({ description: 'Error of an entry of a batch.' }),
  )
}

const index = z
  .int()
  .min(0)
  .meta({ description: 'Position of the entry in the request, starting at 0.', examples: [0] })

/** `result` is the schema of the result of one entry. */
function resultsOf<Result extends z.ZodType>(result: Result) {
  return {
    id: impersonalText().meta({
      description:
        'Identifier of the request, as in the `Request-Id` header. The audit log lists the batch under this id.',
      examples: ['req_01jd3f8q6hf5n8v1zr4c7e2m9k'],
    }),
    succeeded: z
      .int()
      .min(0)
      .meta({ description: 'Number of entries that were applied.', examples: [1] }),
    failed: z
      .int()
      .min(0)
      .meta({ description: 'Number of entries that failed and changed nothing.', examples: [1] }),
    results: z
      .array(result)
      .max(batchEntriesMax)
      .meta({ description: 'One result for each entry of the batch, in the order of the entries in the request.' }),
  }
}

const expectedPriceKobo = variantFields.priceKobo.optional().meta({
  description:
    'Price that you expect before the change. The entry fails with `version_conflict` if the stored price differs. In kobo.',
  examples: [1500000],
})

const PriceBatch = named(
  'PriceBatchInput',
  z.strictObject({
    prices: entriesOf(
      named(
        'PriceInput',
        z
          .strictObject({ ...address, ...pricePatch, expectedPriceKobo })
          .superRefine(requireAddress)
          .superRefine(requireHigherCompareAtPrice)
          .meta({ description: 'New prices of a variant. Fields that are left out keep their values.' }),
      ),
    ).meta({ description: `New prices, for up to ${batchEntriesMax} different variants.` }),
  }),
)

export type PriceInput = z.output<typeof PriceBatch>['prices'][number]

const { sku, priceKobo, compareAtPriceKobo, costKobo } = Variant.shape

const PriceResult = named(
  'PriceResult',
  z.object({
    index,
    variant: nullable(
      named(
        'VariantPrices',
        z
          .object({
            id: VariantId,
            productId: ProductId,
            sku,
            priceKobo,
            compareAtPriceKobo,
            costKobo,
            productVersion: Product.shape.version,
          })
          .meta({ description: 'Prices of a variant.' }),
      ),
    ).meta({ description: 'Variant with its prices after the change. Null if the entry failed.' }),
    error: nullable(
      entryError('PriceError', ['variant_not_found', 'version_conflict', 'compare_at_price_too_low']),
    ).meta({
      description: 'Reason why the entry failed. Null if it was applied.',
    }),
  }),
)

export type PriceResult = z.output<typeof PriceResult>

const exampleIds = { id: 'req_01jd3f8q6hf5n8v1zr4c7e2m9k', succeeded: 1, failed: 1 } as const

export const updatePrices = write({
  id: 'updatePrices',
  path: '/products/prices',
  tag: 'Products',
  summary: 'Update prices',
  description:
    `Changes the prices of up to ${batchEntriesMax} variants. Each entry follows the rules of \`updateVariant\`, and succeeds or ` +
    'fails on its own: the response is 200 with a result for each entry. All entries that succeed are stored in one ' +
    'transaction.',
  access: 'products:write',
  body: {
    schema: PriceBatch,
    limits: catalogueLimits,
    example: {
      prices: [
        { sku: 'ANK-MAX-M-IND', priceKobo: 1400000, compareAtPriceKobo: 1500000 },
        { sku: 'ANK-MAX-XL-IND', priceKobo: 1400000 },
      ],
    },
  },
  reply: {
    status: 200,
    body: named('PriceBatchResult', z.object(resultsOf(PriceResult))),
    meaning: 'Result of each entry, in the order of the request.',
    example: {
      ...exampleIds,
      results: [
        {
          index: 0,
          variant: {
            id: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
            productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
            sku: 'ANK-MAX-M-IND',
            priceKobo: 1400000,
            compareAtPriceKobo: 1500000,
            costKobo: 900000,
            productVersion: 2,
          },
          error: null,
        },
        {
          index: 1,
          variant: null,
          error: {
            code: 'variant_not_found',
            message: 'No variant has the SKU ANK-MAX-XL-IND.',
            path: 'body.prices[1].sku',
          },
        },
      ],
    },
  },
  refusals: [],
  emits: ['product.updated'],
  audits: { action: 'variant.update', resourceType: 'batch' },
})

const InventoryBatch = named(
  'InventoryBatchInput',
  z.strictObject({
    adjustments: entriesOf(
      named(
        'InventoryBatchEntry',
        z
          .strictObject({ ...address, ...adjustmentFields })
          .superRefine(requireAddress)
          .superRefine(requireOneQuantity)
          .meta({ description: 'Adjustment of the stock of a variant.' }),
      ),
    ).meta({ description: `Adjustments, for up to ${batchEntriesMax} different variants.` }),
  }),
)

export type InventoryEntry = z.output<typeof InventoryBatch>['adjustments'][number]

const InventoryResult = named(
  'InventoryResult',
  z.object({
    index,
    inventory: nullable(VariantInventory).meta({
      description: 'Stock of the variant after the adjustment. Null if the entry failed.',
    }),
    error: nullable(
      entryError('InventoryError', ['variant_not_found', 'inventory_changed', 'on_hand_out_of_range']),
    ).meta({ description: 'Reason why the entry failed. Null if it was applied.' }),
  }),
)

export type InventoryResult = z.output<typeof InventoryResult>

export const adjustInventories = write({
  id: 'adjustInventories',
  path: '/products/inventory',
  tag: 'Products',
  summary: 'Adjust inventory of many variants',
  description:
    `Sets or changes the on-hand quantities of up to ${batchEntriesMax} variants. Each entry follows the rules of ` +
    '`adjustInventory`, and succeeds or fails on its own: the response is 200 with a result for each entry. All entries ' +
    'that succeed are stored in one transaction.',
  access: 'inventory:write',
  body: {
    schema: InventoryBatch,
    limits: catalogueLimits,
    example: {
      adjustments: [
        { sku: 'ANK-MAX-M-IND', set: 20, reason: 'count' },
        { sku: 'ANK-MAX-L-IND', delta: 12, expectedOnHand: 4, reason: 'restock' },
      ],
    },
  },
  reply: {
    status: 200,
    body: named('InventoryBatchResult', z.object(resultsOf(InventoryResult))),
    meaning: 'Result of each entry, in the order of the request.',
    example: {
      ...exampleIds,
      results: [
        { index: 0, inventory: adjustInventory.reply.example, error: null },
        {
          index: 1,
          inventory: null,
          error: {
            code: 'inventory_changed',
            message: 'The on-hand quantity of the variant is 9.',
            path: 'body.adjustments[1].expectedOnHand',
          },
        },
      ],
    },
  },
  refusals: [],
  emits: ['inventory.low_stock', 'inventory.back_in_stock'],
  audits: { action: 'inventory.adjust', resourceType: 'batch' },
})
