import { createProduct } from '../../../registry/products/products.ts'
import { optionValuesMax, productOptionsMax, productVariantsMax } from '../../../registry/values/limits.ts'
import { issueMessage } from '../../base/issue-message.ts'
import { type Converted, shownText } from './amounts.ts'
import { comparisonIssues } from './comparison-issues.ts'
import type { ImportProblem, Place } from './problem.ts'
import type { CsvFile, CsvRow } from './read-csv.ts'

/**
 * A product as a file describes it. The draft is validated with the schema of the body of createProduct, so that the
 * limits of a product are declared only once. It stores the file cell of each field, so that a problem can name the
 * line and the column.
 */
export interface Draft {
  readonly line: number
  /** The body of createProduct, before it is checked. */
  readonly input: Record<string, unknown>
  /**
   * The cells of the file from which the fields were read, by the paths of the fields, such as `variants.0.priceKobo`.
   */
  readonly places: Map<string, Place>
  readonly problems: ImportProblem[]
  /**
   * Notes about values of the file that are not imported, or are imported with another meaning. They do not prevent the
   * import of the product.
   */
  readonly notes: ImportProblem[]
  /**
   * The paths of the fields whose cells could not be converted. These problems are already recorded, so the errors of
   * the schema about these fields are ignored.
   */
  readonly failed: Set<string>
}

export type ProductBody = NonNullable<ReturnType<typeof createProduct.body.schema.safeParse>['data']>

export function newDraft(line: number): Draft {
  const places = new Map<string, Place>([['', { line, column: null }]])
  return { line, input: {}, places, problems: [], notes: [], failed: new Set() }
}

/** The cells of a row by the names of their columns, regardless of case. */
export interface Cells {
  readonly line: number
  /** Returns the text of a cell without the spaces around it. Undefined if it is empty or the file has no such column. */
  readonly text: (column: string) => string | undefined
  readonly place: (column: string) => Place
}

export function cellsOf({ columns }: Pick<CsvFile, 'columns'>): (row: CsvRow) => Cells {
  const indexes = new Map(columns.map((name, index) => [name.toLowerCase(), index]))
  return ({ line, cells }) => ({
    line,
    text: (column) => {
      const index = indexes.get(column.toLowerCase())
      const text = index === undefined ? undefined : cells[index]?.trim()
      return text === '' ? undefined : text
    },
    place: (column) => ({ line, column: columns[indexes.get(column.toLowerCase()) ?? -1] ?? null }),
  })
}

/**
 * The column of a field in the file, and the conversion of its text. Without a conversion, the text is used unchanged.
 */
export type FieldSource = readonly [column: string, convert?: (text: string) => Converted]

/**
 * Reads product fields from the cells of a row. `path` leads from the product to the object that contains the fields.
 */
export function readFields(
  draft: Draft,
  cells: Cells,
  { path, fields }: { readonly path: readonly PropertyKey[]; readonly fields: Readonly<Record<string, FieldSource>> },
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [field, [column, convert]] of Object.entries(fields)) {
    const key = keyOf([...path, field])
    const place = cells.place(column)
    draft.places.set(key, place)
    const text = cells.text(column)
    if (text === undefined) continue
    const converted: Converted = convert?.(text) ?? { is: 'value', value: text }
    if (converted.is === 'value') {
      if (converted.value !== undefined) values[field] = converted.value
      continue
    }
    draft.problems.push({ ...place, message: converted.message })
    draft.failed.add(key)
  }
  return values
}

/**
 * Validates a draft and returns it as the body of createProduct. If the draft is invalid, adds the problems to it and
 * returns undefined.
 */
export function checkDraft(draft: Draft): ProductBody | undefined {
  if (isTooLarge(draft)) return undefined
  const result = createProduct.body.schema.safeParse(draft.input, { error: importMessage })
  if (result.success && draft.problems.length === 0) return result.data
  const issues = result.error?.issues ?? []
  const found = [...issues, ...comparisonIssues(draft.input, issues)]
    .filter(({ path }) => !draft.failed.has(keyOf(path)))
    .map(({ path, message }) => problemAt(draft, path, message))
  const all = new Map([...draft.problems, ...found].map((problem) => [JSON.stringify(problem), problem]))
  draft.problems.splice(0, draft.problems.length, ...all.values())
  return undefined
}

/**
 * Reports whether a product has too many variants or option values, and adds a problem if so. Such a product is not
 * validated with the schema. The validation would take too long, because the schema compares each variant with all
 * option values.
 */
function isTooLarge(draft: Draft): boolean {
  const { variants, options } = draft.input
  const values = listIn(options).map((option) => listIn(Reflect.get(Object(option), 'values')).length)
  const lists = [
    { path: ['variants', productVariantsMax], isTooLong: listIn(variants).length > productVariantsMax },
    {
      path: ['options'],
      isTooLong: values.length > productOptionsMax || values.some((count) => count > optionValuesMax),
    },
  ]
  const message = `Must have at most ${productVariantsMax} variants, ${productOptionsMax} options and ${optionValuesMax} values of an option.`
  const tooLong = lists.filter(({ isTooLong }) => isTooLong)
  for (const { path } of tooLong) {
    const { line, column } = placeOf(draft, path)
    draft.problems.push({ line, column, message })
  }
  return tooLong.length > 0
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function importMessage(issue: Parameters<typeof issueMessage>[0]): string | undefined {
  if (issue.code === 'unrecognized_keys') return `Must not have the fields ${shownText(issue.keys.join(', '))}.`
  return issue.code === 'invalid_type' && issue.input === undefined ? 'Is required.' : issueMessage(issue)
}

/**
 * Returns an import problem that states where the field is in the file. If the cell at this place contains several
 * fields, the message also names the field or shows its text.
 */
export function problemAt(draft: Draft, path: readonly PropertyKey[], message: string): ImportProblem {
  const { rest, ...place } = placeOf(draft, path)
  if (rest.length === 0) return { ...place, message }
  const value = valueAt(draft.input, path)
  const isItem = typeof rest.at(-1) === 'number' && typeof value === 'string'
  return { ...place, message: `${isItem ? `“${shownText(value)}”` : keyOf(rest)}: ${message}` }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), input)
}

/**
 * Returns the cell of a field in the file. If only an object that contains the field has a cell, returns the cell of
 * the object, and the path of the field within the object.
 */
function placeOf(draft: Draft, path: readonly PropertyKey[]): Place & { readonly rest: readonly PropertyKey[] } {
  for (let length = path.length; length >= 0; length--) {
    const place = draft.places.get(keyOf(path.slice(0, length)))
    if (place !== undefined) return { ...place, rest: path.slice(length) }
  }
  return { line: draft.line, column: null, rest: [] }
}

export function keyOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}

/** Splits a list at its commas. A comma after a backslash belongs to the text. Empty and repeated parts are left out. */
export function listOf(text: string): string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim())
  const seen = new Set<string>()
  return parts.filter((part) => {
    const key = part.toLowerCase()
    if (part === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

export function listValue(text: string): Converted {
  return { is: 'value', value: listOf(text) }
}
