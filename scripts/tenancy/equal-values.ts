/** A value in a statement, for example a column of one relation. Two values are equal if a condition makes them equal. */
export interface Value {
  /** A value that is equal to this one. Undefined for the value that represents all values equal to it. */
  equal?: Value
  /** The name of the statement's argument, if the value is one. */
  readonly argument?: string
}

/** Makes two values equal. */
export function equate(first: Value, second: Value): void {
  const [one, other] = [representativeOf(first), representativeOf(second)]
  if (one === other) return
  // The argument represents its values, so that it is found from each of them.
  if (one.argument === undefined) one.equal = other
  else other.equal = one
}

export function areEqual(first: Value, second: Value): boolean {
  return representativeOf(first) === representativeOf(second)
}

/** Returns the name of the argument that a value is equal to. */
export function argumentOf(value: Value): string | undefined {
  return representativeOf(value).argument
}

function representativeOf(value: Value): Value {
  return value.equal === undefined ? value : representativeOf(value.equal)
}
