import type { Document, DocumentOperation } from './document.ts'

/** What a request may say, by its place as errors name it, each with what is taken where it is left out: a default as JSON. */
export type Defaults = ReadonlyMap<string, string | undefined>

export function defaultsOf(document: Document, { parameters = [], requestBody }: DocumentOperation): Defaults {
  const defaults = new Map<string, string | undefined>()
  const visit = (schema: unknown, place: string, within: readonly string[]): void => {
    const { $ref, properties, items, anyOf, oneOf, allOf, default: taken } = Object(schema)
    // A value may be described in two steps, of which one has the default.
    const said = taken === undefined ? undefined : JSON.stringify(taken)
    defaults.set(place, said ?? defaults.get(place))
    const name = nameOf($ref)
    // A schema that holds itself says nothing new the second time.
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

/** What is new or gone altogether is told as that; here it is about what both documents know. */
export function changedDefaults(before: Defaults, after: Defaults) {
  return [...after].flatMap(([place, is]) => {
    const was = before.get(place)
    if (was === is || !before.has(place)) return []
    if (was === undefined) return [{ what: `takes ${is} where \`${place}\` is left out`, isBreaking: false }]
    const now = is === undefined ? 'no longer says what it takes' : `takes ${is}`
    return [{ what: `${now} where \`${place}\` is left out, which was ${was}`, isBreaking: true }]
  })
}
