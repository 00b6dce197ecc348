import { setImmediate } from 'node:timers/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import { textOfCell } from '../../../registry/kit/csv.ts'
import { importColumnsMax, importLinesMax, importRecordMaxBytes } from '../../../registry/values/limits.ts'
import { BrokenCsv } from './broken-csv.ts'
import { type DecodedText, decoded, lineAt } from './decode.ts'

/**
 * Reads a CSV file of any origin: with commas, semicolons or tabs, with any line end, in UTF-8 or Windows-1252. A file
 * whose structure is broken is rejected as a whole, because all cells after a stray quotation mark could be misread.
 */

/** A record of the file after the header. A record with line breaks in its cells has several lines. */
export interface CsvRow {
  /** The line of the file on which the record starts. */
  readonly line: number
  readonly lastLine: number
  readonly cells: readonly string[]
}

export interface CsvFile {
  readonly encoding: DecodedText['encoding']
  readonly delimiter: ',' | ';' | '\t'
  /** Names of the columns, as the header writes them. */
  readonly columns: readonly string[]
  /** Number of the line in which the header ends. */
  readonly headerLine: number
  /** Throws BrokenCsv at the first line whose structure is broken. */
  readonly rows: () => AsyncGenerator<CsvRow, void, undefined>
}

/**
 * Throws BrokenCsv if the file is empty or is not CSV text. Rows after the header are validated only when they are
 * read.
 */
export async function readCsv(bytes: Buffer): Promise<CsvFile> {
  if (bytes.length === 0) throw new BrokenCsv(null, 'The file is empty.')
  if (bytes.subarray(0, zipSignature.length).equals(zipSignature))
    throw new BrokenCsv(null, 'The file is a workbook or an archive. Save it as CSV first.')
  const nul = bytes.indexOf(0)
  if (nul !== -1)
    throw new BrokenCsv(
      lineAt(bytes, nul),
      'The file contains a NUL character, so it is not CSV text. Save it as CSV in UTF-8.',
    )
  const { encoding, content } = decoded(bytes)
  const delimiter = delimiterOf(content)
  const rows = () => rowsOf(content, delimiter)
  const all = rows()
  const { value: header } = await all.next()
  await all.return()
  if (header === undefined) throw new BrokenCsv(null, 'The file is empty.')
  const columns = header.cells.map((name) => name.trim())
  return { encoding, delimiter, columns, headerLine: header.lastLine, rows: () => withoutHeader(rows()) }
}

/** The first bytes of a zip archive. Spreadsheet workbooks are zip archives. */
const zipSignature = Buffer.from('PK\u0003\u0004')

