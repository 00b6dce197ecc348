import { z } from 'zod'
import { lagosOffsetMs } from '../values/lagos.ts'
import { nairaDigits, readableText } from './readable-cell.ts'
import { serializerOf } from './serializer.ts'

/**
 * Writes records as CSV (RFC 4180), with the columns derived from the schema of the records. The fields of a nested object
 * are columns such as `customer.name`. Lists and maps are JSON in one cell, and null is an empty cell.
 */
export interface CsvWriter {
  /** The first line of the file, with its byte order mark. Without the mark, Excel does not read the text as UTF-8. */
  readonly header: string
  readonly line: (record: unknown) => string
}

const byteOrderMark = '\u{feff}'

const lineEnd = '\r\n'

/**
 * `csv` has the values of the API, for programs. `spreadsheet` has amounts in naira, times in the time zone of Lagos,
 * and lists and maps as text, for people. `importable_spreadsheet` is like `spreadsheet`, but has lists and maps as
 * JSON, so that an import can read them.
 */
type CsvFormat = 'csv' | 'spreadsheet' | 'importable_spreadsheet'

export function csvWriterOf(schema: z.ZodType, format: CsvFormat = 'csv'): CsvWriter {
  const writers = writersOf[format]
  const known = writers.get(schema)
  if (known !== undefined) return known
  const exact = columnsOf(schema, [])
  const columns = format === 'csv' ? exact : exact.map((column) => readableColumn(column, format === 'spreadsheet'))
  const cells = columns.map(({ write }) => write)
  const writer = {
    header: `${byteOrderMark}${columns.map(({ name }) => quoted(name)).join(',')}${lineEnd}`,
    line: (record: unknown) => `${cells.map((write) => write(record)).join(',')}${lineEnd}`,
  }
  writers.set(schema, writer)
  return writer
}

const writersOf: Readonly<Record<CsvFormat, WeakMap<z.ZodType, CsvWriter>>> = {
  csv: new WeakMap(),
  spreadsheet: new WeakMap(),
  importable_spreadsheet: new WeakMap(),
}

interface Column {
  readonly name: string
  /** The names of the fields that lead from a record to the value of the column. */
  readonly path: readonly string[]
  readonly schema: z.core.$ZodType
  readonly write: (record: unknown) => string
}

function columnsOf(schema: z.core.$ZodType, path: readonly string[]): Column[] {
  if (schema instanceof z.ZodOptional) return columnsOf(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) {
    const content = schema.options.find((option) => !(option instanceof z.ZodNull))
    if (content === undefined) throw new Error(`The column ${path.join('.')} has no values.`)
    return columnsOf(content, path)
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => columnsOf(field, [...path, name]))
  }
  const cell = cellOf(schema)
  return [{ name: path.join('.'), path, schema, write: (record) => cellOrEmpty(cell, valueAt(record, path)) }]
}

/**
 * Returns a column whose amounts are in naira instead of kobo, and whose times are in Lagos time instead of UTC. The
 * name of the column states the unit. If `hasTexts`, a list or a map is written as readable text instead of JSON.
 */
function readableColumn(column: Column, hasTexts: boolean): Column {
  const { name, path, schema, write } = column
  if (hasTexts && isStructured(schema)) return { ...column, write: readableCell(schema, path) }
  const isAmount = schema instanceof z.ZodNumber && name.endsWith('Kobo')
  if (isAmount)
    return { ...column, name: name.replace(/Kobo$/, 'Naira'), write: (record) => nairaDigits(write(record)) }
  const isTime = z.globalRegistry.get(schema)?.format === 'date-time'
  return isTime ? { ...column, name: `${name} (Lagos)`, write: (record) => lagosTimeOf(write(record)) } : column
}

/** Returns the function that writes a list or a map of a record as text. Only the fields that the schema declares are read. */
function readableCell(schema: Structured, path: readonly string[]): (record: unknown) => string {
  const json = serializerOf(schema)
  const cell = (value: unknown) => quoted(withoutFormula(readableText(JSON.parse(json(value as never)))))
  return (record) => cellOrEmpty(cell, valueAt(record, path))
}

type Structured = z.ZodArray | z.ZodRecord | z.ZodUnknown

function isStructured(schema: z.core.$ZodType): schema is Structured {
  return schema instanceof z.ZodArray || schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown
}

/** Returns a time in the format that spreadsheets recognise, such as `2026-11-21 09:30:00`. */
function lagosTimeOf(time: string): string {
  if (time === '') return ''
  const inLagos = new Date(Date.parse(time) + lagosOffsetMs).toISOString()
  return inLagos.slice(0, 'YYYY-MM-DDTHH:mm:ss'.length).replace('T', ' ')
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const name of path) {
    if (value === null || value === undefined) return undefined
    value = Reflect.get(Object(value), name)
  }
  return value
}

function cellOrEmpty(cell: (value: unknown) => string, value: unknown): string {
  return value === null || value === undefined ? '' : cell(value)
}

/**
 * Returns the function that writes the values of a schema. Only text values are protected against formulas, because a
 * spreadsheet runs no other value as a formula.
 */
function cellOf(schema: z.core.$ZodType): (value: unknown) => string {
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean) return String
  if (isStructured(schema)) {
    const json = serializerOf(schema)
    return (value) => quoted(json(value as never))
  }
  return (value) => quoted(withoutFormula(String(value)))
}

/**
 * Matches text that spreadsheets run as a formula. The character that starts the formula may be full-width, and a tab
 * or a line break before it does not prevent the formula. Text that has apostrophes before a formula matches too:
 * withoutFormula() must add a further apostrophe, so that textOfCell() can restore the text.
 */
const startsFormula = /^'*[=+\-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]/u

/**
 * Adds an apostrophe before a text that a spreadsheet would run as a formula, so that the spreadsheet shows the text.
 */
function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text
}

/** Restores the original text of a cell that withoutFormula() has changed. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell) ? cell.slice(1) : cell
}

const needsQuotes = /[",\r\n]|^\s|\s$/

function quoted(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
