import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** What another record, or another request, stands in the way of. */
export const conflictErrors = {
  external_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another record already has this `externalReference`, so this is probably a repeated request.',
    fix: 'Read the record named in `details.existingId`; send a new reference for a new one.',
    details: z.object({ existingId: z.string().meta({ description: 'The record that has the reference.' }) }),
  },
  customer_exists: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The merchant already has a customer with this e-mail address, whatever its case.',
    fix: 'Use or change the customer named in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'The customer who has the address.' }) }),
  },
  payment_reference_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A payment with this `reference` is already recorded, so this is probably a repeated request.',
    fix: 'Find the payment by `GET /payments?reference=`; send a new reference for new money.',
    details: z.object({ existingId: z.string().meta({ description: 'The payment that has the reference.' }) }),
  },
  slug_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another product already has this `slug`.',
    fix: 'Send another slug, or change the product named in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'The product that has the slug.' }) }),
  },
  sku_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.',
    fix: 'Send another SKU, or change or delete the variant named in `details.existingId`, or archive its product.',
    details: z.object({
      existingId: z.string().meta({ description: 'The variant that has the SKU.' }),
      sku: z.string().meta({ description: 'The SKU as that variant has it.', examples: ['ANK-MAX-M-IND'] }),
    }),
  },
  option_values_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another variant of the product has the same option values.',
    fix: 'Choose another combination, or change the variant named in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'The variant that has the values.' }) }),
  },
  code_in_use: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Another discount that is not archived has this code.',
    fix: 'Choose another code, or archive the discount named in `details.existingId`.',
    details: z.object({ existingId: z.string().meta({ description: 'The discount that has the code.' }) }),
  },
  version_conflict: {
    status: 412,
    type: 'precondition_error',
    meaning: 'The record has changed since the version named in `If-Match`.',
    fix: 'Read the record again, apply the change to what it is now, and send its `ETag`.',
    details: z.object({
      currentVersion: z.int().meta({ description: 'The version the record has now.', examples: [4] }),
    }),
  },
  concurrent_update: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Other requests kept the same record busy for too long.',
    fix: 'Send the request again after a short, random wait.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorDeclaration>
