/** Access to parsed YAML. The test asserts its shape. */

export type Node = Readonly<Record<string, unknown>>

/** Returns the members of an object. Empty for any other value. */
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

/**
 * Returns the objects under a name, anywhere in the value. If the value of the name is a list, returns the objects in
 * the list.
 */
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
