import { at } from './guard-parts.ts'

type Schemas = Readonly<Record<string, object>>

/**
 * Tables of the fields of named schemas, for people: `own` of those alone, `reached` of all that they are made of and not of
 * themselves. Each begins with its heading.
 */
export function schemaTables(
  schemas: Schemas,
  names: readonly string[],
  which: 'own' | 'reached' = 'reached',
): string[] {
  const shown =
    which === 'own' ? names : [...reachedFrom(schemas, names)].filter((name) => !names.includes(name)).sort()
  return shown.flatMap((name) => tableOf(name, schemas))
}

function reachedFrom(schemas: Schemas, names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const references = JSON.stringify(schemas[name] ?? {}).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
    reachedFrom(
      schemas,
      [...references].map(([, reference = '']) => reference),
      found,
    )
  }
  return found
}

function tableOf(name: string, schemas: Schemas): string[] {
  const schema = schemas[name]
  const description = at(schema, 'description')
  const rows = fieldsOf(schema).map(
    ([path, field]) => `| \`${path}\` | ${typeOf(field)} | ${meaningOf(field, schemas)} |`,
  )
  const table = ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
  const values = at(schema, 'enum')
  return [
    `### ${name}`,
    ...(typeof description === 'string' ? [description] : []),
    Array.isArray(values) ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : table,
  ]
}

/** Fields of objects without a name of their own are told by their path. */
function fieldsOf(schema: unknown, prefix = ''): [path: string, field: unknown][] {
  return Object.entries(Object(at(schema, 'properties'))).flatMap(([name, field]) => {
    const path = prefix + name
    const item = at(field, 'items')
    return [[path, field] as [string, unknown], ...fieldsOf(field, `${path}.`), ...fieldsOf(item, `${path}[].`)]
  })
}

function typeOf(schema: unknown): string {
  const name = referenceOf(schema)
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`
  const options = at(schema, 'anyOf') ?? at(schema, 'allOf')
  if (Array.isArray(options)) return options.map(typeOf).join(' or ')
  const values = at(schema, 'enum')
  if (Array.isArray(values)) return values.length > 8 ? 'string' : values.map((value) => `\`${value}\``).join(', ')
  const type = at(schema, 'type')
  if (type === 'array') return `list of ${typeOf(at(schema, 'items'))}`
  return Array.isArray(type) ? type.join(' or ') : String(type)
}

/** The name of the schema that is referred to. */
function referenceOf(schema: unknown): string | undefined {
  const reference = at(schema, '$ref')
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

function meaningOf(schema: unknown, schemas: Schemas): string {
  const description = at(schema, 'description') ?? at(schemas, referenceOf(schema) ?? '', 'description')
  return typeof description === 'string' ? description.replaceAll('\n', ' ').replaceAll('|', '\\|') : ''
}
