import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** Conflicts with another record or another request. */
export const conflictErrors = {
  external_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another record already has this `externalReference`, so this is probably a repeated request.',
    fix: 'Read the record in `details.existingId`. For a new record, send a new reference.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the record with this reference.' }),
    }),
  },
  customer_exists: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The merchant already has a customer with this e-mail address, regardless of case.',
    fix: 'Use or update the existing customer, whose id is `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the customer with this e-mail address.' }),
    }),
  },
  payment_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A payment with this `reference` is already recorded, so this is probably a repeated request.',
    fix: 'Read the payment with `GET /payments?reference=`. For another payment, send its own reference.',
    details: z.object({
      existingId: z
        .string()
        .meta({ description: 'Identifier of the recorded payment that has the `reference` of the request.' }),
    }),
  },
  slug_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another product already has this `slug`.',
    fix: 'Send another slug, or update the product in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'Identifier of the product with this slug.' }) }),
  },
  sku_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another variant of this product or of an unarchived product has this `sku`, regardless of case.',
    fix: 'Send another SKU, or update or delete the variant in `details.existingId`, or archive its product.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the variant with this SKU.' }),
      sku: z.string().meta({ description: 'SKU of that variant, in its own case.', examples: ['ANK-MAX-M-IND'] }),
    }),
  },
  option_values_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another variant of the product has the same option values.',
    fix: 'Send another combination, or update the variant in `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the variant with these option values.' }),
    }),
  },
  code_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another discount that is not archived has this code.',
    fix: 'Send another code, or archive the discount in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'Identifier of the discount with this code.' }) }),
  },
  version_conflict: {
    status: 412,
    type: 'precondition_error',
    meaning: 'The record has changed since the version in `If-Match`.',
    fix: 'Read the record again, apply your change to its current state, and send its new `ETag`.',
    details: z.object({
      currentVersion: z.int().meta({ description: 'Current version of the record.', examples: [4] }),
    }),
  },
  concurrent_update: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The request waited too long for a lock that concurrent requests hold.',
    fix: 'Retry the request after a short, random delay.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
