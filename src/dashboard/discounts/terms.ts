import type { DiscountState } from '../../../registry/values/discount-terms.ts'
import { koboPerNaira, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { count, type Tone } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { bpsPerPercent } from '../kit/fields.ts'

type Discount = ReplyOf<'getDiscount'>

export const stateTone: Readonly<Record<DiscountState, Tone>> = {
  scheduled: 'waiting',
  active: 'good',
  expired: 'quiet',
  exhausted: 'quiet',
  paused: 'waiting',
  archived: 'quiet',
}

const shortNaira = new Intl.NumberFormat('en-NG', {
  ...{ style: 'currency', currency: 'NGN', trailingZeroDisplay: 'stripIfInteger' },
})

const naira = (kobo: number) => shortNaira.format(kobo / koboPerNaira)

const shortTime = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Africa/Lagos', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})

const timeText = (at: Timestamp) => shortTime.format(new Date(at))

/** Names of products, variants and customers by their ids. */
export type Names = ReadonlyMap<string, string>

/**
 * Returns the terms of a discount as one sentence, such as “10 % off orders from ₦20,000, once for each customer, until
 * 3 Dec 2026, 18:00”. If `names` lacks the name of a listed record, the sentence states how many records are listed
 * instead of their names.
 */
export function termsOf(discount: Discount, names: Names = new Map()): string {
  const { minimumQuantity, usageLimit, usageLimitPerCustomer, firstOrderOnly, customerIds, startsAt, endsAt } = discount
  const { maxDiscountKobo } = discount
  const conditions = [
    maxDiscountKobo === null ? undefined : `at most ${naira(maxDiscountKobo)} for each order`,
    minimumQuantity === null || minimumQuantity === 1 ? undefined : `from ${count(minimumQuantity)} units`,
    firstOrderOnly ? 'only for a first order' : undefined,
    customerIds === null ? undefined : `only for ${listed(customerIds, 'customers', names)}`,
    usageLimitPerCustomer === null ? undefined : `${timesOf(usageLimitPerCustomer)} for each customer`,
    usageLimit === null ? undefined : `${timesOf(usageLimit)} in total`,
    discount.state === 'scheduled' ? `from ${timeText(startsAt)}` : undefined,
    endsAt === null ? undefined : `until ${timeText(endsAt)}`,
  ]
  return [reductionOf(discount, names), ...conditions.filter((text) => text !== undefined)].join(', ')
}

function reductionOf({ type, percentageBps, amountKobo, ...discount }: Discount, names: Names): string {
  const { minimumSubtotalKobo, appliesTo } = discount
  const from = minimumSubtotalKobo === null ? '' : ` from ${naira(minimumSubtotalKobo)}`
  const target = appliesTo.scope === 'order' ? 'orders' : listed(appliesTo.ids, appliesTo.scope, names)
  switch (type) {
    case 'percentage':
      return `${(percentageBps ?? 0) / bpsPerPercent} % off ${target}${from}`
    case 'fixed_amount':
      return `${naira(amountKobo ?? 0)} off ${target}${from}`
    case 'free_shipping':
      return `Free shipping for ${target}${from}`
  }
}

/**
 * Maximum number of records, such as products, that the sentence about the terms of a discount lists by name. For more
 * records, the sentence states only their number.
 */
const namedMax = 3

function listed(ids: readonly string[], noun: string, names: Names): string {
  const found = ids.flatMap((id) => names.get(id) ?? [])
  if (found.length === ids.length && ids.length <= namedMax) return found.join(' or ')
  return ids.length === 1 ? `one ${noun.slice(0, -1)}` : `${count(ids.length)} ${noun}`
}

function timesOf(uses: number): string {
  if (uses === 1) return 'once'
  return uses === 2 ? 'twice' : `${count(uses)} times`
}
