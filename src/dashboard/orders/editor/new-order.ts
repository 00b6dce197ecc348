import { orderSources, paymentMethods } from '../../../../registry/orders/order-states.ts'
import type { Address } from '../../../../registry/values/address.ts'
import type { Draft, FieldProblem } from '../../kit/draft.ts'
import { nairaPrice } from '../../kit/fields.ts'
import { addressIn, addressPaths, addressProblems } from './address.ts'
import { customerIn, customerProblems } from './customer.ts'
import type { FieldsOfPaths } from './problems.ts'
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
 * Builds the API request that creates an order from the form. This file checks only that all parts are filled in; the
 * API validates their values.
 */

export type OrderRequest = NonNullable<ReturnType<typeof bodyOf>>

export type BuiltOrder =
  | { readonly is: 'built'; readonly body: OrderRequest; readonly fields: FieldsOfPaths }
  /** The form has invalid values. */
  | { readonly is: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The form has no items or no customer yet. */
  | { readonly is: 'incomplete'; readonly problems: readonly FieldProblem[] }

/** `stored` is the default address of the chosen customer, whose coordinates the form does not contain. */
export function buildOrder(draft: Draft, stored: Address | null): BuiltOrder {
  const items = typedItemsOf(draft)
  const problems = [
    ...quantityProblemsOf(items),
    ...shippingProblems(draft),
    ...customerProblems(draft),
    ...addressProblems(draft),
  ]
  if (problems.length > 0) return { is: 'invalid', problems }
  const body = bodyOf(draft, stored)
  if (items.length > 0 && body !== undefined) return { is: 'built', body, fields: fieldsOf(items) }
  const missing = [
    ...(items.length > 0 ? [] : [{ field: 'findItems', message: 'Add an item: search for it and enter a quantity.' }]),
    ...(body !== undefined ? [] : [{ field: 'findCustomer', message: 'Choose a customer, or enter a new one.' }]),
  ]
  return { is: 'incomplete', problems: missing }
}

/** Undefined if the form contains no customer. */
function bodyOf(draft: Draft, stored: Address | null) {
  const customer = customerIn(draft)
  if (customer === undefined) return undefined
  const shippingAddress = addressIn(draft, stored)
  const discountCodes = codesIn(draft)
  const shippingKobo = shippingKoboOf(draft)
  return {
    ...customer,
    items: requestedItemsOf(typedItemsOf(draft)),
    paymentMethod: paymentMethods.find((method) => method === typed(draft, 'paymentMethod')) ?? usualMethod,
    source: orderSources.find((source) => source === typed(draft, 'source')) ?? usualSource,
    ...typedFields(draft, ['note']),
    ...(shippingAddress === undefined ? {} : { shippingAddress }),
    ...(discountCodes.length === 0 ? {} : { discountCodes }),
    ...(shippingKobo === undefined ? {} : { shippingKobo }),
  }
}

/** The payment method and the sales channel of most orders that a member enters. */
export const usualMethod = 'bank_transfer'
export const usualSource = 'whatsapp'

export function shippingKoboOf(draft: Draft): number | undefined {
  return nairaPrice.safeParse(typed(draft, 'shipping')).data
}

export function shippingProblems(draft: Draft): readonly FieldProblem[] {
  const text = typed(draft, 'shipping')
  if (text === undefined) return []
  const { error } = nairaPrice.safeParse(text)
  return (error?.issues ?? []).map(({ message }) => ({ field: 'shipping', message }))
}

/**
 * Returns the form field for each path in the request, so that a problem that the API reports is shown at its field.
 */
export function fieldsOf(items: readonly TypedItem[]): FieldsOfPaths {
  const rows = items.flatMap(({ variantId }, index) =>
    ['quantity', 'variantId'].map((name) => [`items[${index}].${name}`, quantityField(variantId)]),
  )
  const codes = [0, 1, 2].map((index) => [`discountCodes[${index}]`, 'discountCodes'])
  return {
    ...addressPaths,
    ...Object.fromEntries([...rows, ...codes]),
    ...{ 'customer.name': 'name', 'customer.email': 'email', 'customer.phone': 'phone' },
    ...{ customerId: 'findCustomer', customer: 'findCustomer', items: 'findItems', discountCodes: 'discountCodes' },
    ...{ shippingKobo: 'shipping', note: 'note', paymentMethod: 'paymentMethod', source: 'source' },
  }
}
