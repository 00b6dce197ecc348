import { type Described, type Document, describedIn } from './document.ts'

/**
 * Returns both documents without the operations that may change incompatibly: operations that are beta in the older
 * document (spec 9), and operations that were removed after the sunset that they declared. Schemas that only these
 * operations use are removed as well; a schema that a stable operation uses stays.
 */
export function stableParts(
  base: Document,
  revision: Document,
  on: string,
): { readonly base: Document; readonly revision: Document } {
  const remaining = new Set(describedIn(revision).map(({ name }) => name))
  const isFree = ({ name, operation }: Described) => {
    const sunset = operation['x-deprecation']?.sunset
    return operation['x-stability'] === 'beta' || (!remaining.has(name) && sunset !== undefined && sunset <= on)
  }
  const free = new Set(describedIn(base).flatMap((each) => (isFree(each) ? [each.name] : [])))
  return { base: without(base, free), revision: without(revision, free) }
}

function without(document: Document, names: ReadonlySet<string>): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, byMethod]) => {
      const kept = Object.entries(byMethod).filter(([, { operationId }]) => !names.has(operationId))
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]]
    }),
  )
  const webhooks = Object.fromEntries(Object.entries(document.webhooks).filter(([kind]) => !names.has(kind)))
  const reached = reachedFrom(document, { paths, webhooks })
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => reached.has(name)))
  return { ...document, paths, webhooks, components: { ...document.components, schemas } }
}

const reference = /"#\/components\/schemas\/(\w+)"/g

export function reachedFrom(document: Document, start: object): ReadonlySet<string> {
  const reached = new Set<string>()
  const open: unknown[] = [start]
  while (open.length > 0) {
    for (const [, name = ''] of JSON.stringify(open.pop() ?? null).matchAll(reference)) {
      if (reached.has(name)) continue
      reached.add(name)
      open.push(document.components.schemas[name])
    }
  }
  return reached
}
