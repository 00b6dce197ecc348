import { z } from 'zod'
import { type DiscountType, discountClasses, discountTypes } from '../../../registry/values/discount-terms.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { CallInput, ReplyOf } from '../kit/call.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import {
  bpsPerPercent,
  checkBox,
  chosenIds,
  line,
  nairaAmount,
  percentage,
  several,
  textMaxLength,
  version,
} from '../kit/fields.ts'
import { koboText } from '../kit/parts.ts'
import { typedLagosTime, typedTime } from '../kit/time-range.ts'
import { targetIdsOf } from './preview.ts'

/** The fields of the discount forms, and their conversion to requests of the API. */

const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{1,10}$/, { error: 'Enter a whole number, such as 100.' })
  .transform(Number)

/** The kinds of records to which a form limits a discount. */
export const limitKinds = ['products', 'customers'] as const

/** The fields that can change even after an order has used the discount. */
const lastingFields = {
  title: z.string().trim().max(textMaxLength).optional(),
  endsAt: typedTime.optional(),
  usageLimit: wholeNumber.optional(),
  usageLimitPerCustomer: wholeNumber.optional(),
}

/** The fields that determine the effect of a discount code. They cannot change after an order has used the code. */
const meaningFields = {
  code: line(textMaxLength),
  value: z.string().trim().max(textMaxLength).optional(),
  maximum: nairaAmount.optional(),
  minimum: nairaAmount.optional(),
  minimumQuantity: wholeNumber.optional(),
  startsAt: typedTime.optional(),
  firstOrderOnly: checkBox,
  combinesWith: several(z.enum(discountClasses)),
  products: chosenIds,
  customers: chosenIds,
  /**
   * The kinds of records, such as products, to which the discount was limited when the form was last shown. To remove
   * the limit to a kind of records, the member must tick its check box.
   */
  limited: several(z.enum(limitKinds)),
}

const searchFields = {
  intent: z.literal('preview').optional(),
  productSearch: z.string().optional(),
  customerSearch: z.string().optional(),
}

/**
 * Check boxes that explicitly remove a limit of a discount. `wholeOrder` removes the limit to products, and `everyone`
 * removes the limit to customers.
 */
const wideningFields = { wholeOrder: checkBox, everyone: checkBox }

const pausedField = { paused: checkBox, version }

export const newDiscountFields = z.strictObject({
  ...{ ...lastingFields, ...meaningFields, ...searchFields, ...wideningFields },
  type: z.enum(discountTypes, { error: 'Choose a kind.' }),
})

export const unusedDiscountFields = z.strictObject({
  ...{ ...lastingFields, ...meaningFields, ...searchFields, ...pausedField, ...wideningFields },
})

export const usedDiscountFields = z.strictObject({ ...lastingFields, ...pausedField })

type NewFields = z.output<typeof newDiscountFields>
export type UnusedFields = z.output<typeof unusedDiscountFields>
export type UsedFields = z.output<typeof usedDiscountFields>
type Discount = ReplyOf<'getDiscount'>

export const fieldsOfPaths: Readonly<Record<string, string>> = {
  ...{ code: 'code', title: 'title', type: 'type', percentageBps: 'value', amountKobo: 'value' },
  ...{ maxDiscountKobo: 'maximum', minimumSubtotalKobo: 'minimum', minimumQuantity: 'minimumQuantity' },
  ...{ startsAt: 'startsAt', endsAt: 'endsAt', usageLimit: 'usageLimit' },
  ...{ usageLimitPerCustomer: 'usageLimitPerCustomer', 'appliesTo.ids': 'products', customerIds: 'customers' },
}

type Reduction =
  | { readonly is: 'valid'; readonly reduction: { readonly percentageBps?: number; readonly amountKobo?: number } }
  | { readonly is: 'invalid'; readonly message: string }

const percent = percentage({ min: 1, max: 10_000 })

export function reductionOf(type: DiscountType, value: string | undefined): Reduction {
  switch (type) {
    case 'percentage': {
      const { data, error } = percent.safeParse(value?.endsWith('%') === true ? value.slice(0, -1) : value)
      return data === undefined ? invalid(error) : { is: 'valid', reduction: { percentageBps: data } }
    }
    case 'fixed_amount': {
      const { data, error } = nairaAmount.safeParse(value)
      return data === undefined ? invalid(error) : { is: 'valid', reduction: { amountKobo: data } }
    }
    case 'free_shipping':
      if (value === undefined || value === '') return { is: 'valid', reduction: {} }
      return { is: 'invalid', message: 'Leave this field empty for free shipping.' }
  }
}

function invalid(error: z.ZodError | undefined): Reduction {
  return { is: 'invalid', message: error?.issues[0]?.message ?? 'Fill in this field.' }
}

type Terms = Omit<UnusedFields, keyof typeof searchFields | keyof typeof pausedField | keyof typeof wideningFields>

/** Without a title, the code is the title. */
export function newBody(fields: NewFields, reduction: object): CallInput<'createDiscount'>['body'] {
  const { title, code, type, maximum, minimum, minimumQuantity, startsAt, endsAt, products, customers } = fields
  const { usageLimit, usageLimitPerCustomer, firstOrderOnly, combinesWith } = fields
  return {
    ...{ title: title ?? code, code, type, firstOrderOnly, combinesWith, ...reduction },
    ...(maximum === undefined ? {} : { maxDiscountKobo: maximum }),
    ...(minimum === undefined ? {} : { minimumSubtotalKobo: minimum }),
    ...(minimumQuantity === undefined ? {} : { minimumQuantity }),
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(usageLimit === undefined ? {} : { usageLimit }),
    ...(usageLimitPerCustomer === undefined ? {} : { usageLimitPerCustomer }),
    ...(products.length === 0 ? {} : { appliesTo: targetsOf(products) }),
    ...(customers.length === 0 ? {} : { customerIds: [...customers] }),
  }
}

