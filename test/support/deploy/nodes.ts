/** Access to parsed YAML, whose shape a test asserts. */

export type Node = Readonly<Record<string, unknown>>

/** Returns the members of an object; none for any other value. */
export function valuesOf(value: unknown): Node {
  return isNode(value) ? value : {}
}

export function keysIn(value: unknown): string[] {
  return Object.keys(valuesOf(value))
}

/** Returns the members of an object as texts. */
export function textsIn(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(valuesOf(value)).map(([name, each]) => [name, String(each)]))
}

/** Returns the objects under a name anywhere in the value: the object itself, or those of a list. */
export function objectsIn(value: unknown, name: string): Node[] {
  if (Array.isArray(value)) return value.flatMap((each) => objectsIn(each, name))
  return Object.entries(valuesOf(value)).flatMap(([key, each]) => [
    ...(key === name ? [each].flat().filter(isNode) : []),
    ...objectsIn(each, name),
  ])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
