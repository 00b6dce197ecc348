import { isDeepStrictEqual } from 'node:util'
import type { Discount } from '../../../registry/discounts/discount.ts'
import { type DiscountChange, inapplicableFields } from '../../../registry/discounts/discount-input.ts'
import type { DiscountType } from '../../../registry/values/discount-terms.ts'
import type { DiscountId } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'
import type { Work } from '../../store/core/mutation.ts'
import {
  findDiscountIdByCode,
  type LockedDiscount,
  lockDiscount,
  updateDiscount as write,
} from '../../store/discounts/discount-writes.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'
import { toKobo } from '../money.ts'
import { classesOf, emptyWindowOf, type WindowEmpty } from './create-discount.ts'
import { normaliseCode } from './discount-choice.ts'
import { discountAt } from './discount-record.ts'
import { findUnknownTargets, type TargetsUnknown } from './discount-targets.ts'

export type UpdateDiscountOutcome =
  | { readonly is: 'updated'; readonly discount: Discount }
  | { readonly is: 'discount_unknown' }
  | TargetsUnknown
  | { readonly is: 'locked'; readonly fields: readonly string[] }
  | { readonly is: 'type_differs'; readonly type: DiscountType; readonly fields: readonly string[] }
  | { readonly is: 'limit_below_uses'; readonly redemptionCount: number }
  | WindowEmpty
  | { readonly is: 'code_in_use'; readonly existingId: DiscountId }

export async function updateDiscount(
  work: Work,
  id: DiscountId,
  change: DiscountChange,
): Promise<UpdateDiscountOutcome> {
  const { trx, merchantId } = work
  const [before, unknown, existingId] = await Promise.all([
    lockDiscount(trx, merchantId, id),
    findUnknownTargets(work, change.appliesTo, change.customerIds),
    change.code === undefined ? undefined : findDiscountIdByCode(trx, merchantId, normaliseCode(change.code)),
  ])
  if (before === undefined) return { is: 'discount_unknown' }
  if (unknown !== undefined) return unknown
  work.requireVersion(before.version)
  const after = changed(before, change)
  const fields = changedFields(before, after)
  const refusal = refusalOf({ before, after, change, fields })
  if (refusal !== undefined) return refusal
  if (existingId !== undefined && existingId !== id) return { is: 'code_in_use', existingId }
  if (fields.length === 0) {
    return work.abort({ is: 'updated', discount: discountAt(work.now, before) })
  }
  const written = { ...after, version: before.version + 1, updatedAt: work.now }
  write(trx, merchantId, written)
  for (const field of fields) work.note({ [field]: auditedChange(field, before, after) })
  return { is: 'updated', discount: discountAt(work.now, written) }
}

type Field = Exclude<keyof StoredDiscount, 'id' | 'type' | 'redemptionCount' | 'version' | 'createdAt' | 'updatedAt'>

/**
 * For each field of a discount, whether it can still be changed after the first redemption. The changeable fields do
 * not affect existing orders.
 */
const isEditableOnceUsed = {
  title: true,
  code: false,
  percentageBps: false,
  amountKobo: false,
  maxDiscountKobo: false,
  scope: false,
  appliesToIds: false,
  minimumSubtotalKobo: false,
  minimumQuantity: false,
  startsAt: false,
  endsAt: true,
  usageLimit: true,
  usageLimitPerCustomer: true,
  firstOrderOnly: false,
  customerIds: false,
  combinesWith: false,
  status: true,
  metadata: true,
} as const satisfies Record<Field, boolean>

const everyField = Object.keys(isEditableOnceUsed).filter((name): name is Field =>
  Object.hasOwn(isEditableOnceUsed, name),
)

function changedFields(before: StoredDiscount, after: StoredDiscount): Field[] {
  return everyField.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

interface ProposedChange {
  readonly before: LockedDiscount
  readonly after: StoredDiscount
  readonly change: DiscountChange
  readonly fields: readonly Field[]
}

function refusalOf({ before, after, change, fields }: ProposedChange): UpdateDiscountOutcome | undefined {
  const locked = fields.filter(
    (field) => before.status === 'archived' || (before.wasUsed && !isEditableOnceUsed[field]),
  )
  if (locked.length > 0) return { is: 'locked', fields: [...new Set(locked.map(nameOf))] }
  const foreign = inapplicableFields(before.type).filter((field) => (change[field] ?? null) !== null)
  if (foreign.length > 0) return { is: 'type_differs', type: before.type, fields: foreign }
  const { redemptionCount } = before
  if (after.usageLimit !== null && after.usageLimit < redemptionCount)
    return { is: 'limit_below_uses', redemptionCount }
  return emptyWindowOf(after)
}

function nameOf(field: Field): string {
  return field === 'scope' || field === 'appliesToIds' ? 'appliesTo' : field
}

/** Metadata may contain personal data, so its values are redacted in the audit log. */
function auditedChange(field: Field, before: StoredDiscount, after: StoredDiscount): readonly [unknown, unknown] {
  return field === 'metadata' ? ['[redacted]', '[redacted]'] : [before[field], after[field]]
}

/** Fields that the changes omit stay unchanged; null clears a field. */
function changed({ wasUsed: _, ...before }: LockedDiscount, change: DiscountChange): StoredDiscount {
  const { appliesTo } = change
  return {
    ...before,
    title: change.title ?? before.title,
    code: change.code === undefined ? before.code : normaliseCode(change.code),
    percentageBps: change.percentageBps ?? before.percentageBps,
    amountKobo: change.amountKobo === undefined ? before.amountKobo : toKobo(change.amountKobo),
    maxDiscountKobo: patchedOr(change.maxDiscountKobo, before.maxDiscountKobo, toKobo),
    scope: appliesTo?.scope ?? before.scope,
    appliesToIds: appliesTo === undefined ? before.appliesToIds : (appliesTo.ids ?? []).toSorted(),
    minimumSubtotalKobo: patchedOr(change.minimumSubtotalKobo, before.minimumSubtotalKobo, toKobo),
    minimumQuantity: patchedOr(change.minimumQuantity, before.minimumQuantity, same),
    startsAt: change.startsAt === undefined ? before.startsAt : normaliseInstant(change.startsAt),
    endsAt: patchedOr(change.endsAt, before.endsAt, normaliseInstant),
    usageLimit: patchedOr(change.usageLimit, before.usageLimit, same),
    usageLimitPerCustomer: patchedOr(change.usageLimitPerCustomer, before.usageLimitPerCustomer, same),
    firstOrderOnly: change.firstOrderOnly ?? before.firstOrderOnly,
    customerIds: patchedOr(change.customerIds, before.customerIds, (ids) => ids.toSorted()),
    combinesWith: change.combinesWith === undefined ? before.combinesWith : classesOf(change.combinesWith),
    status: change.status ?? before.status,
    metadata: change.metadata ?? before.metadata,
  }
}

function patchedOr<Sent, Kept>(
  sent: Sent | null | undefined,
  kept: Kept | null,
  read: (value: Sent) => Kept,
): Kept | null {
  if (sent === undefined) return kept
  return sent === null ? null : read(sent)
}

function same(value: number): number {
  return value
}
