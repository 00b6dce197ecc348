import type { Problem } from '../../../registry/kit/error-body.ts'
import { bodyMaxDepth, numberMaxCharacters, validationProblemsMax } from '../../../registry/values/limits.ts'
import { notInteger, pathOf } from '../../operations/execute/problems.ts'

/**
 * Result of scanning a JSON text before it is parsed. The scan limits the number of values and the depth. It also finds
 * what parsing would silently drop: all but the last of duplicate names, and digits beyond the precision of a
 * JavaScript number. The text may be invalid JSON, which the parser reports later.
 */
export type JsonReading =
  | { readonly is: 'read'; readonly problems: readonly Problem[] }
  | { readonly is: 'too_much'; readonly limit: 'values' | 'depth'; readonly max: number }

interface Container {
  /** Names of the object's members that the scan has read so far; undefined for an array. */
  readonly names: Set<string> | undefined
  name: string
  index: number
  isNameNext: boolean
}

const codes = { quote: 34, comma: 44, minus: 45, zero: 48, nine: 57, colon: 58, backslash: 92 }
const openObject = 123
const closeObject = 125
const openArray = 91
const closeArray = 93

/** Takes linear time: each character is read once. */
export function readJsonText(text: string, maxValues: number): JsonReading {
  const open: Container[] = []
  const problems: Problem[] = []
  const report = (problem: (path: string) => Problem) => {
    if (problems.length < validationProblemsMax) problems.push(problem(currentPath(open)))
  }
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const container = open.at(-1)
    if (code === codes.quote) {
      const end = endOfString(text, at)
      if (container?.isNameNext && isTaken(container, text.slice(at, end + 1))) report(duplicate)
      at = end
    } else if (code === codes.minus || (code >= codes.zero && code <= codes.nine)) {
      const end = endOfNumber(text, at)
      if (end - at > numberMaxCharacters) report(tooLong)
      else if (losesFraction(text.slice(at, end))) report(notInteger)
      at = end - 1
    } else if (code === openObject || code === openArray) {
      if (open.length === bodyMaxDepth) return { is: 'too_much', limit: 'depth', max: bodyMaxDepth }
      const isObject = code === openObject
      open.push({ names: isObject ? new Set() : undefined, name: '', index: 0, isNameNext: isObject })
      values++
    } else if (code === closeObject || code === closeArray) {
      open.pop()
    } else if (code === codes.comma) {
      values++
      if (container !== undefined) {
        container.index++
        container.isNameNext = container.names !== undefined
      }
    } else if (code === codes.colon && container !== undefined) {
      container.isNameNext = false
    }
    if (values > maxValues) return { is: 'too_much', limit: 'values', max: maxValues }
  }
  return { is: 'read', problems }
}

/** Records the name of an object member. Reports whether an earlier member of the same object has the same name. */
function isTaken(container: Container, literal: string): boolean {
  container.name = literal.includes('\\') ? decodedName(literal) : literal.slice(1, -1)
  if (container.names?.has(container.name)) return true
  container.names?.add(container.name)
  return false
}

/**
 * Decodes the escapes in the name of an object member, so that different escapes of one name are equal. The parser
 * reports invalid strings later.
 */
function decodedName(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal.slice(1, -1)
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== codes.quote) at += text.charCodeAt(at) === codes.backslash ? 2 : 1
  return at
}

const numberCharacters = new Set([...'0123456789+-.eE'].map((character) => character.charCodeAt(0)))

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (numberCharacters.has(text.charCodeAt(at))) at++
  return at
}

/**
 * Reports whether the conversion to a JavaScript number would round a fraction to a whole number: 1.0000000000000000001
 * is not 1.
 */
function losesFraction(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const point = mantissa.indexOf('.')
  if ((point < 0 && exponent === '0') || !Number.isInteger(Number(source)) || !/[1-9]/.test(mantissa)) return false
  let end = mantissa.length
  while (mantissa[end - 1] === '0') end--
  return (point < 0 ? end - mantissa.length : end - 1 - point) > Number(exponent)
}

function currentPath(open: readonly Container[]): string {
  return pathOf(
    'body',
    open.map(({ names, name, index }) => (names === undefined ? index : name)),
  )
}

function duplicate(path: string): Problem {
  return { path, code: 'duplicate', message: 'Must be sent once.', fix: 'Remove the repeated member.' }
}

function tooLong(path: string): Problem {
  return {
    path,
    code: 'too_long',
    message: `Must be a number of at most ${numberMaxCharacters} characters.`,
    fix: 'Send fewer digits.',
  }
}
