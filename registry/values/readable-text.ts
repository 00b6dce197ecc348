import type { z } from 'zod'

/** Texts that people read: each shows something, and nothing of it is hidden or moves what is around it. */

/** Beside blanks, these letters and signs are drawn as nothing: fillers of Hangul, and the empty pattern of Braille. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\u115f\u1160\u2800\u3164\uffa0]]/v

/** Control characters, and those that end a line or a paragraph. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** The same where a text may have several lines. */
const control = /[^\P{Cc}\t\n\r]/u

/** Controls that let a text be read in another order than it is written: `cod.exe` as `exe.doc`. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/u

/** Refuses a text in which a person reads nothing, or something else than is there. Its least length judges an empty one. */
export function readable<Schema extends z.ZodString>(schema: Schema, lines: 'one' | 'many' = 'one'): Schema {
  const params = { problem: 'invalid_text' }
  return schema
    .refine((text) => text === '' || visible.test(text), { error: 'Must have a visible character.', params })
    .refine((text) => !(lines === 'one' ? breaking : control).test(text), {
      error: `Must have no control characters${lines === 'one' ? ' and no line breaks' : ''}.`,
      params,
    })
    .refine((text) => !reordering.test(text), { error: 'Must have no characters that reorder the text.', params })
}
