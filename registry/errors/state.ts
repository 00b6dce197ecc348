import { z } from 'zod'
import { discountRejections, discountTypes } from '../values/discount-terms.ts'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

/** What the stored state does not allow. */
export const stateErrors = {
  invalid_transition: {
    status: 409,
    type: 'state_error',
    meaning: 'The record cannot move from its status to the one asked for.',
    fix: 'Move it to one of `details.allowed`, or read the record again if it should be elsewhere.',
    details: z.object({
      from: z.string().meta({ description: 'The status it has.', examples: ['delivered'] }),
      to: z.string().meta({ description: 'The status asked for.', examples: ['pending'] }),
      allowed: z.array(z.string()).meta({ description: 'What it can move to now.', examples: [['returned']] }),
    }),
  },
  order_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'Pieces of the order have left the shop, so it can come back but not be cancelled.',
    fix: 'Move the order to `returned` once it is back, and refund it.',
    details: z.object({
      status: z.string().meta({ description: 'The status it has.', examples: ['shipped'] }),
    }),
  },
  order_not_editable: {
    status: 409,
    type: 'state_error',
    meaning: 'Pieces of the order have left the shop, or it is over, so where it goes and to whom is settled.',
    fix: 'Change only `note`, `tags` and `metadata`.',
    details: z.object({
      status: z.string().meta({ description: 'The status it has.', examples: ['shipped'] }),
    }),
  },
  payment_not_verified: {
    status: 409,
    type: 'state_error',
    meaning: 'The payment provider does not confirm the payment as it was sent.',
    fix:
      'Read `details.reason`. With `other_amount`, send `details.amountKobo`; with `not_paid`, wait until the payer has ' +
      'paid; otherwise check `reference` and the order.',
    details: z.object({
      reason: z
        .enum(['not_found', 'not_paid', 'other_amount', 'other_order', 'other_currency', 'no_order'])
        .meta({ description: 'What does not agree.', examples: ['other_amount'] }),
      amountKobo: nullable(z.int()).meta({
        description: 'What the provider received, in kobo; null where it received nothing.',
        examples: [3000000],
      }),
    }),
  },
  payment_provider_not_connected: {
    status: 409,
    type: 'state_error',
    meaning: 'The merchant has not connected a Paystack account, so no payment can be verified.',
    fix: 'Connect it with `commerce payments paystack`, or record the payment by hand without `provider`.',
  },
  order_not_paid: {
    status: 409,
    type: 'state_error',
    meaning: 'No money has been received for the order, so there is none to refund.',
    fix: 'Record the payment first.',
  },
  order_fully_refunded: {
    status: 409,
    type: 'state_error',
    meaning: 'Everything that was paid for the order is refunded or being refunded.',
    fix: 'Nothing is left to do.',
  },
  refund_exceeds_refundable: {
    status: 409,
    type: 'state_error',
    meaning: 'The amount is more than what is left to refund, or than what is left of any one payment.',
    fix: 'Refund at most `details.refundableKobo`; what came by several payments goes back by several refunds.',
    details: z.object({
      refundableKobo: z.int().meta({ description: 'The most one refund can be now, in kobo.', examples: [120000] }),
    }),
  },
  refund_quantity_exceeds: {
    status: 409,
    type: 'state_error',
    meaning: 'More pieces of a line would be refunded than are left of it.',
    fix: 'Lower the quantities of the lines in `details.items`.',
    details: z.object({
      items: z
        .array(
          z.object({
            itemId: z.string().meta({ description: 'The order line.' }),
            refundableQuantity: z.int().meta({ description: 'Pieces of the line not yet refunded.', examples: [1] }),
          }),
        )
        .meta({ description: 'The lines asked for too often.' }),
    }),
  },
  payment_disputed: {
    status: 409,
    type: 'state_error',
    meaning:
      'The payer’s bank disputes the payment, or won the dispute, so that the provider gives nothing of it back.',
    fix: 'Wait until an open dispute is resolved. If the payer wins it, the money has gone back that way.',
  },
  refund_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'The provider was already asked for the refund, or it has ended.',
    fix: 'Read the refund to see how far it is. Only a `pending` one can be cancelled, for a short time.',
    details: z.object({ status: z.string().meta({ description: 'Where the refund is.', examples: ['processing'] }) }),
  },
  refund_not_awaiting_details: {
    status: 409,
    type: 'state_error',
    meaning: 'The refund is not waiting for a bank account, or has been given one.',
    fix: 'Send bank details only for a refund that is in `needs_attention` and has no `account`.',
    details: z.object({ status: z.string().meta({ description: 'Where the refund is.', examples: ['processing'] }) }),
  },
  customer_anonymised: {
    status: 409,
    type: 'state_error',
    meaning: 'The customer was anonymised: nothing more is kept about them, and nothing is sent to them.',
    fix: 'Create a new customer, or send `customer` with the order. What has to be sent all the same goes without the order.',
  },
  customer_has_open_orders: {
    status: 409,
    type: 'state_error',
    meaning: 'Some orders of the customer are still under way, or a refund or a shipment of one is.',
    fix: 'Finish or cancel the orders in `details.orderIds` first, and wait for the end of their refunds and shipments.',
    details: z.object({
      orderIds: z.array(z.string()).meta({ description: 'The oldest of these orders, up to twenty.' }),
      count: z.int().meta({ description: 'How many there are.', examples: [1] }),
    }),
  },
  address_limit_reached: {
    status: 409,
    type: 'state_error',
    meaning: 'The customer has as many addresses as one can have.',
    fix: 'Delete or change one of the addresses first.',
    details: z.object({
      limit: z.int().meta({ description: 'The most one customer can have.', examples: [20] }),
    }),
  },
  insufficient_stock: {
    status: 409,
    type: 'state_error',
    meaning: 'Some variants have less stock than was asked for; `details.items` lists every one.',
    fix: 'Lower the quantities, or restock first.',
    details: z.object({
      items: z
        .array(
          z.object({
            variantId: z.string().meta({ description: 'The variant.' }),
            sku: z.string().meta({ description: 'Its stock keeping unit.' }),
            requested: z.int().meta({ description: 'Pieces asked for.', examples: [3] }),
            available: z.int().meta({ description: 'Pieces that can be sold now.', examples: [1] }),
          }),
        )
        .meta({ description: 'Every line that is short.' }),
    }),
  },
  product_not_available: {
    status: 409,
    type: 'state_error',
    meaning: 'A product is a draft or archived and cannot be ordered.',
    fix: 'Remove the variants in `details.variantIds`, or activate their products.',
    details: z.object({
      variantIds: z.array(z.string()).meta({ description: 'The variants that cannot be ordered.' }),
    }),
  },
  product_in_use: {
    status: 409,
    type: 'state_error',
    meaning: 'Only a draft that was never ordered can be deleted.',
    fix: 'Archive the product instead: send `status: "archived"` to it.',
    details: z.object({ status: z.string().meta({ description: 'What the product is.', examples: ['active'] }) }),
  },
  product_needs_variant: {
    status: 409,
    type: 'state_error',
    meaning: 'An active product needs at least one variant with a price.',
    fix: 'Add a variant first, or archive the product instead of removing its last one.',
  },
  options_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'A variant has exactly one value of each option of its product, and these are others.',
    fix: 'Send a value of each option in `details.options`, or add the missing ones to the product first.',
    details: z.object({
      options: z
        .array(
          z.object({
            name: z.string().meta({ description: 'What differs.', examples: ['size'] }),
            values: z.array(z.string()).meta({ description: 'What can be chosen.', examples: [['S', 'M', 'L']] }),
          }),
        )
        .meta({ description: 'The options of the product.' }),
    }),
  },
  options_in_use: {
    status: 409,
    type: 'state_error',
    meaning: 'Some variants use a value that would go, or would no longer differ from one another.',
    fix: 'Change or remove the variants in `details.variantIds` first, or keep the value.',
    details: z.object({
      variantIds: z.array(z.string()).meta({ description: 'The variants that stand in the way.' }),
    }),
  },
  variant_limit_reached: {
    status: 409,
    type: 'state_error',
    meaning: 'The product already has as many variants as it can have.',
    fix: 'Remove one, or make another product.',
    details: z.object({ limit: z.int().meta({ description: 'The most it can have.', examples: [100] }) }),
  },
  compare_at_price_too_low: {
    status: 409,
    type: 'state_error',
    meaning: 'The price before a sale must be more than the price, which it would not be.',
    fix: 'Send both prices, or `compareAtPriceKobo: null`.',
    details: z.object({
      priceKobo: z.int().meta({ description: 'The price there would be.', examples: [1500000] }),
      compareAtPriceKobo: z.int().meta({ description: 'The price before a sale there would be.', examples: [1400000] }),
    }),
  },
  inventory_changed: {
    status: 409,
    type: 'state_error',
    meaning: 'Another number of pieces is on hand than `expectedOnHand`, so somebody adjusted it in between.',
    fix: 'Look whether the adjustment is still right for `details.currentOnHand`, and send that.',
    details: z.object({ currentOnHand: z.int().meta({ description: 'Pieces on hand now.', examples: [9] }) }),
  },
  on_hand_out_of_range: {
    status: 409,
    type: 'state_error',
    meaning: 'The adjustment would leave fewer than 0 or more than 1,000,000,000 pieces on hand.',
    fix: 'Take away no more than `details.currentOnHand`, or send the count itself as `set`.',
    details: z.object({ currentOnHand: z.int().meta({ description: 'Pieces on hand now.', examples: [3] }) }),
  },
  total_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'The order’s total differs from `expectedTotalKobo`.',
    fix: 'Show the buyer the new total and send it as `expectedTotalKobo`.',
    details: z.object({
      expectedKobo: z.int().meta({ description: 'The total that was expected.', examples: [1500000] }),
      actualKobo: z.int().meta({ description: 'The total now.', examples: [1650000] }),
    }),
  },
  amount_too_large: {
    status: 409,
    type: 'state_error',
    meaning: 'A resulting amount would pass 100,000,000,000 kobo, the most one order can hold.',
    fix: 'Split the order, or check the amounts: they are in kobo, not naira.',
    details: z.object({
      maxKobo: z.int().meta({ description: 'The most one order can hold.', examples: [100000000000] }),
    }),
  },
  discount_not_applicable: {
    status: 409,
    type: 'state_error',
    meaning: 'A discount code does not count for this order; `details.reason` says why.',
    fix: 'Tell the buyer, and send the order without the code in `details.code`. The preview tells of every code at once.',
    details: z.object({
      code: z.string().meta({ description: 'The code as it was sent.' }),
      reason: z.enum(discountRejections).meta({ description: 'Why it does not count. More values may be added.' }),
    }),
  },
  discount_locked: {
    status: 409,
    type: 'state_error',
    meaning: 'The discount was used or is archived, so some of what was sent can no longer change.',
    fix: 'Leave out the fields in `details.fields`, or archive the discount and create another.',
    details: z.object({
      fields: z
        .array(z.string())
        .meta({ description: 'The fields that cannot change.', examples: [['percentageBps']] }),
    }),
  },
  discount_type_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'A discount of this type has no such value.',
    fix: 'Leave out the fields in `details.fields`, or create a discount of another type.',
    details: z.object({
      type: z.enum(discountTypes).meta({ description: 'The type of the discount.' }),
      fields: z.array(z.string()).meta({ description: 'The values it has not.', examples: [['amountKobo']] }),
    }),
  },
  discount_limit_below_uses: {
    status: 409,
    type: 'state_error',
    meaning: 'The usage limit would be less than the uses there are.',
    fix: 'Send a limit of at least `details.redemptionCount`, or pause the discount.',
    details: z.object({
      redemptionCount: z.int().meta({ description: 'Orders that use it.', examples: [12] }),
    }),
  },
  discount_window_empty: {
    status: 409,
    type: 'state_error',
    meaning: 'The discount would end before it starts.',
    fix: 'Send an `endsAt` that is later than its `startsAt`.',
    details: z.object({
      startsAt: z.string().meta({ description: 'When it would start.' }),
      endsAt: z.string().meta({ description: 'When it would end.' }),
    }),
  },
} as const satisfies Record<string, ErrorDeclaration>
