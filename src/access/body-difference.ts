import { isDeepStrictEqual } from 'node:util'

export interface BodyDifference {
  /** Number of equal bytes before the first byte that differs. */
  readonly offset: number
  readonly sent: Excerpt
  readonly read: Excerpt
  /**
   * The usual change that explains all differences between the sent and the received body. Undefined if no usual change
   * explains them all.
   */
  readonly cause: BodyChange | undefined
}

/** The text of a body around the first byte that differs, as printable ASCII. All other characters are escaped. */
export interface Excerpt {
  readonly before: string
  /**
   * The text of the body from the first byte in which the two bodies differ. Empty if the body ends before this byte.
   */
  readonly from: string
}

/**
 * A usual change of a body by a receiver or its framework. `white_space`: white space, such as a line break, was added at
 * its start or its end. `reserialised`: the JSON was parsed and serialised again. `decoded`: its UTF-8 bytes were decoded
 * in another encoding.
 */
export type BodyChange = 'white_space' | 'reserialised' | 'decoded'

export function bodyDifference(sent: string, read: string): BodyDifference | undefined {
  if (sent === read) return undefined
  const [index, offset] = [firstDifference(sent, read), firstByteDifference(Buffer.from(sent), Buffer.from(read))]
  return { offset, sent: excerptOf(sent, index), read: excerptOf(read, index), cause: causeOf(sent, read) }
}

function firstDifference(sent: string, read: string): number {
  let index = 0
  while (index < sent.length && sent.charCodeAt(index) === read.charCodeAt(index)) index += 1
  return index
}

function firstByteDifference(sent: Buffer, read: Buffer): number {
  let index = 0
  while (index < sent.length && sent[index] === read[index]) index += 1
  return index
}

/** Number of characters before and after the first difference that an excerpt shows. */
const excerptLength = 24

function excerptOf(text: string, index: number): Excerpt {
  return {
    before: escaped(text.slice(Math.max(0, index - excerptLength), index)),
    from: escaped(text.slice(index, index + excerptLength)),
  }
}

const shortEscapes = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Escapes all characters that are not printable ASCII, so that invisible characters are visible and similar ones differ. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^ -[\]-~]/gu,
    (character) => shortEscapes.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

function causeOf(sent: string, read: string): BodyChange | undefined {
  if (read.trim() === sent) return 'white_space'
  if (isDecodedWrongly(sent, read)) return 'decoded'
  return isSameJson(sent, read) ? 'reserialised' : undefined
}

/**
 * A program that does not decode a body as UTF-8 decodes it as Windows-1252 or Latin-1, or replaces each byte or
 * character that is not ASCII. The number of replacements is not compared, because decoders replace different numbers
 * of bytes with one character.
 */
function isDecodedWrongly(sent: string, read: string): boolean {
  const bytes = Buffer.from(sent)
  const decoded = [new TextDecoder('windows-1252').decode(bytes), bytes.toString('latin1')]
  return (
    decoded.includes(read) || sent.replaceAll(/[^\0-\x7F]+/g, replacement) === read.replaceAll(/\uFFFD+/g, replacement)
  )
}

/** The character with which a decoder replaces bytes that it cannot decode. */
const replacement = '\uFFFD'

function isSameJson(sent: string, read: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(sent), JSON.parse(read))
  } catch {
    return false
  }
}
