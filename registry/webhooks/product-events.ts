import { z } from 'zod'
import { event } from '../kit/event.ts'
import { Product } from '../products/product.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, OrderId, ProductId, timestamp, VariantId } from '../values/vocabulary.ts'

/** The variant of a stock event, with its quantities after the change. */
const stockFields = {
  productId: ProductId,
  variantId: VariantId,
  sku: impersonalText().meta({ description: 'Stock keeping unit.', examples: ['ANK-MAX-M-IND'] }),
  title: impersonalText().meta({
    description: 'Titles of the product and the variant.',
    examples: ['Ankara maxi dress, M / Indigo'],
  }),
  available: z.int().meta({
    description: 'Available quantity of the variant: on-hand quantity minus reserved quantity.',
    examples: [4],
  }),
  onHand: z
    .int()
    .min(0)
    .meta({ description: 'On-hand quantity.', examples: [6] }),
  reserved: z
    .int()
    .min(0)
    .meta({ description: 'Number of units of the variant that orders reserve.', examples: [2] }),
}

const causeFields = {
  cause: z
    .object({
      type: impersonalText().meta({ description: 'Type of the cause of the stock change.', examples: ['order'] }),
      orderId: nullable(OrderId).meta({
        description: 'Identifier of the order that changed the stock. Null if the cause is not an order.',
      }),
    })
    .meta({ description: 'Cause of the change in stock.' }),
  occurredAt: timestamp('When the stock changed.'),
}

export const inventoryLowStock = event({
  kind: 'inventory.low_stock',
  name: 'InventoryLowStockEvent',
  meaning:
    'The available quantity of a variant fell to its low-stock threshold or below. The event is sent once for each such fall.',
  data: named(
    'InventoryLowStockData',
    z
      .object({
        ...stockFields,
        threshold: z
          .int()
          .min(0)
          .meta({ description: 'Low-stock threshold of the variant.', examples: [5] }),
        ...causeFields,
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
    sku: 'ANK-MAX-M-IND',
    title: 'Ankara maxi dress, M / Indigo',
    available: 4,
    onHand: 6,
    reserved: 2,
    threshold: 5,
    cause: { type: 'order', orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k' },
    occurredAt: '2026-11-21T08:30:00.000Z',
  },
})

export const inventoryBackInStock = event({
  kind: 'inventory.back_in_stock',
  name: 'InventoryBackInStockEvent',
  meaning:
    'The available quantity of a variant rose above zero, for example because a delivery arrived or an order was ' +
    'cancelled. The event is sent once for each such rise. New variants, archived products and variants whose stock is ' +
    'not tracked cause no event.',
  stability: 'beta',
  data: named(
    'InventoryBackInStockData',
    z
      .object({ ...stockFields, ...causeFields })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
    sku: 'ANK-MAX-M-IND',
    title: 'Ankara maxi dress, M / Indigo',
    available: 12,
    onHand: 12,
    reserved: 0,
    cause: { type: 'adjustment', orderId: null },
    occurredAt: '2026-11-21T08:30:00.000Z',
  },
})

export const productUpdated = event({
  kind: 'product.updated',
  name: 'ProductUpdatedEvent',
  meaning:
    'A product or one of its variants changed. Stock changes and the creation of the product cause no such event. Read the product record to get its new content.',
  stability: 'beta',
  data: named(
    'ProductUpdatedData',
    z
      .object({
        productId: ProductId,
        changes: z.array(impersonalText()).meta({
          description: 'Names of the changed fields. `variants` means that a variant was added, changed or removed.',
          examples: [['title', 'tags']],
        }),
        version: Product.shape.version,
        occurredAt: timestamp('When the product changed.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    changes: ['variants'],
    version: 4,
    occurredAt: '2026-11-21T08:30:00.000Z',
  },
})
