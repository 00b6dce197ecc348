import { z } from 'zod'
import { list, queryChoices, write } from '../kit/endpoint.ts'
import { onHandMax } from '../values/limits.ts'
import {
  instant,
  MovementId,
  named,
  nullable,
  OrderId,
  ProductId,
  RefundId,
  text,
  timestamp,
  VariantId,
} from '../values/vocabulary.ts'
import { inventoryFields, variantFields } from './product.ts'

/** Reasons of an adjustment by the merchant. */
export const adjustmentReasons = ['restock', 'correction', 'damage', 'loss', 'return', 'count', 'other'] as const

/** Reasons of an inventory movement: the adjustment reasons, and those of orders and refunds. */
export const movementReasons = [
  'opening',
  ...adjustmentReasons,
  'order_reserved',
  'order_released',
  'order_fulfilled',
  'order_unfulfilled',
  'order_returned',
  'refund_restocked',
] as const

export type MovementReason = (typeof movementReasons)[number]

const AdjustmentReason = named(
  'AdjustmentReason',
  z.enum(adjustmentReasons).meta({ description: 'Reason for the adjustment.' }),
)

const note = text('Internal note.', {
  isPersonal: false,
  max: 500,
  lines: 'many',
  example: 'Delivery from Balogun market.',
})

const variantParams = z.strictObject({ id: ProductId, variantId: VariantId })

const VariantInventory = named(
  'VariantInventory',
  z
    .object({
      id: VariantId,
      productId: ProductId,
      sku: variantFields.sku,
      ...inventoryFields,
    })
    .meta({ description: 'Stock of a variant. `id` is the id of the variant.' }),
)

export type VariantInventory = z.output<typeof VariantInventory>

const InventoryAdjustment = named(
  'InventoryAdjustment',
  z
    .strictObject({
      delta: z
        .int()
        .min(-onHandMax)
        .max(onHandMax)
        .refine((delta) => delta !== 0, { error: 'Must not be 0.', params: { problem: 'invalid_value' } })
        .optional()
        .meta({ description: 'Change of the on-hand quantity. Send this or `set`.', examples: [12] }),
      set: variantFields.onHand
        .optional()
        .meta({ description: 'Counted on-hand quantity. Send this or `delta`.', examples: [20] }),
      expectedOnHand: variantFields.onHand.optional().meta({
        description: 'Expected on-hand quantity before the adjustment, which is rejected if the quantity differs.',
        examples: [8],
      }),
      reason: AdjustmentReason,
      note: note.optional(),
    })
    .superRefine(({ delta, set }, context) => {
      if ((delta === undefined) !== (set === undefined)) return
      const message = 'Send either `delta` or `set`.'
      context.addIssue({ code: 'custom', path: ['delta'], message, params: { problem: 'required' } })
    }),
)

export type InventoryAdjustment = z.output<typeof InventoryAdjustment>

export const adjustInventory = write({
  id: 'adjustInventory',
  path: '/products/{id}/variants/{variantId}/inventory',
  tag: 'Products',
  summary: 'Set or adjust inventory',
  description:
    'Sets or changes the on-hand quantity of a variant. Each change is an entry in the stock ledger; a count that ' +
    'confirms the known quantity adds none. Units reserved by orders stay reserved, so a correct count can make ' +
    '`available` negative. Send `expectedOnHand` to make a repeated or delayed request safe.',
  access: 'inventory:write',
  params: variantParams,
  body: {
    schema: InventoryAdjustment,
    example: { delta: 12, reason: 'restock', note: 'Delivery from Balogun market.' },
  },
  reply: {
    status: 200,
    body: VariantInventory,
    meaning: 'The adjusted stock.',
    example: {
      id: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
      productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
      sku: 'ANK-MAX-M-IND',
      tracked: true,
      onHand: 20,
      reserved: 2,
      available: 18,
      lowStockThreshold: null,
      allowBackorder: false,
      low: false,
    },
  },
  refusals: ['product_not_found', 'variant_not_found', 'inventory_changed', 'on_hand_out_of_range'],
  emits: ['inventory.low_stock'],
  audits: { action: 'inventory.adjust', resourceType: 'variant' },
})

const signed = (description: string, example: number) => z.int().meta({ description, examples: [example] })

const StockMovement = named(
  'StockMovement',
  z
    .object({
      id: MovementId,
      variantId: VariantId,
      reason: named(
        'MovementReason',
        z.enum(movementReasons).meta({ description: 'Reason for the movement. More values may be added.' }),
      ),
      orderId: nullable(OrderId).meta({ description: 'Identifier of the order. Null if the movement is for none.' }),
      refundId: nullable(RefundId).meta({ description: 'Identifier of the refund. Null if the movement is for none.' }),
      onHandDelta: signed('Change of the on-hand quantity.', 12),
      reservedDelta: signed('Change of the reserved quantity.', 0),
      onHand: inventoryFields.onHand,
      reserved: inventoryFields.reserved,
      note: nullable(note).meta({ description: 'Internal note. Null without one.' }),
      createdAt: timestamp('When the stock changed.'),
    })
    .meta({
      description: 'Inventory movement: a change of the stock of a variant, and the quantities after it. Immutable.',
    }),
)

export type StockMovement = z.output<typeof StockMovement>

export const listInventoryMovements = list({
  id: 'listInventoryMovements',
  path: '/products/{id}/variants/{variantId}/movements',
  tag: 'Products',
  summary: 'List inventory movements',
  description:
    'Returns every change of a variant’s stock, newest first. Each entry has the reason, the quantity changed, and ' +
    'the quantity afterwards.',
  access: 'products:read',
  params: variantParams,
  filters: z.strictObject({
    reason: queryChoices(movementReasons, 'Only movements with one of these reasons.').optional(),
    createdFrom: instant('Only movements at or after this time.').optional(),
    createdTo: instant('Only movements before this time.').optional(),
  }),
  refusals: ['product_not_found', 'variant_not_found', 'invalid_time_range'],
  item: StockMovement,
  pageName: 'StockMovementPage',
  example: {
    id: 'mov_01jd3f8q6hf5n8v1zr4c7e2m9k',
    variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
    reason: 'restock',
    orderId: null,
    refundId: null,
    onHandDelta: 12,
    reservedDelta: 0,
    onHand: 20,
    reserved: 2,
    note: 'Delivery from Balogun market.',
    createdAt: '2026-11-21T08:30:00.000Z',
  },
})
