import fc from 'fast-check'
import type { Schema } from './document.ts'
import { chance, type Draw, oneOf } from './draw.ts'

/** Maximum number of characters by which a generated text exceeds the minimum length of its schema. */
const roomMax = 40

/**
 * Generates a text that the schema usually allows. The caller must validate the text and discard it if it is invalid.
 */
export function generateText(schema: Schema, draw: Draw): string {
  const examples = (schema.examples ?? []).filter((example) => typeof example === 'string')
  const example = oneOf(draw, examples)
  if (example !== undefined && chance(draw, 40)) return example
  if (schema.format === 'date-time') return generateMoment(draw)
  if (schema.format === 'email') return `${draw(mailboxes)}@example.com`
  if (schema.pattern !== undefined) return matching(schema.pattern, draw) ?? example ?? ''
  const minLength = schema.minLength ?? 0
  const maxLength = Math.min(schema.maxLength ?? minLength + roomMax, minLength + roomMax)
  const unit = chance(draw, 80) ? 'grapheme-ascii' : 'grapheme'
  return draw(fc.string({ minLength, maxLength, unit }))
}

/** Generates the part of an e-mail address before the @. */
const mailboxes = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/)

/**
 * The fast-check arbitrary of each text pattern. Building one takes as long as drawing a hundred values. A document has
 * a few dozen patterns.
 */
const matchings = new Map<string, fc.Arbitrary<string> | undefined>()

/** Undefined for a pattern that fast-check does not support. */
function matching(pattern: string, draw: Draw): string | undefined {
  if (!matchings.has(pattern)) matchings.set(pattern, matchingOf(pattern))
  const arbitrary = matchings.get(pattern)
  return arbitrary && draw(arbitrary)
}

function matchingOf(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' })
  } catch {
    return undefined
  }
}

function generateMoment(draw: Draw): string {
  const min = Date.UTC(2020, 0)
  const max = Date.UTC(2035, 0)
  return new Date(draw(fc.integer({ min, max }))).toISOString()
}
