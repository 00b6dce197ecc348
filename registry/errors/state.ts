import { z } from 'zod'
import type { ErrorDeclaration } from '../error.ts'

/** What the stored state does not allow. */
export const stateErrors = {
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
    meaning: 'The amount is more than what is left to refund.',
    fix: 'Refund at most `details.refundableKobo`.',
    details: z.object({
      refundableKobo: z.int().meta({ description: 'What is left to refund, in kobo.', examples: [120000] }),
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
  invalid_transition: {
    status: 409,
    type: 'state_error',
    meaning: 'The record cannot move from its state to the one asked for.',
    fix: 'Ask for one of the states in `details.allowed`.',
    details: z.object({
      from: z.string().meta({ description: 'The state it is in.', examples: ['archived'] }),
      to: z.string().meta({ description: 'The state asked for.', examples: ['draft'] }),
      allowed: z.array(z.string()).meta({ description: 'The states it can move to now.', examples: [['active']] }),
    }),
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
} as const satisfies Record<string, ErrorDeclaration>
