import { z } from 'zod'
import { list, write } from '../kit/endpoint.ts'
import { queryChoices } from '../kit/query.ts'
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

/** Reasons that a merchant can give for an inventory adjustment. */
export const adjustmentReasons = ['restock', 'correction', 'damage', 'loss', 'return', 'count', 'other'] as const

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
  z.enum(adjustmentReasons).meta({ description: 'Reason for the adjustment of the stock.' }),
)

const note = text('Internal note.', {
  isPersonal: false,
  max: 500,
  lines: 'many',
  example: 'Delivery from Balogun market.',
})

const variantParams = z.strictObject({ id: ProductId, variantId: VariantId })

export const VariantInventory = named(
  'VariantInventory',
  z
    .object({
      id: VariantId,
      productId: ProductId,
      sku: variantFields.sku,
      ...inventoryFields,
    })
    .meta({ description: 'Stock of a variant. The field `id` is the id of the variant.' }),
)

export type VariantInventory = z.output<typeof VariantInventory>

/** Fields that a single inventory adjustment and an entry of a batch have in common. */
export const adjustmentFields = {
  delta: z
    .int()
    .min(-onHandMax)
    .max(onHandMax)
    .refine((delta) => delta !== 0, { error: 'Must not be 0.', params: { problem: 'invalid_value' } })
    .optional()
    .meta({
      description: 'Number of units by which the on-hand quantity changes. Send either this field or `set`.',
      examples: [12],
    }),
  set: variantFields.onHand
    .optional()
    .meta({ description: 'On-hand quantity that was counted. Send either this field or `delta`.', examples: [20] }),
  expectedOnHand: variantFields.onHand.optional().meta({
    description:
      'On-hand quantity that you expect before the adjustment. The adjustment is rejected if the stored quantity differs.',
    examples: [8],
  }),
  reason: AdjustmentReason,
  note: note.optional(),
}

/** Rejects a request that contains neither or both of two fields. */
export function requireOne<First extends string, Second extends string>(first: First, second: Second) {
  return (value: { readonly [Name in First | Second]?: unknown }, context: z.core.$RefinementCtx): void => {
    if ((value[first] === undefined) !== (value[second] === undefined)) return
    const message = `Send either \`${first}\` or \`${second}\`.`
    context.addIssue({ code: 'custom', path: [first], message, params: { problem: 'required' } })
  }
}

export const requireOneQuantity = requireOne('delta', 'set')

const InventoryAdjustment = named(
  'InventoryAdjustment',
  z.strictObject(adjustmentFields).superRefine(requireOneQuantity),
)

export type InventoryAdjustment = z.output<typeof InventoryAdjustment>

export const adjustInventory = write({
  id: 'adjustInventory',
  path: '/products/{id}/variants/{variantId}/inventory',
  tag: 'Products',
  summary: 'Set or adjust inventory',
  description:
    'Sets or changes the on-hand quantity of a variant. Each change is an entry in the stock ledger; a count that ' +
    'confirms the stored quantity adds no entry. Units reserved by orders stay reserved, so a correct count can make ' +
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
    meaning: 'The stock of the variant after the adjustment.',
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
  emits: ['inventory.low_stock', 'inventory.back_in_stock'],
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
        z.enum(movementReasons).meta({ description: 'Reason for the inventory movement. More values may be added.' }),
      ),
      orderId: nullable(OrderId).meta({
        description: 'Identifier of the order that caused the movement. Null if no order caused it.',
      }),
      refundId: nullable(RefundId).meta({
        description: 'Identifier of the refund that caused the movement. Null if no refund caused it.',
      }),
      onHandDelta: signed('Number of units by which the on-hand quantity changed.', 12),
      reservedDelta: signed('Number of units by which the reserved quantity changed.', 0),
      onHand: inventoryFields.onHand,
      reserved: inventoryFields.reserved,
      note: nullable(note).meta({ description: 'Internal note about the movement. Null without a note.' }),
      createdAt: timestamp('When the stock changed.'),
    })
    .meta({
      description:
        'Inventory movement: a change of the stock of a variant, with the quantities after the change. Movements are immutable.',
    }),
)

export type StockMovement = z.output<typeof StockMovement>

export const listInventoryMovements = list({
  id: 'listInventoryMovements',
  path: '/products/{id}/variants/{variantId}/movements',
  tag: 'Products',
  summary: 'List inventory movements',
  description:
    'Returns every change of a variant’s stock, newest first. Each entry has the reason, the change of the quantity, and ' +
    'the quantity after the change.',
  access: 'products:read',
  params: variantParams,
  filters: z.strictObject({
    reason: queryChoices(movementReasons, 'Returns only movements with one of these reasons.').optional(),
    createdFrom: instant('Returns only changes of the stock at or after this time.').optional(),
    createdTo: instant('Returns only changes of the stock before this time.').optional(),
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
