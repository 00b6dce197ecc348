import { z } from 'zod'
import { discountRejections, discountTypes } from '../values/discount-terms.ts'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

/** Errors of requests that the stored state of a record does not allow. */
export const stateErrors = {
  invalid_transition: {
    status: 409,
    type: 'state_error',
    meaning: 'The transition from the current status of the record to the requested status is not allowed.',
    fix: 'Request one of the statuses in `details.allowed`. If the current status is unexpected, read the record again.',
    details: z.object({
      from: z.string().meta({ description: 'Current status.', examples: ['delivered'] }),
      to: z.string().meta({ description: 'Requested status.', examples: ['pending'] }),
      allowed: z.array(z.string()).meta({
        description: 'Statuses to which the record can change from its current status.',
        examples: [['returned']],
      }),
    }),
  },
  order_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'Units of the order are already handed over, so the order can be returned but not cancelled.',
    fix: 'When the customer has returned the units, change the status of the order to `returned` and refund the order.',
    details: z.object({
      status: z.string().meta({ description: 'Status of the order.', examples: ['shipped'] }),
    }),
  },
  order_not_editable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The customer and the address of the order cannot change: units were handed over, the order has ended, or a ' +
      'shipment of the order is in progress, whose rider would go to another address.',
    fix:
      'With the reason `in_shipment`, cancel the shipment first. Otherwise, leave `customer` and `shippingAddress` out of ' +
      'the request. `note`, `tags` and `metadata` can still change.',
    details: z.object({
      status: z.string().meta({ description: 'Status of the order.', examples: ['shipped'] }),
      reason: z.enum(['ended', 'handed_over', 'in_shipment']).meta({
        description: 'Why the customer and the address of the order cannot change.',
        examples: ['in_shipment'],
      }),
    }),
  },
  order_content_not_editable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The items, the discounts and the shipping price of the order cannot change: units were handed over or are in a ' +
      'shipment, the order has ended, or it has a refund.',
    fix:
      'With the reason `in_shipment`, cancel the shipment first. With `item_in_use`, the edit removes an item that a return, or a failed or cancelled refund, contains: reduce the ' +
      'quantity of the item instead. Otherwise, leave `items`, `discountCodes` and ' +
      '`shippingKobo` out of the request, and create a new order for further items.',
    details: z.object({
      status: z.string().meta({ description: 'Status of the order.', examples: ['processing'] }),
      reason: z
        .enum(['ended', 'handed_over', 'in_shipment', 'refunded', 'item_in_use'])
        .meta({ description: 'Why the content of the order cannot change.', examples: ['in_shipment'] }),
    }),
  },
  return_quantity_exceeds: {
    status: 409,
    type: 'state_error',
    meaning:
      'The request names more units than the customer can return. The customer cannot return units that are in another return or in an active shipment, or that were ' +
      'lost or already returned.',
    fix: 'Reduce the quantities of the items in `details.items` to `returnableQuantity`.',
    details: z.object({
      items: z
        .array(
          z.object({
            itemId: z.string().meta({ description: 'Identifier of the order item.' }),
            returnableQuantity: z
              .int()
              .meta({ description: 'Number of units of the item that can be returned.', examples: [1] }),
          }),
        )
        .meta({ description: 'Items of which the request returns too many units.' }),
    }),
  },
  return_not_refundable: {
    status: 409,
    type: 'state_error',
    meaning: 'The return was rejected, so no refund can be made for it.',
    fix: 'Refund the order without `returnId`, or create a new return.',
    details: z.object({
      status: z.string().meta({ description: 'Status of the return.', examples: ['rejected'] }),
    }),
  },
  return_not_exchangeable: {
    status: 409,
    type: 'state_error',
    meaning: 'The units of the return cannot be credited to another order.',
    fix:
      'Read `details.reason`. For `status`, approve the return first. For `exchanged`, use the order `details.existingId`. For `not_received`, ' +
      'receive the return first. For `customer`, send the customer of the returned order; if the new order is for another recipient, send the address of the recipient as `shippingAddress`. ' +
      'Otherwise create the order without `exchangeOfReturnId`, and record its payment.',
    details: z.object({
      reason: z
        .enum([
          'status',
          'exchanged',
          'refunded',
          'not_received',
          'order_not_paid',
          'payment_disputed',
          'customer',
          'amount',
        ])
        .meta({
          description:
            'Reason why the return cannot be exchanged. `status`: the status of the return allows no exchange. ' +
            '`exchanged`: the return already has an exchange. `refunded`: its units are already refunded. ' +
            '`not_received`: the return must be received first, because the customer may still wait for other ' +
            'units of the same items. `order_not_paid`, `payment_disputed`: the returned order is not paid, or ' +
            'its payment is disputed. `customer`: the new order is of another customer. `amount`: the refundable ' +
            'amount of the returned order is too low.',
          examples: ['exchanged'],
        }),
      status: z.string().meta({ description: 'Status of the return.', examples: ['approved'] }),
      existingId: nullable(z.string()).meta({
        description: 'Identifier of the order that replaces the return. Null unless the reason is `exchanged`.',
        examples: ['ord_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
    }),
  },
  customer_anonymised: {
    status: 409,
    type: 'state_error',
    meaning:
      'The customer is anonymised, so no personal data of the customer can be stored, and no order of the customer can be created or shipped.',
    fix: 'Create a new customer, or send `customer` with the order. To ship a parcel anyway, leave out `orderId`.',
  },
  customer_has_open_orders: {
    status: 409,
    type: 'state_error',
    meaning: 'The customer has open orders, or orders with a refund or a shipment in progress.',
    fix: 'Complete or cancel the orders in `details.orderIds`, and wait until their refunds and shipments have ended.',
    details: z.object({
      orderIds: z.array(z.string()).meta({
        description: 'Identifiers of the orders that prevent the change of the customer, oldest first. At most 20.',
      }),
      count: z
        .int()
        .meta({ description: 'Total number of orders that prevent the change of the customer.', examples: [1] }),
    }),
  },
  address_limit_reached: {
    status: 409,
    type: 'state_error',
    meaning: 'The customer has the maximum number of addresses.',
    fix: 'Delete or update one of the addresses.',
    details: z.object({
      limit: z.int().meta({ description: 'Maximum number of addresses of a customer.', examples: [20] }),
    }),
  },
  insufficient_stock: {
    status: 409,
    type: 'state_error',
    meaning:
      'The request needs more units of one or more variants than are available. `details.items` lists the variants.',
    fix: 'Reduce the quantities, or restock the variants first.',
    details: z.object({
      items: z
        .array(
          z.object({
            variantId: z.string().meta({ description: 'Identifier of the variant.' }),
            sku: z.string().meta({ description: 'Stock keeping unit of the variant.' }),
            requested: z.int().meta({ description: 'Requested quantity.', examples: [3] }),
            available: z.int().meta({ description: 'Available quantity.', examples: [1] }),
          }),
        )
        .meta({ description: 'Variants with insufficient stock.' }),
    }),
  },
  product_not_available: {
    status: 409,
    type: 'state_error',
    meaning: 'A variant is deleted, or its product is a draft or archived, so it cannot be ordered.',
    fix: 'Remove the variants in `details.variantIds`, or activate their products.',
    details: z.object({
      variantIds: z.array(z.string()).meta({ description: 'Identifiers of the variants that cannot be ordered.' }),
    }),
  },
  product_in_use: {
    status: 409,
    type: 'state_error',
    meaning: 'Only a draft product that was never ordered can be deleted.',
    fix: 'Archive the product instead: change its `status` to `archived`.',
    details: z.object({ status: z.string().meta({ description: 'Status of the product.', examples: ['active'] }) }),
  },
  product_needs_variant: {
    status: 409,
    type: 'state_error',
    meaning: 'An active product must have at least one variant.',
    fix: 'Add a variant first. To remove the last variant, archive the product instead.',
  },
  options_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'A variant must have exactly one value of each option of its product.',
    fix: 'Send exactly one of the listed values for each option in `details.options`. To use a new value, add it to the option of the product first.',
    details: z.object({
      options: z
        .array(
          z.object({
            name: z.string().meta({ description: 'Name of the option.', examples: ['size'] }),
            values: z
              .array(z.string())
              .meta({ description: 'Values that the option allows.', examples: [['S', 'M', 'L']] }),
          }),
        )
        .meta({ description: 'Options of the product, such as size or colour.' }),
    }),
  },
  options_in_use: {
    status: 409,
    type: 'state_error',
    meaning: 'The change would remove an option value that variants use, or give two variants the same option values.',
    fix: 'Update or delete the variants in `details.variantIds` first, or keep the option value.',
    details: z.object({
      variantIds: z.array(z.string()).meta({
        description:
          'Identifiers of the variants that use the removed option value or would have the same option values.',
      }),
    }),
  },
  variant_limit_reached: {
    status: 409,
    type: 'state_error',
    meaning: 'The product has the maximum number of variants.',
    fix: 'Delete a variant, or create another product.',
    details: z.object({
      limit: z.int().meta({ description: 'Maximum number of variants of a product.', examples: [100] }),
    }),
  },
  compare_at_price_too_low: {
    status: 409,
    type: 'state_error',
    meaning: 'After the change, `compareAtPriceKobo` would not be higher than `priceKobo`.',
    fix: 'Send both prices of the variant, or `compareAtPriceKobo: null`.',
    details: z.object({
      priceKobo: z
        .int()
        .meta({ description: 'Price that the variant would have after the request, in kobo.', examples: [1500000] }),
      compareAtPriceKobo: z.int().meta({
        description: 'Compare-at price that the variant would have after the request, in kobo.',
        examples: [1400000],
      }),
    }),
  },
  inventory_changed: {
    status: 409,
    type: 'state_error',
    meaning: 'The on-hand quantity of the variant is not `expectedOnHand`: the quantity changed after it was read.',
    fix: 'If the adjustment is still right, send it again with the quantity in `details.currentOnHand` as `expectedOnHand`.',
    details: z.object({ currentOnHand: z.int().meta({ description: 'Current on-hand quantity.', examples: [9] }) }),
  },
  on_hand_out_of_range: {
    status: 409,
    type: 'state_error',
    meaning: 'The on-hand quantity after the adjustment would be below 0 or above 1,000,000,000.',
    fix: 'Subtract at most `details.currentOnHand`, or send the counted quantity as `set`.',
    details: z.object({ currentOnHand: z.int().meta({ description: 'Current on-hand quantity.', examples: [3] }) }),
  },
  total_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'The total of the order differs from `expectedTotalKobo`.',
    fix: 'Show the new total to the buyer, and send the new total as `expectedTotalKobo`.',
    details: z.object({
      expectedKobo: z.int().meta({ description: 'Total that the request expected, in kobo.', examples: [1500000] }),
      actualKobo: z.int().meta({ description: 'Current total of the order, in kobo.', examples: [1650000] }),
    }),
  },
  amount_too_large: {
    status: 409,
    type: 'state_error',
    meaning: 'An amount of the order would exceed the maximum of 100,000,000,000 kobo.',
    fix: 'Check that the amounts are in kobo, not naira, or split the order.',
    details: z.object({
      maxKobo: z
        .int()
        .meta({ description: 'Highest value that an amount of an order can have, in kobo.', examples: [100000000000] }),
    }),
  },
  discount_not_applicable: {
    status: 409,
    type: 'state_error',
    meaning: 'A discount code is not applicable to this order. `details.reason` says why.',
    fix: 'Send the order without the code in `details.code`. To check all its discount codes at once, preview the order.',
    details: z.object({
      code: z.string().meta({ description: 'Rejected discount code, as sent in the request.' }),
      reason: z
        .enum(discountRejections)
        .meta({ description: 'Reason why the code is not applicable. More values may be added.' }),
    }),
  },
  discount_locked: {
    status: 409,
    type: 'state_error',
    meaning: 'Some of the fields cannot change, because orders use the discount or the discount is archived.',
    fix: 'Leave out the fields that `details.fields` names, or archive the discount and create another.',
    details: z.object({
      fields: z
        .array(z.string())
        .meta({ description: 'Names of the discount’s fields that cannot change.', examples: [['percentageBps']] }),
    }),
  },
  discount_type_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'The request has a field that does not apply to the type of the discount.',
    fix: 'Leave out the fields that `details.fields` names, or create a discount of another type.',
    details: z.object({
      type: z.enum(discountTypes).meta({ description: 'Type of the discount.' }),
      fields: z.array(z.string()).meta({
        description: 'Names of the fields that do not apply to the type of the discount.',
        examples: [['amountKobo']],
      }),
    }),
  },
  discount_limit_below_uses: {
    status: 409,
    type: 'state_error',
    meaning: 'The usage limit is lower than the number of orders that already use the discount.',
    fix: 'Send a limit of at least `details.redemptionCount`, or pause the discount.',
    details: z.object({
      redemptionCount: z.int().meta({ description: 'Number of orders that use the discount.', examples: [12] }),
    }),
  },
  discount_window_empty: {
    status: 409,
    type: 'state_error',
    meaning: 'The discount would end before it starts.',
    fix: 'Send an `endsAt` that is later than its `startsAt`.',
    details: z.object({
      startsAt: z.string().meta({ description: 'Start that the discount would have had after the rejected change.' }),
      endsAt: z.string().meta({ description: 'End that the discount would have had after the rejected change.' }),
    }),
  },
} as const satisfies Record<string, ErrorDeclaration>
