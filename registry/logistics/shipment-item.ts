import { z } from 'zod'
import { lineQuantityMax, orderLinesMax } from '../values/limits.ts'
import { named, OrderItemId } from '../values/vocabulary.ts'

const fields = {
  itemId: OrderItemId.meta({ description: 'Identifier of the order item.' }),
  quantity: z
    .int()
    .min(1)
    .max(lineQuantityMax)
    .meta({ description: 'Number of units of the item in the shipment.', examples: [1] }),
}

const ShipmentItemInput = named(
  'ShipmentItemInput',
  z.strictObject(fields).meta({ description: 'Units of one order item in a shipment.' }),
)

/**
 * Order items of a request. Each item is listed at most once, so the list has at most as many entries as an order has
 * items.
 */
export const ShipmentItems = z
  .array(ShipmentItemInput)
  .max(orderLinesMax)
  .superRefine((items, context) => {
    const seen = new Set<string>()
    items.forEach(({ itemId }, index) => {
      if (seen.has(itemId)) {
        const message = 'Must not repeat an item. Send each item once, with its total quantity.'
        context.addIssue({ code: 'custom', path: [index, 'itemId'], message, params: { problem: 'duplicate' } })
      }
      seen.add(itemId)
    })
  })

export const ShipmentItem = named(
  'ShipmentItem',
  z.object(fields).meta({ description: 'Units of one order item in a shipment.' }),
)

export type ShipmentItem = z.output<typeof ShipmentItem>

export const ShippedItems = z.array(ShipmentItem).meta({
  description:
    'Order items in the shipment. Empty for a shipment without an order, for parcels that contain no order items, and for a return ' +
    'shipment, because the return lists its own items.',
})

export const shipmentItemsExample = [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }] as const