async function* withoutHeader(rows: AsyncGenerator<CsvRow, void, undefined>): AsyncGenerator<CsvRow, void, undefined> {
  await rows.next()
  yield* rows
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

const delimiters = [',', ';', '\t'] as const

/** Returns the delimiter that occurs most often in the header. Text in quotation marks is not counted. */
function delimiterOf(content: Buffer): CsvFile['delimiter'] {
  const counts = new Map<number, number>(delimiters.map((each) => [each.charCodeAt(0), 0]))
  let isQuoted = false
  for (const byte of content) {
    if (byte === quote) isQuoted = !isQuoted
    if (isQuoted) continue
    if (byte === lineFeed || byte === carriageReturn) break
    const count = counts.get(byte)
    if (count !== undefined) counts.set(byte, count + 1)
  }
  return delimiters.reduce((best, each) =>
    (counts.get(each.charCodeAt(0)) ?? 0) > (counts.get(best.charCodeAt(0)) ?? 0) ? each : best,
  )
}

const quote = 0x22

/** Number of bytes that are passed to the parser at a time, so that other work of the process can run in between. */
const chunkBytes = 64 * 1024

async function* rowsOf(content: Buffer, delimiter: string): AsyncGenerator<CsvRow, void, undefined> {
  // The lines are counted here, because the parser counts CR LF within a cell as two lines.
  let line = 1
  let records = 0
  // The parser reads rows in advance, so the line number for its errors is counted separately.
  let parsedLine = 1
  const parser = parse({
    ...{ bom: true, delimiter, relax_column_count: true, max_record_size: importRecordMaxBytes },
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells) => {
      parsedLine += linesOf(cells)
      return cells
    },
  })
  // An `error` event without a listener would end the process. The listener can ignore the error, because recordsOf()
  // throws it too.
  parser.on('error', () => undefined)
  try {
    for await (const cells of recordsOf(parser, { content, delimiter })) {
      if (records > importLinesMax) {
        throw new BrokenCsv(line, `The file has more than ${importLinesMax} records after the header. Split it.`)
      }
      records += 1
      const next = line + linesOf(cells)
      if (cells.some((cell) => cell !== '')) yield { line, lastLine: next - 1, cells: cells.map(textOfCell) }
      line = next
    }
  } catch (error) {
    if (error instanceof TooManyCells) throw new BrokenCsv(parsedLine, error.message)
    if (error instanceof CsvError) throw new BrokenCsv(parsedLine, messageOf(error))
    throw error
  } finally {
    parser.destroy()
  }
}

function linesOf(cells: readonly string[]): number {
  return 1 + cells.reduce((sum, cell) => sum + (cell.match(lineBreak)?.length ?? 0), 0)
}

const lineBreak = /\r\n|\r|\n/g

interface Text {
  readonly content: Buffer
  readonly delimiter: string
}

class TooManyCells extends Error {}

/**
 * Passes the text to the CSV parser in chunks, and yields the parsed records. Throws the parser's error if a record is
 * malformed.
 */
async function* recordsOf(parser: Parser, text: Text): AsyncGenerator<readonly string[], void, undefined> {
  const endOfCells = cellCounter(text)
  for (let start = 0; start < text.content.length; start += chunkBytes) {
    const end = Math.min(start + chunkBytes, text.content.length)
    const intactEnd = endOfCells(start, end)
    parser.write(text.content.subarray(start, intactEnd))
    yield* readRecords(parser)
    if (intactEnd < end) {
      throw new TooManyCells(
        `The line has more than ${importColumnsMax} cells. At most ${importColumnsMax} are allowed.`,
      )
    }
    await setImmediate()
  }
  parser.end()
  await setImmediate()
  yield* readRecords(parser)
}

function* readRecords(parser: Parser): Generator<readonly string[], void, undefined> {
  for (let cells: unknown = parser.read(); cells !== null; cells = parser.read()) {
    if (Array.isArray(cells)) yield cells
  }
  if (parser.errored !== null) throw parser.errored
}

/**
 * Returns a function that searches a chunk for a record with too many cells. The function returns the position of the
 * first excess cell, or the end of the chunk. The search precedes the parser, because the parser limits only the bytes
 * of a record, and would build all cells first.
 */
function cellCounter({ content, delimiter }: Text): (start: number, end: number) => number {
  const separator = delimiter.charCodeAt(0)
  let cells = 1
  let isQuoted = false
  return (start, end) => {
    for (let at = start; at < end; at++) {
      const byte = content[at]
      if (byte === quote) isQuoted = !isQuoted
      if (isQuoted) continue
      if (byte === lineFeed || byte === carriageReturn) cells = 1
      if (byte === separator) cells += 1
      if (cells > importColumnsMax) return at
    }
    return end
  }
}

function messageOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quotation mark that opens a cell in this line is never closed.'
    case 'CSV_MAX_RECORD_SIZE':
      return `The line has more than ${importRecordMaxBytes} bytes, or a quotation mark in it is never closed.`
    default:
      return 'A quotation mark stands inside a cell of this line. Put the whole cell in quotation marks, and double each quotation mark in it.'
  }
}
