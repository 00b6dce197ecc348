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

/** What a merchant can give as the reason of an adjustment. */
export const adjustmentReasons = ['restock', 'correction', 'damage', 'loss', 'return', 'count', 'other'] as const

/** Every reason of the ledger: the merchant's own, and what the service does for orders and refunds. */
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
  z.enum(adjustmentReasons).meta({ description: 'Why the number of pieces changes.' }),
)

const note = text('A note among staff.', {
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
    .meta({ description: 'The stock of one variant; `id` is the variant’s.' }),
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
        .meta({ description: 'How many pieces came or went. Send this or `set`.', examples: [12] }),
      set: variantFields.onHand
        .optional()
        .meta({ description: 'How many pieces there are, as counted. Send this or `delta`.', examples: [20] }),
      expectedOnHand: variantFields.onHand
        .optional()
        .meta({ description: 'Refuse the adjustment unless exactly this many are on hand before it.', examples: [8] }),
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
  summary: 'Adjust inventory',
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
    meaning: 'The stock as it is now.',
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
        z.enum(movementReasons).meta({ description: 'Why the stock changed. More values may be added.' }),
      ),
      orderId: nullable(OrderId).meta({ description: 'The order it was for.' }),
      refundId: nullable(RefundId).meta({ description: 'The refund it was for.' }),
      onHandDelta: signed('How many pieces came or went.', 12),
      reservedDelta: signed('How many more, or fewer, are promised to orders.', 0),
      onHand: inventoryFields.onHand,
      reserved: inventoryFields.reserved,
      note: nullable(note).meta({ description: 'A note among staff.' }),
      createdAt: timestamp('When the stock changed.'),
    })
    .meta({ description: 'One change of a variant’s stock, and the levels it left. It never changes.' }),
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
    reason: queryChoices(movementReasons, 'Only changes for one of these reasons.').optional(),
    createdFrom: instant('Only changes at this moment or later.').optional(),
    createdTo: instant('Only changes before this moment.').optional(),
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
