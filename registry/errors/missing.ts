import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { surgeHistoryDays } from '../values/limits.ts'

/** A request with the id of another merchant's record returns the same error as an unknown id. */
export const missingErrors = {
  order_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'ord',
    meaning: 'The merchant has no order with this id.',
    fix: 'Send the `id` of an order of the merchant, created in the mode of the token (live or test).',
  },
  payment_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'pay',
    meaning: 'The merchant has no payment with this id.',
    fix: 'Send the `id` of a payment of the merchant, created in the mode of the token (live or test).',
  },
  payment_link_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The order has no payment link.',
    fix: 'Create one with `POST /orders/{id}/payment-link`.',
  },
  refund_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'rfd',
    meaning: 'The merchant has no refund with this id.',
    fix: 'Send the `id` of a refund of the merchant, created in the mode of the token (live or test).',
  },
  return_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'ret',
    meaning: 'The merchant has no return with this id.',
    fix: 'Send the `id` of a return of the merchant, created in the mode of the token (live or test).',
  },
  remittance_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'rmt',
    meaning: 'The merchant has no remittance with this id.',
    fix: 'Send the `id` of a recorded remittance, which `GET /logistics/remittances` returns.',
  },
  carrier_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'No carrier has this code.',
    fix: 'Send the code of a carrier that has collected cash, which `GET /logistics/remittances` returns.',
  },
  customer_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'cus',
    meaning: 'The merchant has no customer with this id.',
    fix: 'Send the `id` of an existing customer. An order can also be created with `customer` instead of `customerId`.',
  },
  address_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The customer has no address with this id.',
    fix: 'Send the `id` of one of the customer’s `addresses`.',
  },
  product_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'prd',
    meaning: 'The merchant has no product with this id.',
    fix: 'Send the `id` of a product of the merchant, created in the mode of the token (live or test).',
  },
  discount_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'dsc',
    meaning: 'The merchant has no discount with this id.',
    fix: 'Send the `id` of a discount of the merchant, created in the mode of the token (live or test).',
  },
  quote_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'qte',
    meaning: 'The merchant has no quote with this id, or the quote has no offer with this id.',
    fix: 'Send the `id` of a quote of the merchant, in the mode of the token, and one of the quote’s `offers[].id`.',
  },
  shipment_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'shp',
    meaning: 'The merchant has no shipment with this id.',
    fix: 'Send the `id` of a shipment of the merchant, created in the mode of the token (live or test).',
  },
  zone_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'No active delivery zone has this id.',
    fix: 'Send the `id` of a zone from `GET /logistics/zones`, or a point as `lat` and `lng`.',
  },
  surge_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The time in `at` is in the future, or older than the stored surge history.',
    fix: `Send an \`at\` within the last ${surgeHistoryDays} days, or leave it out to get the current surge.`,
  },
  event_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'evt',
    meaning: 'The merchant has no event with this id, or the event happened more than 30 days ago.',
    fix: 'Send the `id` of an event of the last 30 days. For an older event, read the record that changed.',
  },
  image_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'At least one of the image ids does not belong to an image of the product.',
    fix: 'Replace the ids in `details.imageIds` with ids from `images[].id` of the product.',
    details: z.object({
      imageIds: z
        .array(z.string())
        .meta({ description: 'Image ids of the request that do not belong to the product.' }),
    }),
  },
  variant_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'var',
    meaning: 'At least one of the variant ids does not belong to a variant of the merchant.',
    fix: 'Replace the ids in `details.variantIds` with ids of variants of the merchant, created in the mode of the token (live or test).',
    details: z.object({
      variantIds: z
        .array(z.string())
        .meta({ description: 'Variant ids of the request that do not belong to the merchant.' }),
    }),
  },
  item_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'At least one of the item ids does not belong to an item of the order.',
    fix: 'Replace the ids in `details.itemIds` with ids from `items[].id` of the order.',
    details: z.object({
      itemIds: z.array(z.string()).meta({ description: 'Item ids of the request that do not belong to the order.' }),
    }),
  },
} as const satisfies Record<string, ErrorDeclaration>