type Change = CallInput<'updateDiscount'>['body']

/**
 * Returns the update of a discount that an order has already used. It contains only the form fields that can still
 * change.
 */
export function usedChange(discount: Discount, fields: UsedFields): Change {
  const { title, endsAt, usageLimit, usageLimitPerCustomer, paused } = fields
  return {
    ...(title === undefined ? {} : { title }),
    ...(isShown(endsAt, discount.endsAt) ? {} : { endsAt: endsAt ?? null }),
    ...{ usageLimit: usageLimit ?? null, usageLimitPerCustomer: usageLimitPerCustomer ?? null },
    status: paused ? 'paused' : 'active',
  }
}

/** Returns the body of updateDiscount for a discount that no order has used: all fields can change. */
export function unusedChange(discount: Discount, fields: UnusedFields, reduction: object): Change {
  const { code, maximum, minimum, minimumQuantity, startsAt, firstOrderOnly, combinesWith } = fields
  return {
    ...{ ...usedChange(discount, fields), ...reduction, code, firstOrderOnly, combinesWith },
    ...{ maxDiscountKobo: maximum ?? null, minimumSubtotalKobo: minimum ?? null },
    minimumQuantity: minimumQuantity ?? null,
    ...(startsAt === undefined || isShown(startsAt, discount.startsAt) ? {} : { startsAt }),
    ...targetChange(discount, fields),
  }
}

/**
 * Returns the changes of the products and the customers to which a discount is limited. If the products or the
 * customers are the same as before, they are omitted from the request. A limit to variants therefore stays unless the
 * member chooses products, and deleted records remain in the limit.
 */
function targetChange(discount: Discount, { products, customers }: UnusedFields): Change {
  const { productIds, customerIds } = targetIdsOf(discount)
  const appliesTo = products.length === 0 ? { scope: 'order' as const } : targetsOf(products)
  return {
    ...(isSameSet(products, productIds) ? {} : { appliesTo }),
    ...(isSameSet(customers, customerIds) ? {} : { customerIds: customers.length === 0 ? null : [...customers] }),
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(some), new Set(others)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}

function targetsOf(ids: readonly string[]) {
  return { scope: 'products' as const, ids: [...ids] }
}

/**
 * Reports whether a typed time equals the stored time without its seconds. The form shows times without seconds, so if
 * both are equal, the member has not changed the time.
 */
function isShown(typed: Timestamp | undefined, stored: Timestamp | null): boolean {
  if (typed === undefined || stored === null) return (typed ?? null) === stored
  return typedLagosTime(typed) === typedLagosTime(stored)
}

/**
 * Returns the form values for the terms of a discount. The terms are either the stored ones, or those that the member
 * typed.
 */
export function draftOf(terms: Partial<Terms> & { readonly type?: DiscountType }, more: DraftValues = {}): Draft {
  const number = (value: number | undefined) => (value === undefined ? undefined : String(value))
  const naira = (kobo: number | undefined) => (kobo === undefined ? undefined : koboText(kobo))
  const at = (time: Timestamp | undefined) => (time === undefined ? undefined : typedLagosTime(time))
  return newDraft({
    ...{ code: terms.code, title: terms.title, type: terms.type, value: terms.value },
    ...{ maximum: naira(terms.maximum), minimum: naira(terms.minimum) },
    ...{ minimumQuantity: number(terms.minimumQuantity), usageLimit: number(terms.usageLimit) },
    usageLimitPerCustomer: number(terms.usageLimitPerCustomer),
    ...{ startsAt: at(terms.startsAt), endsAt: at(terms.endsAt) },
    firstOrderOnly: terms.firstOrderOnly === true ? 'yes' : undefined,
    ...{ combinesWith: terms.combinesWith, products: terms.products, customers: terms.customers },
    limited: terms.limited,
    ...more,
  })
}

type DraftValues = Readonly<Record<string, string | undefined>>

export function storedDraft(discount: Discount): Draft {
  const { appliesTo, percentageBps, amountKobo, status } = discount
  const percentText = percentageBps === null ? undefined : String(percentageBps / bpsPerPercent)
  const terms = {
    ...{ code: discount.code ?? '', title: discount.title, startsAt: discount.startsAt },
    value: amountKobo === null ? percentText : koboText(amountKobo),
    ...{ maximum: discount.maxDiscountKobo ?? undefined, minimum: discount.minimumSubtotalKobo ?? undefined },
    ...{ minimumQuantity: discount.minimumQuantity ?? undefined, endsAt: discount.endsAt ?? undefined },
    usageLimit: discount.usageLimit ?? undefined,
    usageLimitPerCustomer: discount.usageLimitPerCustomer ?? undefined,
    ...{ firstOrderOnly: discount.firstOrderOnly, combinesWith: discount.combinesWith },
    products: appliesTo.scope === 'products' ? appliesTo.ids : [],
    customers: discount.customerIds ?? [],
  }
  return draftOf(terms, { paused: status === 'paused' ? 'yes' : undefined, version: String(discount.version) })
}
