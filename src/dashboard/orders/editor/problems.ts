import type { DetailsOf, ErrorCode } from '../../../../registry/errors/index.ts'
import type { DiscountRejection } from '../../../../registry/values/discount-terms.ts'
import { nairaText } from '../../../base/naira.ts'
import type { Refusal } from '../../../operations/execute/refusal.ts'
import type { FieldProblem } from '../../kit/draft.ts'
import { hasCode } from '../../kit/refused.ts'
import { quantityField } from './values.ts'

/** Maps each field of a request body, given by a path such as `items[0].quantity`, to a form field. */
export type FieldsOfPaths = Readonly<Record<string, string>>

/** Returns the reasons why the API rejected the order, each at its form field if there is one. */
export function problemsOfRefusal(refusal: Refusal, fields: FieldsOfPaths, isEdit = false): readonly FieldProblem[] {
  const { problems = [] } = refusal
  if (problems.length > 0) {
    return problems.map(({ path, message }) => ({ field: fields[path.replace(/^body\.?/, '')], message }))
  }
  const about = codedProblems(refusal, isEdit)
  return about.length > 0 ? about : [{ field: undefined, message: messageOf(refusal) }]
}

function codedProblems(refusal: Refusal, isEdit: boolean): readonly FieldProblem[] {
  if (hasCode(refusal, 'variant_not_found')) return refusal.details.variantIds.map(unknownVariant)
  if (hasCode(refusal, 'product_not_available')) return refusal.details.variantIds.map(unavailableVariant)
  if (hasCode(refusal, 'insufficient_stock')) {
    const { items } = refusal.details
    return items.map(({ variantId, available }) => shortageProblem({ variantId, available, isEdit }))
  }
  if (hasCode(refusal, 'discount_not_applicable')) return [rejectionProblem(refusal.details)]
  return []
}

function unknownVariant(variantId: string): FieldProblem {
  return { field: quantityField(variantId), message: 'This product does not exist. Remove it from the order.' }
}

function unavailableVariant(variantId: string): FieldProblem {
  return {
    field: quantityField(variantId),
    message: 'This product is not for sale. Remove it, or activate the product.',
  }
}

/**
 * For an edited order, the available quantity that the API states does not include the units that the order already
 * has.
 */
export function shortageProblem({
  variantId,
  available,
  isEdit = false,
}: {
  readonly variantId: string
  readonly available: number
  readonly isEdit?: boolean
}): FieldProblem {
  const units = isEdit ? 'more units' : 'units'
  const message = available === 0 ? `No ${units} are available.` : `Only ${available} ${units} are available.`
  return { field: quantityField(variantId), message }
}

export function rejectionProblem({
  code,
  reason,
}: {
  readonly code: string
  readonly reason: DiscountRejection
}): FieldProblem {
  return { field: 'discountCodes', message: `${code}: ${rejections[reason]}` }
}

const rejections = {
  not_found: 'no discount has this code.',
  paused: 'the discount is paused.',
  not_started: 'the discount has not started yet.',
  expired: 'the discount has ended.',
  usage_limit_reached: 'the discount has been used as often as it allows.',
  not_eligible: 'the discount is for other customers.',
  not_first_order: 'the discount is for the first order of a customer.',
  customer_limit_reached: 'the customer has used the discount as often as it allows.',
  no_eligible_items: 'the discount is for other products.',
  minimum_not_met: 'the order does not reach the minimum of the discount.',
  combination_disallowed: 'the discount cannot be combined with the other codes.',
} as const satisfies Record<DiscountRejection, string>

const blocks = {
  ended: 'the order has ended.',
  handed_over: 'units of the order were handed over.',
  in_shipment: 'a shipment contains units of the order. Cancel the shipment first.',
  refunded: 'the order has a refund. Create a new order for further items.',
  item_in_use: 'a refund or a return names an item that you removed. Reduce its quantity instead.',
} as const satisfies Record<DetailsOf<'order_content_not_editable'>['reason'], string>

/** Returns the message of a rejection that concerns the whole order. */
function messageOf(refusal: Refusal): string {
  if (hasCode(refusal, 'total_mismatch')) {
    const { expectedKobo, actualKobo } = refusal.details
    return `The total is now ${nairaText(actualKobo)} instead of ${nairaText(expectedKobo)}. Check the order, then submit it again.`
  }
  if (hasCode(refusal, 'order_content_not_editable'))
    return `The items, the discounts and the shipping price cannot change: ${blocks[refusal.details.reason]}`
  if (hasCode(refusal, 'order_not_editable')) {
    const { reason } = refusal.details
    if (reason === 'in_shipment')
      return 'The shipping address cannot change, because a shipment of the order is in progress. Cancel the shipment first.'
    const status = refusal.details.status.replaceAll('_', ' ')
    return `The shipping address cannot change, because the order is ${status} or units of it were handed over.`
  }
  const { code, message } = refusal
  return isExplained(code) ? messages[code] : message
}

function isExplained(code: ErrorCode): code is keyof typeof messages {
  return Object.hasOwn(messages, code)
}

const messages = {
  version_conflict: 'The order was changed after you opened this form. Open the form again to see the change.',
  customer_anonymised: 'The data of this customer was erased. Choose another customer, or enter a new one.',
  customer_not_found: 'This customer does not exist. Search again.',
  amount_too_large: 'The total exceeds the maximum amount of an order. Check the prices, or split the order.',
} as const satisfies Partial<Record<ErrorCode, string>>
