import { archiveDiscount as archiveDiscountVerb } from '../commerce/discounts/archive-discount.ts'
import { createDiscount as createDiscountVerb, type WindowEmpty } from '../commerce/discounts/create-discount.ts'
import { discountAt } from '../commerce/discounts/discount-record.ts'
import type { TargetsUnknown } from '../commerce/discounts/discount-targets.ts'
import { updateDiscount as updateDiscountVerb } from '../commerce/discounts/update-discount.ts'
import {
  findDiscount,
  listDiscounts as listDiscountRows,
  listDiscountRedemptions as listUses,
} from '../store/discounts/discounts.ts'
import { implement } from './execute/implement.ts'
import type { Refuse } from './execute/refusal.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const listDiscounts = implement('listDiscounts', async ({ db, caller, now, filters, page }) => {
  const at = { merchantId: caller.merchantId, now }
  const discounts = await listDiscountRows(db, at, { ...filters, ...timeRangeOf(filters) }, page)
  return discounts.map((discount) => discountAt(now, discount))
})

export const getDiscount = implement('getDiscount', async ({ db, caller, now, params, refuse }) => {
  const discount = await findDiscount(db, caller.merchantId, params.id)
  return discount === undefined
    ? refuse('discount_not_found', `No discount has the id ${params.id}.`)
    : discountAt(now, discount)
})

export const createDiscount = implement('createDiscount', async ({ work, body, refuse }) => {
  const outcome = await createDiscountVerb(work, body)
  switch (outcome.is) {
    case 'created':
      return outcome.discount
    case 'targets_unknown':
      return refuseTargets(refuse, outcome)
    case 'window_empty':
      return refuseWindow(refuse, outcome)
    case 'code_in_use': {
      const { existingId } = outcome
      return refuse('code_in_use', `Discount ${existingId} already has this code.`, { existingId })
    }
  }
})

export const updateDiscount = implement('updateDiscount', async ({ work, params, body, refuse }) => {
  const outcome = await updateDiscountVerb(work, params.id, body)
  switch (outcome.is) {
    case 'updated':
      return outcome.discount
    case 'discount_unknown':
      return refuse('discount_not_found', `No discount has the id ${params.id}.`)
    case 'targets_unknown':
      return refuseTargets(refuse, outcome)
    case 'locked': {
      const fields = [...outcome.fields]
      return refuse(
        'discount_locked',
        `The discount is archived or used by orders, so these fields cannot change: ${fields.join(', ')}.`,
        { fields },
      )
    }
    case 'type_differs': {
      const { type } = outcome
      const fields = [...outcome.fields]
      return refuse(
        'discount_type_mismatch',
        `A discount of the type ${type} does not support these fields: ${fields.join(', ')}.`,
        {
          type,
          fields,
        },
      )
    }
    case 'limit_below_uses': {
      const { redemptionCount } = outcome
      return refuse(
        'discount_limit_below_uses',
        `${redemptionCount} orders use the discount. Its usage limit must be at least ${redemptionCount}.`,
        { redemptionCount },
      )
    }
    case 'window_empty':
      return refuseWindow(refuse, outcome)
    case 'code_in_use': {
      const { existingId } = outcome
      return refuse('code_in_use', `Discount ${existingId} already has this code.`, { existingId })
    }
  }
})

export const archiveDiscount = implement('archiveDiscount', async ({ work, params, refuse }) => {
  const outcome = await archiveDiscountVerb(work, params.id)
  switch (outcome.is) {
    case 'archived':
      return outcome.discount
    case 'discount_unknown':
      return refuse('discount_not_found', `No discount has the id ${params.id}.`)
  }
})

export const listDiscountRedemptions = implement(
  'listDiscountRedemptions',
  async ({ db, caller, params, filters, page, refuse }) => {
    const { merchantId } = caller
    const range = timeRangeOf(filters)
    const uses = await listUses(db, { merchantId, discountId: params.id }, range, page)
    if (uses.length > 0) return uses
    // If there are no redemptions, the discount is read, so that an unknown discount returns 404 instead of an empty
    // list.
    const discount = await findDiscount(db, merchantId, params.id)
    return discount === undefined ? refuse('discount_not_found', `No discount has the id ${params.id}.`) : uses
  },
)

function refuseTargets(
  refuse: Refuse<'product_not_found' | 'variant_not_found' | 'customer_not_found'>,
  { kind, ids }: TargetsUnknown,
): never {
  switch (kind) {
    case 'products':
      return refuse('product_not_found', `No product has the id ${ids.join(', ')}.`)
    case 'variants':
      return refuse('variant_not_found', `These variant ids are unknown: ${ids.join(', ')}.`, { variantIds: [...ids] })
    case 'customers':
      return refuse('customer_not_found', `No customer has the id ${ids.join(', ')}.`)
  }
}

function refuseWindow(refuse: Refuse<'discount_window_empty'>, { startsAt, endsAt }: WindowEmpty): never {
  return refuse(
    'discount_window_empty',
    `The discount would start at ${startsAt} and end at ${endsAt}. The end must be later than the start.`,
    {
      startsAt,
      endsAt,
    },
  )
}
