/** Reads parsed YAML without checking its structure. The test asserts the structure. */

export type Node = Readonly<Record<string, unknown>>

/** Returns the members of an object. For any other value, returns an empty object. */
export function valuesOf(value: unknown): Node {
  return isNode(value) ? value : {}
}

export function keysIn(value: unknown): string[] {
  return Object.keys(valuesOf(value))
}

export function textsIn(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(valuesOf(value)).map(([name, each]) => [name, String(each)]))
}

/** Returns the variables of the `env` list of a Kubernetes container, by name. */
export function variablesIn(env: unknown): Record<string, string> {
  const variables = [env].flat().filter(isNode)
  return Object.fromEntries(variables.map(({ name, value }) => [String(name), String(value)]))
}

/**
 * Returns the objects that are the value of a member with the given name, at any depth of the parsed YAML. If the value
 * is a list, returns the objects in the list.
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
