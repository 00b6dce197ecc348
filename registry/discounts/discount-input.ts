import { z } from 'zod'
import type { DiscountScope as Scope } from '../values/discount-terms.ts'
import { discountCustomersMax } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { CustomerId, instant, Metadata, named, nullable, ProductId, VariantId } from '../values/vocabulary.ts'
import { DiscountScope, DiscountType, discountFields, targetIds } from './discount.ts'

/** What a client sends about a discount. */

const code = impersonalText()
  .regex(/^[A-Za-z0-9_-]{3,32}$/, { error: 'Must be 3 to 32 letters, digits, dashes or underscores.' })
  .meta({ maxLength: 32 })
  .meta({
    description: 'What the customer names to get it; kept in capitals. Unique until archived.',
    examples: ['DETTY10'],
  })

const appliesTo = named(
  'DiscountTarget',
  z
    .strictObject({ scope: DiscountScope, ids: targetIds.optional() })
    .superRefine((target, context) => {
      const ids = target.ids ?? []
      if ((target.scope === 'order') === ids.length > 0) {
        const message = 'Send ids for products or variants, and none for the whole order.'
        const problem = target.scope === 'order' ? 'unknown_field' : 'required'
        context.addIssue({ code: 'custom', path: ['ids'], message, params: { problem } })
      }
      ids.forEach((id, index) => {
        const path = ['ids', index]
        const kind = idKinds[target.scope]
        if (kind !== undefined && !kind.safeParse(id).success) {
          const message = `Must be the id of one of the ${target.scope}.`
          context.addIssue({ code: 'custom', path, message, params: { problem: 'invalid_format' } })
        }
        if (ids.indexOf(id) < index) {
          context.addIssue({
            code: 'custom',
            path,
            message: 'This id is already named.',
            params: { problem: 'duplicate' },
          })
        }
      })
    })
    .meta({ description: 'Which lines it looks at; the whole order when left out. The ids must exist.' }),
)

const idKinds: { readonly [Name in Scope]: z.ZodType | undefined } = {
  order: undefined,
  products: ProductId,
  variants: VariantId,
}

const customerIds = z
  .array(CustomerId)
  .min(1)
  .max(discountCustomersMax)
  .superRefine((ids, context) => {
    const seen = new Set<string>()
    ids.forEach((id, index) => {
      const message = 'This customer is already named.'
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index], message, params: { problem: 'duplicate' } })
      seen.add(id)
    })
  })
  .meta({
    description: 'The customers it is for, who must exist; all when left out.',
    examples: [['cus_01jd3f8q6hf5n8v1zr4c7e2m9k']],
  })

const status = z
  .enum(['active', 'paused'])
  .meta({ description: 'Whether the code can be used; `active` when left out.', examples: ['active'] })

/** Which values each type has. */
const valuesOf = {
  percentage: { required: ['percentageBps'], foreign: ['amountKobo'] },
  fixed_amount: { required: ['amountKobo'], foreign: ['percentageBps', 'maxDiscountKobo'] },
  free_shipping: { required: [], foreign: ['percentageBps', 'amountKobo', 'maxDiscountKobo'] },
} as const

/** The values that a discount of this type has no use for. */
export function foreignValues(
  type: keyof typeof valuesOf,
): readonly ('percentageBps' | 'amountKobo' | 'maxDiscountKobo')[] {
  return valuesOf[type].foreign
}

export const DiscountInput = named(
  'DiscountInput',
  z
    .strictObject({
      title: discountFields.title,
      code,
      type: DiscountType,
      percentageBps: discountFields.percentageBps.optional(),
      amountKobo: discountFields.amountKobo.optional(),
      maxDiscountKobo: discountFields.maxDiscountKobo.optional(),
      appliesTo: appliesTo.optional(),
      minimumSubtotalKobo: discountFields.minimumSubtotalKobo.optional(),
      minimumQuantity: discountFields.minimumQuantity.optional(),
      startsAt: instant('When it can first be used; now when left out.').optional(),
      endsAt: instant('From when on it can no longer be used; it never ends when left out.').optional(),
      usageLimit: discountFields.usageLimit.optional(),
      usageLimitPerCustomer: discountFields.usageLimitPerCustomer.optional(),
      firstOrderOnly: discountFields.firstOrderOnly.optional(),
      customerIds: customerIds.optional(),
      combinesWith: discountFields.combinesWith.optional(),
      status: status.optional(),
      metadata: Metadata.optional(),
    })
    .superRefine((discount, context) => {
      const { required, foreign } = valuesOf[discount.type]
      for (const field of required) {
        if (discount[field] !== undefined) continue
        const message = `A ${discount.type} needs it.`
        context.addIssue({ code: 'custom', path: [field], message, params: { problem: 'required' } })
      }
      for (const field of foreign) {
        if (discount[field] === undefined) continue
        const message = `A ${discount.type} has none.`
        context.addIssue({ code: 'custom', path: [field], message, params: { problem: 'unknown_field' } })
      }
    }),
)

export type DiscountInput = z.output<typeof DiscountInput>

const orNull = <Schema extends z.ZodType>(schema: Schema, description: string) => {
  return nullable(schema).meta({ description }).optional()
}

/** Everything but the type, which makes a discount what it is. */
export const DiscountChange = named(
  'DiscountChange',
  z
    .strictObject({
      title: discountFields.title.optional(),
      code: code.optional(),
      percentageBps: discountFields.percentageBps.optional(),
      amountKobo: discountFields.amountKobo.optional(),
      maxDiscountKobo: orNull(
        discountFields.maxDiscountKobo,
        'The most a percentage takes off, in kobo; null for any.',
      ),
      appliesTo: appliesTo.optional(),
      minimumSubtotalKobo: orNull(
        discountFields.minimumSubtotalKobo,
        'What the lines it is for must cost together before any discount, in kobo; null for nothing.',
      ),
      minimumQuantity: orNull(
        discountFields.minimumQuantity,
        'Pieces there must be of the lines it is for; null for any number.',
      ),
      startsAt: instant('When it can first be used.').optional(),
      endsAt: orNull(instant('The end.'), 'From when on it can no longer be used; null for never.'),
      usageLimit: orNull(
        discountFields.usageLimit,
        'Orders that can use it altogether, not below those that do; null for any number.',
      ),
      usageLimitPerCustomer: orNull(
        discountFields.usageLimitPerCustomer,
        'Orders of one customer that can use it; null for any number.',
      ),
      firstOrderOnly: discountFields.firstOrderOnly.optional(),
      customerIds: orNull(customerIds, 'The customers it is for, who must exist; null for all.'),
      combinesWith: discountFields.combinesWith.optional(),
      status: status.meta({ description: 'Whether the code can be used.', examples: ['paused'] }).optional(),
      metadata: Metadata.optional(),
    })
    .meta({ description: 'What is left out stays as it is; null clears.' }),
)

export type DiscountChange = z.output<typeof DiscountChange>
