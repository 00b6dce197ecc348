/** A value in a statement: an argument, or a column of one relation. */
export interface Value {
  /** Undefined for a column. */
  readonly argument?: string | undefined
  /**
   * Values that this column equals in every row: a condition removes all rows with another value, or an INSERT stores
   * the value in the column.
   */
  readonly required: Value[]
}

/** Returns the name of the argument to which a value is always equal. */
export function argumentOf(value: Value, visited = new Set<Value>()): string | undefined {
  if (value.argument !== undefined || visited.has(value)) return value.argument
  visited.add(value)
  for (const required of value.required) {
    const argument = argumentOf(required, visited)
    if (argument !== undefined) return argument
  }
  return undefined
}
