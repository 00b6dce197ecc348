import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** Records the merchant does not have. Another merchant’s record answers the same. */
export const missingErrors = {
  order_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'ord',
    meaning: 'The merchant has no order with this id.',
    fix: 'Use the `id` of an order of the merchant the token belongs to.',
  },
  refund_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'rfd',
    meaning: 'The merchant has no refund with this id.',
    fix: 'Use the `id` of a refund of the merchant the token belongs to.',
  },
  customer_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'cus',
    meaning: 'The merchant has no customer with this id.',
    fix: 'Use the `id` of an existing customer; for an order, you can send `customer` instead.',
  },
  address_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The customer has no address with this id.',
    fix: 'Use one of the `addresses[].id` of the customer.',
  },
  product_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'prd',
    meaning: 'The merchant has no product with this id.',
    fix: 'Use the `id` of a product of the merchant the token belongs to.',
  },
  discount_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'dsc',
    meaning: 'The merchant has no discount with this id.',
    fix: 'Use the `id` of a discount of the merchant the token belongs to.',
  },
  quote_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'qte',
    meaning: 'The merchant has no quote with this id, or the quote has no offer with this id.',
    fix: 'Use the `id` of a quote of the merchant the token belongs to, and one of its `offers[].id`.',
  },
  shipment_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'shp',
    meaning: 'The merchant has no shipment with this id.',
    fix: 'Use the `id` of a shipment of the merchant the token belongs to.',
  },
  zone_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'There is no active delivery zone with this id.',
    fix: 'Use the `id` of a zone as GET /logistics/zones lists them, or send a point as `lat` and `lng`.',
  },
  surge_not_kept: {
    status: 404,
    type: 'not_found',
    meaning: 'The moment lies ahead, or longer ago than published surges are kept.',
    fix: 'Send an `at` of the last 90 days, or leave it out for now.',
  },
  event_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'evt',
    meaning: 'The merchant has no event with this id, or it is older than 30 days.',
    fix: 'Use the `id` of an event of the last 30 days; what it told of can still be read.',
  },
  image_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The product has no image with one of these ids.',
    fix: 'Use the `images[].id` of the product; `details.imageIds` lists the unknown ones.',
    details: z.object({ imageIds: z.array(z.string()).meta({ description: 'The image ids that are unknown.' }) }),
  },
  variant_not_found: {
    status: 404,
    type: 'not_found',
    recordPrefix: 'var',
    meaning: 'The merchant has no product variant with one of these ids.',
    fix: 'Use variant ids of the merchant’s own catalogue; `details.variantIds` lists the unknown ones.',
    details: z.object({
      variantIds: z.array(z.string()).meta({ description: 'The variant ids that are unknown.' }),
    }),
  },
  item_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The order has no line with one of these ids.',
    fix: 'Use the `items[].id` of the order.',
    details: z.object({ itemIds: z.array(z.string()).meta({ description: 'The line ids that are unknown.' }) }),
  },
} as const satisfies Record<string, ErrorDeclaration>
