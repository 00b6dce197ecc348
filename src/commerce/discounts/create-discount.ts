import type { Discount } from '../../../registry/discounts/discount.ts'
import type { DiscountInput } from '../../../registry/discounts/discount-input.ts'
import { type DiscountClass, discountClasses } from '../../../registry/values/discount-terms.ts'
import type { DiscountId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { newDiscountId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findDiscountIdByCode, insertDiscount } from '../../store/discounts/discount-writes.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'
import { toKobo } from '../money.ts'
import { normaliseCode } from './discount-choice.ts'
import { discountAt } from './discount-record.ts'
import { findUnknownTargets, type TargetsUnknown } from './discount-targets.ts'

export type CreateDiscountOutcome =
  | { readonly is: 'created'; readonly discount: Discount }
  | TargetsUnknown
  | { readonly is: 'code_in_use'; readonly existingId: DiscountId }
  | WindowEmpty

export interface WindowEmpty {
  readonly is: 'window_empty'
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
}

export async function createDiscount(work: Work, request: DiscountInput): Promise<CreateDiscountOutcome> {
  const { trx, merchantId } = work
  const [existingId, unknown] = await Promise.all([
    findDiscountIdByCode(trx, merchantId, normaliseCode(request.code)),
    findUnknownTargets(work, request.appliesTo, request.customerIds),
  ])
  if (unknown !== undefined) return unknown
  if (existingId !== undefined) return { is: 'code_in_use', existingId }
  const discount = newDiscount(work, request)
  const empty = emptyWindowOf(discount)
  if (empty !== undefined) return empty
  insertDiscount(trx, merchantId, discount)
  work.note({ title: [null, discount.title], code: [null, discount.code], type: [null, discount.type] })
  return { is: 'created', discount: discountAt(work.now, discount) }
}

/** Rejects a discount whose end is not after its start, because such a discount could never be used. */
export function emptyWindowOf({ startsAt, endsAt }: StoredDiscount): WindowEmpty | undefined {
  return endsAt !== null && endsAt <= startsAt ? { is: 'window_empty', startsAt, endsAt } : undefined
}

/**
 * Returns the given discount classes without duplicates and in a fixed order, so that two equal sets are stored
 * equally. The ids of the products or variants to which a discount applies are sorted for the same reason.
 */
export function classesOf(sent: readonly DiscountClass[]): DiscountClass[] {
  return discountClasses.filter((each) => sent.includes(each))
}

function newDiscount(work: Pick<Work, 'nowMs' | 'now'>, request: DiscountInput): StoredDiscount {
  return {
    id: newDiscountId(work.nowMs),
    title: request.title,
    code: normaliseCode(request.code),
    type: request.type,
    percentageBps: request.percentageBps ?? null,
    amountKobo: koboOrNull(request.amountKobo),
    maxDiscountKobo: koboOrNull(request.maxDiscountKobo),
    scope: request.appliesTo?.scope ?? 'order',
    appliesToIds: (request.appliesTo?.ids ?? []).toSorted(),
    minimumSubtotalKobo: koboOrNull(request.minimumSubtotalKobo),
    minimumQuantity: request.minimumQuantity ?? null,
    startsAt: request.startsAt === undefined ? work.now : normaliseInstant(request.startsAt),
    endsAt: request.endsAt === undefined ? null : normaliseInstant(request.endsAt),
    usageLimit: request.usageLimit ?? null,
    usageLimitPerCustomer: request.usageLimitPerCustomer ?? null,
    firstOrderOnly: request.firstOrderOnly ?? false,
    customerIds: request.customerIds?.toSorted() ?? null,
    combinesWith: classesOf(request.combinesWith ?? []),
    status: request.status ?? 'active',
    redemptionCount: 0,
    metadata: request.metadata ?? {},
    version: 1,
    createdAt: work.now,
    updatedAt: work.now,
  }
}

function koboOrNull(amount: number | undefined) {
  return amount === undefined ? null : toKobo(amount)
}
