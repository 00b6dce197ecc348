import { z } from 'zod'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { koboPerNaira } from '../../../registry/values/vocabulary.ts'

/** Schemas of form fields. They convert the strings that a form sends to the types that the action needs. */

/**
 * Maximum length of a form field whose exact limit the API operation checks. It is longer than any valid text, so that
 * members see the operation's own error message for a text that is too long.
 */
export const textMaxLength = 2000

/**
 * Schema of several values of one form field, such as check boxes. A form does not send the field if no value is
 * chosen.
 */
export function several<Value extends z.ZodType>(value: Value) {
  return z.preprocess((sent) => (sent === undefined || Array.isArray(sent) ? (sent ?? []) : [sent]), z.array(value))
}

/** The member must choose at least one value. */
export function choices<Values extends readonly [string, ...string[]]>(values: Values, message: string) {
  return several(z.enum(values)).refine((chosen) => chosen.length > 0, { error: message })
}

/** Schema of a form field with one line of text, without spaces around it. */
export function line(maxLength: number) {
  return z
    .string({ error: 'Fill in this field.' })
    .trim()
    .min(1, { error: 'Fill in this field.' })
    .max(maxLength, { error: `Use at most ${maxLength} characters.` })
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'Enter letters, digits and punctuation on one line.' })
}

export const checkBox = z
  .literal('yes')
  .optional()
  .transform((sent) => sent === 'yes')

export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const error = `Use a whole number from ${min} to ${max}.`
  return z
    .string({ error: 'Fill in this field.' })
    .regex(/^-?\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.int().min(min, { error }).max(max, { error }))
}

/** Schema of a form field with a percentage of at most two decimals, converted to basis points. */
export function percentage({ min, max }: { readonly min: number; readonly max: number }) {
  const error = `Use a percentage from ${min / bpsPerPercent} to ${max / bpsPerPercent}, such as 7.5.`
  return z
    .string({ error: 'Fill in this field.' })
    .trim()
    .regex(/^\d{1,5}(\.\d{1,2})?$/, { error })
    .transform((text) => {
      const [whole = '', part = ''] = text.split('.')
      return Number(whole) * bpsPerPercent + Number(part.padEnd(2, '0'))
    })
    .pipe(z.int().min(min, { error }).max(max, { error }))
}

export const bpsPerPercent = 100

/**
 * A price in naira with at most two decimals, converted to kobo. It may be zero. ₦, N or NGN may precede it, and commas or
 * spaces may separate its thousands. The kobo are computed from the digits, because 0.29 * 100 is not 29.
 */
export const nairaPrice = z
  .string({ error: 'Fill in this field.' })
  .trim()
  .regex(/^(?:(?:₦|NGN|N)\s?)?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?:\s\d{3}){1,4})(?:\.\d{1,2})?$/i, {
    error: 'Enter an amount in naira, such as 12500, 12,500.50 or ₦12,500.',
  })
  .transform((text) => {
    const [naira = '', kobo = ''] = text.replaceAll(/[^\d.]/g, '').split('.')
    return Number(naira) * koboPerNaira + Number(kobo.padEnd(2, '0'))
  })
  .pipe(
    z
      .number()
      .max(amountMaxKobo, { error: `Enter at most ${(amountMaxKobo / koboPerNaira).toLocaleString('en-NG')} naira.` }),
  )

/** An amount in naira above zero, converted to kobo. */
export const nairaAmount = nairaPrice.pipe(z.int().min(1, { error: 'Enter an amount above zero.' }))

/**
 * Schema of a form field with the ids of chosen records, such as order items with check boxes. The operation validates
 * the ids.
 */
export const chosenIds = several(z.string())

/** The version that the record had when the form was rendered. */
export const version = wholeNumber({ min: 1, max: 2_147_483_647 })

/** Adds the UTC offset to a time that a member typed. Members type Lagos time, and Africa/Lagos is UTC+1 all year. */
export const lagosTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, { error: 'Enter a date and a time.' })
  .transform((text) => `${text.length === minuteLength ? `${text}:00` : text}+01:00`)

/** Number of characters of a time without seconds, such as 2026-11-21T08:30. */
const minuteLength = 16

/**
 * Schema of a form that has only a button. All values in the request are ignored, so the outcome depends only on the
 * stored record.
 */
export const noFields = z.object({})
