import { isUtf8 } from 'node:buffer'
import { BrokenCsv } from './broken-csv.ts'

/** Decodes the text of an imported file. The encoding is detected, because the file does not name its encoding. */

export interface DecodedText {
  readonly encoding: 'UTF-8' | 'Windows-1252'
  /** The text in UTF-8. */
  readonly content: Buffer
}

/**
 * Decodes a file in UTF-8 or Windows-1252. Throws BrokenCsv for a UTF-8 file that contains an invalid byte: decoding
 * the file as Windows-1252 instead would misread all its other non-ASCII letters.
 */
export function decoded(bytes: Buffer): DecodedText {
  if (isUtf8(bytes)) return { encoding: 'UTF-8', content: bytes }
  const text = bytes.toString()
  if (hasWideCharacter.test(text)) {
    const index = Buffer.byteLength(text.slice(0, text.indexOf(replacement)))
    throw new BrokenCsv(
      lineAt(bytes, index),
      `The byte 0x${bytes.toString('hex', index, index + 1)} in this line is not UTF-8, but other text of the file is. Correct the line, and save the file as CSV in UTF-8.`,
    )
  }
  return { encoding: 'Windows-1252', content: Buffer.from(new TextDecoder('windows-1252').decode(bytes)) }
}

/** The character with which the decoder replaces each byte that is not valid UTF-8. */
const replacement = '\u{fffd}'

/**
 * Matches a character that UTF-8 encodes in several bytes, such as a byte order mark. Such a character shows that the
 * file is in UTF-8, because text in Windows-1252 does not form one by chance.
 */
const hasWideCharacter = /[^\p{ASCII}\u{fffd}]/u

const lineFeed = 0x0a
const carriageReturn = 0x0d

export function lineAt(bytes: Buffer, index: number): number {
  let line = 1
  for (let at = 0; at < index; at++) {
    const isEnd = bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)
    if (isEnd) line += 1
  }
  return line
}
