import { isDeepStrictEqual } from 'node:util'
import type { ReplyOf } from '../../kit/call.ts'
import { type Draft, type FieldProblem, newDraft } from '../../kit/draft.ts'
import { koboText } from '../../kit/parts.ts'
import { addressIn, addressNames, addressProblems, addressValues } from './address.ts'
import { shippingKoboOf, shippingProblems } from './new-order.ts'
import {
  codesIn,
  quantityField,
  quantityProblemsOf,
  requestedItemsOf,
  type TypedItem,
  typed,
  typedFields,
  typedItemsOf,
} from './values.ts'

/**
 * Finds the fields of an order that a member has changed in the form. The API request contains only these fields: the
 * API would reject a request that contains a field that can no longer be changed, even with an unchanged value.
 */

export type Order = ReplyOf<'getOrder'>

export function draftOfOrder(order: Order): Draft {
  const { items, discounts, shippingKobo, shippingAddress, note, version, totalKobo } = order
  const quantities = items.flatMap(({ variantId, quantity }) =>
    variantId === null ? [] : [[quantityField(variantId), String(quantity)] as const],
  )
  return newDraft({
    ...Object.fromEntries(quantities),
    ...(shippingAddress === null ? {} : addressValues(shippingAddress)),
    discountCodes: discounts.length === 0 ? undefined : discounts.map(({ code }) => code).join(' '),
    shipping: shippingKobo === 0 ? undefined : koboText(shippingKobo),
    note: note ?? undefined,
    version: String(version),
    shownTotal: String(totalKobo),
  })
}

export function changesOf(draft: Draft, order: Order) {
  const items = typedItemsOf(draft)
  const codes = codesIn(draft)
  const shippingKobo = shippingKoboOf(draft) ?? 0
  const before = draftOfOrder(order)
  const isItemChanged = !isDeepStrictEqual(textsOf(items), textsOf(typedItemsOf(before)))
  const isCodeChanged = !isDeepStrictEqual(sorted(codes), sorted(codesIn(before)))
  const isAddressChanged = !isDeepStrictEqual(typedFields(draft, addressNames), typedFields(before, addressNames))
  const isNoteChanged = typed(draft, 'note') !== typed(before, 'note')
  return {
    ...(isItemChanged ? { items: requestedItemsOf(items) } : {}),
    ...(isCodeChanged ? { discountCodes: codes } : {}),
    ...(shippingKobo === order.shippingKobo ? {} : { shippingKobo }),
    ...(isAddressChanged ? { shippingAddress: addressIn(draft, order.shippingAddress) ?? null } : {}),
    ...(isNoteChanged ? { note: typed(draft, 'note') ?? null } : {}),
  }
}

function textsOf(items: readonly TypedItem[]): Readonly<Record<string, string>> {
  return Object.fromEntries(items.map(({ variantId, text }) => [variantId, text]))
}

function sorted(codes: readonly string[]): readonly string[] {
  return codes.map((code) => code.toUpperCase()).toSorted()
}

/** Returns the problems that the dashboard itself finds in the form of an order, such as an order without items. */
export function changeProblems(draft: Draft): readonly FieldProblem[] {
  const items = typedItemsOf(draft)
  const none = { field: 'findItems', message: 'An order has at least one item. To remove all items, cancel the order.' }
  return [
    ...(items.length === 0 ? [none] : []),
    ...quantityProblemsOf(items),
    ...shippingProblems(draft),
    ...addressProblems(draft),
  ]
}
