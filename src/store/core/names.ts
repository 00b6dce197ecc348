/**
 * Converts column names. SQL names a column in snake_case, and TypeScript in camelCase: the field of the column
 * `payment_id` is `paymentId`. If a name already has the wanted form, both functions return it unchanged.
 */

export function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
