import { z } from 'zod'
import { type Draft, type FieldProblem, type FormValues, fieldValue } from '../../kit/draft.ts'

/**
 * The values of the form in which a member enters or edits an order. After each step, the form is shown again with all
 * values as they were typed. The values are therefore stored as text, and converted only for the API request.
 */

/**
 * Schema of the form fields that have no schema of their own. Each of them has one or several text values. The quantity
 * fields are among them, because their names depend on the items of the order.
 */
export const anyTexts = z.union([z.string(), z.array(z.string())])

export function typed(draft: Draft, name: string): string | undefined {
  const text = fieldValue(draft, name).trim()
  return text === '' ? undefined : text
}

export function typedFields<const Name extends string>(
  draft: Draft,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  return Object.assign({}, ...names.map((name) => ifTyped(name, typed(draft, name))))
}

function ifTyped(name: string, text: string | undefined): Readonly<Record<string, string>> {
  return text === undefined ? {} : { [name]: text }
}

const quantityPrefix = 'quantity-'

export function quantityField(variantId: string): string {
  return `${quantityPrefix}${variantId}`
}

/** An item of the form, whose quantity may be invalid. */
export interface TypedItem {
  readonly variantId: string
  readonly text: string
}

/** Returns the items of the form, in the sequence of its rows. The quantity 0 removes an item. */
export function typedItemsOf({ values }: Pick<Draft, 'values'>): readonly TypedItem[] {
  return Object.entries(values).flatMap(([name, [text = '']]) => {
    const trimmed = text.trim()
    if (!name.startsWith(quantityPrefix) || /^0*$/.test(trimmed)) return []
    return [{ variantId: name.slice(quantityPrefix.length), text: trimmed }]
  })
}

/** Returns the values without the item whose button `Remove` was pressed, and without the items with the quantity 0. */
export function withoutRemoved(values: FormValues): FormValues {
  const [removed] = values.remove ?? []
  const items = new Set(typedItemsOf({ values }).map(({ variantId }) => variantId))
  const kept = Object.entries(values).filter(([name]) => {
    if (name === 'remove') return false
    if (!name.startsWith(quantityPrefix)) return true
    const variantId = name.slice(quantityPrefix.length)
    return items.has(variantId) && variantId !== removed
  })
  return Object.fromEntries(kept)
}

export function quantityProblemsOf(items: readonly TypedItem[]): readonly FieldProblem[] {
  return items
    .filter(({ text }) => !isQuantity(text))
    .map(({ variantId }) => ({ field: quantityField(variantId), message: 'Use a whole number, such as 2.' }))
}

export function requestedItemsOf(items: readonly TypedItem[]): { variantId: string; quantity: number }[] {
  return items
    .filter(({ text }) => isQuantity(text))
    .map(({ variantId, text }) => ({ variantId, quantity: Number(text) }))
}

function isQuantity(text: string): boolean {
  return /^\d{1,9}$/.test(text)
}

export function codesIn(draft: Draft): string[] {
  return fieldValue(draft, 'discountCodes')
    .split(/[\s,]+/)
    .filter((code) => code !== '')
}

/** In kobo. Undefined if the form showed no total. */
export function shownTotalOf(draft: Draft): number | undefined {
  const text = fieldValue(draft, 'shownTotal')
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function distinctProblems(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.field} ${problem.message}`, problem]))
  return [...seen.values()]
}
