import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** Errors of requests that conflict with another record or another request. */
export const conflictErrors = {
  external_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another record already has this `externalReference`, so this is probably a repeated request.',
    fix: 'Read the existing record, whose id is `details.existingId`. For a new record, send a new reference.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the existing record with this `externalReference`.' }),
    }),
  },
  customer_exists: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The merchant already has a customer with this e-mail address, regardless of case.',
    fix: 'Use or update the existing customer with the id `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the customer with this e-mail address.' }),
    }),
  },
  remittance_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A remittance with this `reference` is already recorded, so this is probably a repeated request.',
    fix: 'If the request repeats the remittance with the id `details.existingId`, do nothing. To record a different transfer, send the reference of that transfer.',
    details: z.object({
      existingId: z
        .string()
        .meta({ description: 'Identifier of the recorded remittance that has the `reference` of the request.' }),
    }),
  },
  payment_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A payment with this `reference` is already recorded, so this is probably a repeated request.',
    fix:
      'Read the recorded payment with `GET /payments?reference=`. To record a different payment, send the ' +
      'reference of that payment.',
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
    fix: 'Send another slug, or update the existing product with the id `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the existing product with this slug.' }),
    }),
  },
  sku_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'Another variant, of this product or of a product that is not archived, has this `sku`, regardless of case.',
    fix: 'Send another SKU. Alternatively, change or delete the variant with the id `details.existingId`, or archive its product.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the variant with this SKU.' }),
      sku: z
        .string()
        .meta({ description: 'SKU of the existing variant, spelled as stored.', examples: ['ANK-MAX-M-IND'] }),
    }),
  },
  option_values_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another variant of the product has the same option values.',
    fix: 'Send another combination of option values, or update the variant with the id `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the variant with these option values.' }),
    }),
  },
  code_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another discount that is not archived has this code.',
    fix: 'Send another code, or archive the discount with the id `details.existingId`.',
    details: z.object({
      existingId: z.string().meta({ description: 'Identifier of the existing discount with this code.' }),
    }),
  },
  version_conflict: {
    status: 412,
    type: 'precondition_error',
    meaning: 'The record no longer has the version in `If-Match`, or the price in `expectedPriceKobo`.',
    fix: 'Read the record again, apply your change to its current state, and send its new `ETag` or price.',
    details: z.object({
      currentVersion: z.int().meta({ description: 'Version that the record has now.', examples: [4] }),
    }),
  },
  concurrent_update: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The request waited too long for a lock that concurrent requests hold, or a concurrent request changed a record ' +
      'that it had read.',
    fix: 'Retry the request after a short, random delay.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
