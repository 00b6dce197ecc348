/** A value in a statement: an argument, or a column of one relation. */
export interface Value {
  /** The name of the argument, if the value is one. */
  readonly argument?: string | undefined
  /** Values that a row must have in this column: a condition removes all other rows, or the query returns the value. */
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
