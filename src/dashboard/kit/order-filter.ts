import { OrderId } from '../../../registry/values/vocabulary.ts'
import type { Markup } from '../../markup/markup.ts'
import { findOrderId } from '../../store/orders/order-by-number.ts'
import { type Draft, newDraft } from './draft.ts'
import { textField } from './form.ts'
import type { Visit } from './visit.ts'

/** The filter of a list by an order number. The API filters by the order's id, which the dashboard reads first. */

/** Maximum length of the order number that a member types into the filter, longer than any order number or order id. */
const numberMaxLength = 40

export function orderField(draft: Draft): Markup {
  return textField(draft, { name: 'order', label: 'Order number' })
}

/**
 * Returns the id of the order that the filter names by number or id. Null if no order has the number. Undefined without
 * a filter.
 */
export async function filteredOrder(
  { context, tenant }: Visit,
  text: string | undefined,
): Promise<OrderId | null | undefined> {
  if (text === undefined) return undefined
  const given = OrderId.safeParse(text.trim())
  if (given.success) return given.data
  const number = text.trim().toUpperCase()
  if (number.length > numberMaxLength || !/^[A-Z0-9-]+$/.test(number)) return null
  return (await findOrderId(context.database, tenant.merchantId, number)) ?? null
}

export const noOrder = 'No order has this number.'

/**
 * Returns the entered filters of a list, with a problem at the field of the order number, because no order has this
 * number.
 */
export function unknownOrder(query: Readonly<Record<string, string>>): Draft {
  return { ...newDraft(query), problems: [{ field: 'order', message: noOrder }] }
}
