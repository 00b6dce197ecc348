import type { z } from 'zod'

/** Validation of text for display: it must have a visible character, and must not hide or reorder text. */

/** Matches a visible character. The excluded characters are blank: the Hangul fillers and the empty Braille pattern. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\u115f\u1160\u2800\u3164\uffa0]]/v

/** Matches a control character, or a line or paragraph separator. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Matches a control character other than tabs and line breaks. */
const control = /[^\P{Cc}\t\n\r]/u

/** Matches a bidirectional control character, which can display `cod.exe` as `exe.doc`. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/u

/**
 * Adds the checks for readable text to a text schema. The minimum length of the schema decides whether the text may be
 * empty.
 */
export function readable<Schema extends z.ZodString>(schema: Schema, lines: 'one' | 'many' = 'one'): Schema {
  const params = { problem: 'invalid_text' }
  return schema
    .refine((text) => text === '' || visible.test(text), { error: 'Must have a visible character.', params })
    .refine((text) => !(lines === 'one' ? breaking : control).test(text), {
      error: `Must have no control characters${lines === 'one' ? ' and no line breaks' : ''}.`,
      params,
    })
    .refine((text) => !reordering.test(text), {
      error: 'Must have no control characters that change the direction of the text.',
      params,
    })
}
