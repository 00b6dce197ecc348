import { z } from 'zod'
import type { ErrorDeclaration } from './error.ts'

/**
 * The catalogue: every code this API can answer, with its one status, its meaning and its fix.
 * What the schema can judge is 400, what depends on stored state is 409, another merchant's record is a 404.
 */
export const catalogue = {
  malformed_request: {
    status: 400,
    type: 'request_error',
    meaning: 'The bytes received are not a valid HTTP request.',
    fix: 'Send a well-formed HTTP/1.1 request.',
  },
  invalid_json: {
    status: 400,
    type: 'request_error',
    meaning: 'The body is not JSON, or is empty where one is required.',
    fix: 'Send one JSON object, encoded as UTF-8.',
  },
  validation_failed: {
    status: 400,
    type: 'validation_error',
    meaning: 'One or more values do not fit the schema; `errors` lists each of them.',
    fix: 'Correct every value named in `errors` and send the request again.',
  },
  unknown_parameter: {
    status: 400,
    type: 'validation_error',
    meaning: 'The query holds a parameter this operation does not have.',
    fix: 'Remove the parameters named in `errors`, or correct their spelling.',
  },
  invalid_time_range: {
    status: 400,
    type: 'validation_error',
    meaning: 'The start of a time range is not before its end.',
    fix: 'Send a `From` that is earlier than its `To`.',
  },
  invalid_cursor: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor was not issued by this list for this merchant, or was altered.',
    fix: 'Pass the `pagination.cursor` of the previous page unchanged, or start again without a cursor.',
  },
  cursor_expired: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The cursor is 24 hours old or older.',
    fix: 'Start again from the first page, without a cursor.',
  },
  cursor_filter_mismatch: {
    status: 400,
    type: 'pagination_error',
    meaning: 'The filters sent differ from those the cursor was issued for.',
    fix: 'Send the cursor alone, or with exactly the filters of the first page.',
  },
  invalid_idempotency_key: {
    status: 400,
    type: 'idempotency_error',
    meaning: 'The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.',
    fix: 'Send 1 to 255 printable ASCII characters, one key for each refund you intend.',
  },
  missing_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The request carries no bearer token.',
    fix: 'Send the header `Authorization: Bearer <API_TOKEN>`.',
  },
  invalid_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The bearer token is malformed or unknown.',
    fix: 'Send the full token as it was shown when it was created, or create a new one.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The token has passed its expiry.',
    fix: 'Create a new token and use it instead.',
  },
  token_revoked: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The token was revoked.',
    fix: 'Create a new token and use it instead.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    meaning: 'The token lacks the scope this operation needs.',
    fix: 'Use a token that was created with the scope named in `details.requiredScope`.',
    details: z.object({
      requiredScope: z.string().meta({ description: 'The scope the operation needs.' }),
      tokenScopes: z.array(z.string()).meta({ description: 'The scopes the token carries.' }),
    }),
  },
  ip_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The token may not be used from this address.',
    fix: 'Call from an address on the token’s allowlist, or create a token for this one.',
    details: z.object({ sourceIp: z.string().meta({ description: 'The address the request came from.' }) }),
  },
  merchant_suspended: {
    status: 403,
    type: 'permission_error',
    meaning: 'The merchant’s account is suspended.',
    fix: 'Contact the operator of this service.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'No operation has this path.',
    fix: 'Compare the path with the reference; every path begins with /api/v1.',
  },
  order_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The merchant has no order with this id.',
    fix: 'Use the `id` of an order of the merchant the token belongs to.',
  },
  refund_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The merchant has no refund with this id.',
    fix: 'Use the `id` of a refund of the merchant the token belongs to.',
  },
  customer_not_found: {
    status: 404,
    type: 'not_found',
    meaning: 'The merchant has no customer with this id.',
    fix: 'Use the `id` of an existing customer, or send `customer` instead.',
  },
  variant_not_found: {
    status: 404,
    type: 'not_found',
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
    fix: 'Use the `items[].id` of the order being refunded.',
    details: z.object({ itemIds: z.array(z.string()).meta({ description: 'The line ids that are unknown.' }) }),
  },
  method_not_allowed: {
    status: 405,
    type: 'request_error',
    meaning: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    type: 'request_error',
    meaning: 'The request did not arrive whole in time.',
    fix: 'Send the whole request without long pauses.',
    retryable: true,
  },
  idempotency_conflict: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'The Idempotency-Key was used within the last 24 hours with a different body.',
    fix: 'Use a new key for a new refund; repeat a key only with the very same body.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'idempotency_error',
    meaning: 'A request with the same Idempotency-Key is still running.',
    fix: 'Wait as long as `Retry-After` says and send the same request again.',
    retryable: true,
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
  external_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another order already has this `externalReference`, so this is probably a repeated request.',
    fix: 'Read the order named in `details.existingId`; send a new reference for a new order.',
    details: z.object({ existingId: z.string().meta({ description: 'The order that has the reference.' }) }),
  },
  payment_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A payment with this `reference` is already recorded, so this is probably a repeated request.',
    fix: 'Read the payment named in `details.existingId`; send a new reference for new money.',
    details: z.object({ existingId: z.string().meta({ description: 'The payment that has the reference.' }) }),
  },
  concurrent_update: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Other requests kept the same record busy for too long.',
    fix: 'Send the request again after a short, random wait.',
    retryable: true,
  },
  body_too_large: {
    status: 413,
    type: 'request_error',
    meaning: 'The body is larger than 1 MiB.',
    fix: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'request_error',
    meaning: 'The body is not declared as uncompressed `application/json` in UTF-8.',
    fix: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  headers_too_large: {
    status: 431,
    type: 'request_error',
    meaning: 'The request’s headers are larger than 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    meaning: 'The service failed. Nothing was changed.',
    fix: 'Send the request again; if it keeps failing, report its `requestId`.',
    retryable: true,
  },
  outcome_unknown: {
    status: 503,
    type: 'api_error',
    meaning: 'The database went away in the very moment of keeping the change: it may or may not have been made.',
    fix: 'Look whether the record is there, by its `externalReference` or `reference`, before sending the request again.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'The service cannot reach its database or is shutting down.',
    fix: 'Wait as long as `Retry-After` says and send the request again.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
