import { z } from 'zod'
import type { DiscountScope as Scope } from '../values/discount-terms.ts'
import { discountCustomersMax } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { CustomerId, instant, Metadata, named, nullable, ProductId, VariantId } from '../values/vocabulary.ts'
import { DiscountScope, DiscountType, discountFields, targetIds } from './discount.ts'

const code = impersonalText()
  .regex(/^[A-Za-z0-9_-]{3,32}$/, { error: 'Must be 3 to 32 letters, digits, dashes or underscores.' })
  .meta({ maxLength: 32 })
  .meta({
    description:
      'Discount code that customers enter. It is stored in upper case and unique among discounts that are not archived.',
    examples: ['DETTY10'],
  })

const appliesTo = named(
  'DiscountTarget',
  z
    .strictObject({ scope: DiscountScope, ids: targetIds.optional() })
    .superRefine((target, context) => {
      const ids = target.ids ?? []
      if ((target.scope === 'order') === ids.length > 0) {
        const message =
          target.scope === 'order'
            ? 'Must be left out for a discount with the scope `order`.'
            : `Is required for a discount with the scope \`${target.scope}\`.`
        const problem = target.scope === 'order' ? 'unknown_field' : 'required'
        context.addIssue({ code: 'custom', path: ['ids'], message, params: { problem } })
      }
      ids.forEach((id, index) => {
        const path = ['ids', index]
        const kind = idKinds[target.scope]
        if (kind !== undefined && !kind.safeParse(id).success) {
          const message = `Must be the id of one of the merchant’s ${target.scope}, as the scope of the discount requires.`
          context.addIssue({ code: 'custom', path, message, params: { problem: 'invalid_format' } })
        }
        if (ids.indexOf(id) < index) {
          context.addIssue({
            code: 'custom',
            path,
            message: 'Must not contain the same id twice.',
            params: { problem: 'duplicate' },
          })
        }
      })
    })
    .meta({
      description:
        'Items to which the discount applies. When left out, the discount applies to the whole order. The products or variants with these ids must exist.',
    }),
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
      const message = 'Must not contain the same customer twice.'
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index], message, params: { problem: 'duplicate' } })
      seen.add(id)
    })
  })
  .meta({
    description: 'Identifiers of existing customers who may use the discount. When left out, all customers may use it.',
    examples: [['cus_01jd3f8q6hf5n8v1zr4c7e2m9k']],
  })

const status = z
  .enum(['active', 'paused'])
  .meta({ description: 'Status of the discount. When left out, `active`.', examples: ['active'] })

/** The request fields that each discount type requires, and those that do not apply to it. */
const valuesOf = {
  percentage: { required: ['percentageBps'], foreign: ['amountKobo'] },
  fixed_amount: { required: ['amountKobo'], foreign: ['percentageBps', 'maxDiscountKobo'] },
  free_shipping: { required: [], foreign: ['percentageBps', 'amountKobo', 'maxDiscountKobo'] },
} as const

export function inapplicableFields(
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
      startsAt: instant('When the discount starts. When left out, it starts at once.').optional(),
      endsAt: instant('When the discount ends. When left out, it never ends.').optional(),
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
        const message = `Is required for a discount of the type \`${discount.type}\`.`
        context.addIssue({ code: 'custom', path: [field], message, params: { problem: 'required' } })
      }
      for (const field of foreign) {
        if (discount[field] === undefined) continue
        const message = `Must be left out for a discount of the type \`${discount.type}\`.`
        context.addIssue({ code: 'custom', path: [field], message, params: { problem: 'unknown_field' } })
      }
    }),
)

export type DiscountInput = z.output<typeof DiscountInput>

const orNull = <Schema extends z.ZodType>(schema: Schema, description: string) => {
  return nullable(schema).meta({ description }).optional()
}

/** The type of a discount cannot change. */
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
        'Maximum amount that a percentage discount takes off one order, in kobo. Null for no maximum.',
      ),
      appliesTo: appliesTo.optional(),
      minimumSubtotalKobo: orNull(
        discountFields.minimumSubtotalKobo,
        'Minimum subtotal of the eligible items before discounts, in kobo. Null for no minimum.',
      ),
      minimumQuantity: orNull(
        discountFields.minimumQuantity,
        'Minimum quantity of the eligible items. Null for no minimum.',
      ),
      startsAt: instant('When the discount starts.').optional(),
      endsAt: orNull(instant('When the discount ends.'), 'When the discount ends. Null if it never ends.'),
      usageLimit: orNull(
        discountFields.usageLimit,
        'Maximum number of orders that can use the discount. Must be at least `redemptionCount`. Null for no limit.',
      ),
      usageLimitPerCustomer: orNull(
        discountFields.usageLimitPerCustomer,
        'Maximum number of orders per customer that can use the discount. Null for no limit.',
      ),
      firstOrderOnly: discountFields.firstOrderOnly.optional(),
      customerIds: orNull(
        customerIds,
        'Identifiers of existing customers who may use the discount. Null for all customers.',
      ),
      combinesWith: discountFields.combinesWith.optional(),
      status: status.meta({ description: 'Status of the discount.', examples: ['paused'] }).optional(),
      metadata: Metadata.optional(),
    })
    .meta({ description: 'Changes of a discount. Fields that are left out keep their values; null clears a field.' }),
)

export type DiscountChange = z.output<typeof DiscountChange>
