import { z } from 'zod'
import { lineQuantityMax, orderLinesMax } from '../values/limits.ts'
import { named, OrderItemId } from '../values/vocabulary.ts'

/** The part of an order that goes with one shipment. */

const fields = {
  itemId: OrderItemId.meta({ description: 'The order item.' }),
  quantity: z
    .int()
    .min(1)
    .max(lineQuantityMax)
    .meta({ description: 'Units of the item.', examples: [1] }),
}

const ShipmentItemInput = named(
  'ShipmentItemInput',
  z.strictObject(fields).meta({ description: 'Units of one order item that go with the shipment.' }),
)

/** No longer than an order, each of whose items is named once. */
export const ShipmentItems = z
  .array(ShipmentItemInput)
  .max(orderLinesMax)
  .superRefine((items, context) => {
    const seen = new Set<string>()
    items.forEach(({ itemId }, index) => {
      if (seen.has(itemId)) {
        const message = 'Send each item once.'
        context.addIssue({ code: 'custom', path: [index, 'itemId'], message, params: { problem: 'duplicate' } })
      }
      seen.add(itemId)
    })
  })

export const ShipmentItem = named(
  'ShipmentItem',
  z.object(fields).meta({ description: 'Units of one order item that go with the shipment.' }),
)

export type ShipmentItem = z.output<typeof ShipmentItem>

/** Stored with a quote, a shipment and a schedule alike. */
export const ShippedItems = z.array(ShipmentItem).meta({
  description: 'Order items that go with it. Empty without an order, and for parcels that carry none of its items.',
})

export const shipmentItemsExample = [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }] as const
