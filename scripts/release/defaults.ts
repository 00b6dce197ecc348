import type { Document, DocumentOperation } from './document.ts'

/**
 * Default values as JSON, by the path of the member in the request, such as `query.limit`. Undefined for a member
 * without a default.
 */
export type Defaults = ReadonlyMap<string, string | undefined>

export function defaultsOf(document: Document, { parameters = [], requestBody }: DocumentOperation): Defaults {
  const defaults = new Map<string, string | undefined>()
  const visit = (schema: unknown, place: string, within: readonly string[]): void => {
    const { $ref, properties, items, anyOf, oneOf, allOf, default: value } = Object(schema)
    // A default is either beside a `$ref` or in the schema to which the `$ref` refers.
    const text = value === undefined ? undefined : JSON.stringify(value)
    defaults.set(place, text ?? defaults.get(place))
    const name = nameOf($ref)
    // A recursive schema is visited only once, so that the traversal ends.
    if (name !== undefined && !within.includes(name)) visit(document.components.schemas[name], place, [...within, name])
    for (const [key, each] of Object.entries(properties ?? {})) visit(each, `${place}.${key}`, within)
    if (items !== undefined) visit(items, `${place}[]`, within)
    for (const each of allOf ?? []) visit(each, place, within)
    const choices: readonly unknown[] = [...(anyOf ?? []), ...(oneOf ?? [])].filter(({ type }) => type !== 'null')
    for (const [index, each] of choices.entries()) {
      const choice = choices.length === 1 ? '' : ` (${nameOf(Object(each).$ref) ?? index + 1})`
      visit(each, `${place}${choice}`, within)
    }
  }
  for (const { name, in: where, schema } of parameters) visit(schema, `${where}.${name}`, [])
  visit(Object(requestBody).content?.['application/json']?.schema, 'body', [])
  return defaults
}

function nameOf(reference: unknown): string | undefined {
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

/**
 * Returns the changes of default values for members that both documents have. Added and removed members are left out,
 * because Redocly reports them.
 */
export function changedDefaults(before: Defaults, after: Defaults) {
  return [...after].flatMap(([place, is]) => {
    const was = before.get(place)
    if (was === is || !before.has(place)) return []
    if (was === undefined) return [{ what: `uses the default ${is} for \`${place}\``, isBreaking: false }]
    const now = is === undefined ? 'declares no default' : `uses the default ${is}`
    return [{ what: `${now} for \`${place}\`, which was ${was}`, isBreaking: true }]
  })
}
