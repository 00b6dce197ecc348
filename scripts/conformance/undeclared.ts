import type { Schema } from './document.ts'
import type { Schemas } from './schemas.ts'

/**
 * Returns the paths of the members that a schema does not declare. Undeclared members are no violation, because a
 * service may add members to responses. The report warns of them, because a member may disclose a secret.
 */
export function undeclaredMembers(schemas: Schemas, schema: Schema, value: unknown): string[] {
  return [...new Set(undeclaredIn(schemas, [schema], value))]
}

function undeclaredIn(schemas: Schemas, declared: readonly Schema[], value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const fitting = declared.flatMap((schema) => partsOf(schemas, schema, value))
  if (Array.isArray(value)) {
    const items = fitting.flatMap((each) => each.items ?? [])
    return value.flatMap((item) => undeclaredIn(schemas, items, item)).map((path) => `/*${path}`)
  }
  // A schema without properties, or a map such as metadata, declares no member names.
  const named = fitting.filter(({ properties }) => properties !== undefined)
  if (named.length === 0 || fitting.some(isMap)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const members = named.flatMap(({ properties }) => properties?.[name] ?? [])
    if (members.length === 0) return [`/${name}`]
    return undeclaredIn(schemas, members, member).map((path) => `/${name}${path}`)
  })
}

const isMap = ({ additionalProperties }: Schema) =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0

/** Returns the schema, the schemas of its `allOf`, and the alternatives that match the value, recursively. */
function partsOf(schemas: Schemas, schema: Schema, value: unknown): Schema[] {
  const followed = schemas.follow(schema)
  const alternatives = [...(followed.anyOf ?? []), ...(followed.oneOf ?? [])]
  const fitting = alternatives.filter((each) => schemas.faultsOf(each, value).length === 0)
  return [followed, ...[...fitting, ...(followed.allOf ?? [])].flatMap((each) => partsOf(schemas, each, value))]
}
