import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse'
import { textOfCell } from '../../../registry/kit/csv.ts'
import { importColumnsMax, importLinesMax, importRecordMaxBytes } from '../../../registry/values/limits.ts'

/**
 * Reads a CSV file of any origin: with commas, semicolons or tabs, with any line end, in UTF-8 or Windows-1252. A file
 * whose structure is broken is rejected as a whole, because all cells after a stray quotation mark could be misread.
 */

/** A line of the file after the header. A record with line breaks in its cells has several lines; the first is given. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvFile {
  readonly encoding: 'UTF-8' | 'Windows-1252'
  readonly delimiter: ',' | ';' | '\t'
  /** Names of the columns, as the header writes them. */
  readonly columns: readonly string[]
  /** Reads the rows. Throws BrokenCsv at the first line whose structure is broken. */
  readonly rows: () => AsyncGenerator<CsvRow, void, undefined>
}

/** The file is not a CSV file that can be read. The line is null if the whole file is meant. */
export class BrokenCsv extends Error {
  readonly line: number | null
  constructor(line: number | null, message: string) {
    super(message)
    this.line = line
  }
}

/** Reads the header of a file. Throws BrokenCsv if the file has none. */
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
  const encoding = isUtf8(bytes) ? 'UTF-8' : 'Windows-1252'
  const content = encoding === 'UTF-8' ? bytes : Buffer.from(new TextDecoder('windows-1252').decode(bytes))
  const delimiter = delimiterOf(content)
  const rows = () => rowsOf(content, delimiter)
  const all = rows()
  const { value: header } = await all.next()
  await all.return()
  if (header === undefined) throw new BrokenCsv(null, 'The file is empty.')
  const columns = header.cells.map((name) => name.trim())
  if (columns.length > importColumnsMax)
    throw new BrokenCsv(1, `The file has ${columns.length} columns. At most ${importColumnsMax} are allowed.`)
  return { encoding, delimiter, columns, rows: () => withoutHeader(rows()) }
}

/** The first bytes of a zip archive, which workbooks of spreadsheets are. */
const zipSignature = Buffer.from('PK\u0003\u0004')

async function* withoutHeader(rows: AsyncGenerator<CsvRow, void, undefined>): AsyncGenerator<CsvRow, void, undefined> {
  await rows.next()
  yield* rows
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Returns the number of the line that contains the byte at an index. */
function lineAt(bytes: Buffer, index: number): number {
  let line = 1
  for (let at = 0; at < index; at++) {
    const isEnd = bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)
    if (isEnd) line += 1
  }
  return line
}

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

/** Number of bytes that the parser gets at a time, so that other work of the process runs in between. */
const chunkBytes = 64 * 1024

async function* rowsOf(content: Buffer, delimiter: string): AsyncGenerator<CsvRow, void, undefined> {
  // The lines are counted here, because the parser counts CR LF within a cell as two lines.
  let line = 1
  // The parser runs ahead of the rows that are yielded, so its errors have a count of their own.
  let parsedLine = 1
  const parser = parse({
    ...{ bom: true, delimiter, relax_column_count: true, max_record_size: importRecordMaxBytes },
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells) => {
      parsedLine += linesOf(cells)
      return cells
    },
  })
  try {
    for await (const cells of parsed(parser, content)) {
      if (line > importLinesMax) throw new BrokenCsv(line, `The file has more than ${importLinesMax} lines. Split it.`)
      if (cells.some((cell) => cell !== '')) yield { line, cells: cells.map(textOfCell) }
      line += linesOf(cells)
    }
  } catch (error) {
    if (error instanceof CsvError) throw new BrokenCsv(parsedLine, messageOf(error))
    throw error
  } finally {
    parser.destroy()
  }
}

/** Returns the number of lines of a record. */
function linesOf(cells: readonly string[]): number {
  return 1 + cells.reduce((sum, cell) => sum + (cell.match(lineBreak)?.length ?? 0), 0)
}

const lineBreak = /\r\n|\r|\n/g

function parsed(parser: ReturnType<typeof parse>, content: Buffer): AsyncIterable<readonly string[]> {
  let start = 0
  const feed = () => {
    while (start < content.length) {
      const chunk = content.subarray(start, start + chunkBytes)
      start += chunkBytes
      if (!parser.write(chunk)) {
        parser.once('drain', feed)
        return
      }
    }
    parser.end()
  }
  feed()
  return parser
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
