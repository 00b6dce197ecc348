import fc from 'fast-check'
import type { Schema } from './document.ts'
import { chance, type Draw, oneOf } from './draw.ts'

/** A text may be as long as its schema allows; this is as long as it is made beyond its shortest. */
const roomMax = 40

/** A text that a schema allows, most of the time: what does not fit is thrown away by whoever asked. */
export function generateText(schema: Schema, draw: Draw): string {
  const examples = (schema.examples ?? []).filter((example) => typeof example === 'string')
  const example = oneOf(draw, examples)
  if (example !== undefined && chance(draw, 40)) return example
  if (schema.format === 'date-time') return generateMoment(draw)
  if (schema.format === 'email') return `${draw(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/))}@example.com`
  if (schema.pattern !== undefined) return matching(schema.pattern, draw) ?? example ?? ''
  const minLength = schema.minLength ?? 0
  const maxLength = Math.min(schema.maxLength ?? minLength + roomMax, minLength + roomMax)
  const unit = chance(draw, 80) ? 'grapheme-ascii' : 'grapheme'
  return draw(fc.string({ minLength, maxLength, unit }))
}

/** A pattern with what fast-check cannot make gives nothing. */
function matching(pattern: string, draw: Draw): string | undefined {
  try {
    return draw(fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' }))
  } catch {
    return undefined
  }
}

/** Some years around any present. */
function generateMoment(draw: Draw): string {
  const min = Date.UTC(2020, 0)
  const max = Date.UTC(2035, 0)
  return new Date(draw(fc.integer({ min, max }))).toISOString()
}
