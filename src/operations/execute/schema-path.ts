import { z } from 'zod'

/**
 * Yields the schemas at a path through objects, arrays and unions, and the inner schemas that optional or nullable
 * schemas wrap.
 */
export function* schemasAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Generator<z.core.$ZodType> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [part, ...rest] = path
  if (part === undefined) yield schema
  switch (def.type) {
    case 'object': {
      const field = part === undefined ? undefined : def.shape[String(part)]
      if (field !== undefined) yield* schemasAt(field, rest)
      return
    }
    case 'array':
      if (part !== undefined) yield* schemasAt(def.element, rest)
      return
    case 'optional':
    case 'nullable':
    case 'default':
      yield* schemasAt(def.innerType, path)
      return
    case 'pipe': {
      // In a query, a list is sent as one text. The schema before the Zod pipe therefore describes the text, and only
      // the schema after the pipe describes the elements of the list.
      const before = [...schemasAt(def.in, path)]
      yield* before.length > 0 ? before : schemasAt(def.out, path)
      return
    }
    case 'union':
      for (const option of def.options) yield* schemasAt(option, path)
  }
}

export function fieldNamesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const names = new Set<string>()
  for (const found of schemasAt(schema, path)) {
    const { def } = (found as z.core.$ZodTypes)._zod
    if (def.type === 'object') for (const name of Object.keys(def.shape)) names.add(name)
  }
  return [...names]
}

/** Undefined if the schema has no documented example. */
export function exampleAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): unknown {
  for (const found of schemasAt(schema, path)) {
    const examples: unknown = z.globalRegistry.get(found)?.examples
    if (Array.isArray(examples) && examples.length > 0) return examples[0]
  }
  return undefined
}
