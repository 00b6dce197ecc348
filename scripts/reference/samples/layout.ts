/** How JSON values are written in a programming language. */
export interface Dialect {
  readonly indent: string
  readonly text: (value: string) => string
  readonly key: (name: string) => string
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>
  /** The text after the opening brace and before the closing brace of an object that is written on one line. */
  readonly padding: string
  /** The text after the last member of an object or array that is written over several lines. */
  readonly trailingComma: string
}

const columnsMax = 80 // Maximum line width of a code sample: the code column of a page shows 80 characters without scrolling.

/** Returns a value on one line if it fits, and otherwise over several lines with one member on each. */
export function layOut(value: unknown, dialect: Dialect, depth: number, before = 0): string {
  const flat = flatten(value, dialect)
  const start = depth * dialect.indent.length + before
  if (start + flat.length <= columnsMax || typeof value !== 'object' || value === null) return flat
  const inner = dialect.indent.repeat(depth + 1)
  const lines = membersOf(value, dialect).map(({ label, member }) => {
    const text = layOut(member, dialect, depth + 1, label.length + 1)
    return `${inner}${label}${text}`
  })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}${dialect.trailingComma}\n${dialect.indent.repeat(depth)}${close}`
}

function flatten(value: unknown, dialect: Dialect): string {
  if (typeof value === 'string') return dialect.text(value)
  if (value === true || value === false || value === null) return dialect.constants[`${value}`]
  if (typeof value !== 'object') return String(value)
  const members = membersOf(value, dialect).map(({ label, member }) => label + flatten(member, dialect))
  if (Array.isArray(value)) return `[${members.join(', ')}]`
  return members.length === 0 ? '{}' : `{${dialect.padding}${members.join(', ')}${dialect.padding}}`
}

function membersOf(value: object, { key }: Dialect): { readonly label: string; readonly member: unknown }[] {
  if (Array.isArray(value)) return value.map((member) => ({ label: '', member }))
  return Object.entries(value).map(([name, member]) => ({ label: `${key(name)}: `, member }))
}
