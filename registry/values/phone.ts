import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { personalText } from './privacy.ts'

/** Phone number in a response: always in the +234 format (spec 1). */
export const Phone = personalText()
  .regex(/^\+234[1-9]\d{7,9}$/)
  .meta({ description: 'Phone number in the +234 format.', maxLength: 14, examples: ['+2348031234567'] })

const rule = 'Must be a Nigerian phone number, such as 08031234567, 2348031234567 or +234 803 123 4567.'

/**
 * Phone number in a request, as people in Nigeria write it. It is stored in the +234 format. Unassigned numbers are
 * rejected, because no message could reach them.
 */
export const PhoneInput = personalText()
  // Besides ASCII characters, the pattern allows the no-break spaces, dashes and invisible direction marks of numbers
  // that were copied from a chat or a web page.
  .regex(/^[+0-9 ().\u00a0\u200e\u2010-\u2015\u202a\u202c\u202f\u2066\u2069-]{7,30}$/, { error: rule, abort: true })
  .refine((text) => nigerianNumber(text) !== undefined, { error: rule, params: { problem: 'invalid_format' } })
  .overwrite((text) => nigerianNumber(text) ?? text)
  .meta({
    description:
      'Nigerian phone number: `08031234567`, `2348031234567` or `+2348031234567`, with or without spaces, hyphens, dots and ' +
      'brackets. Responses contain the number in the +234 format.',
    maxLength: 30,
    examples: ['08031234567'],
  })

/** Returns the number in the +234 format. Undefined if it is not a number of the Nigerian numbering plan. */
function nigerianNumber(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(internationalOf(text.replace(/\p{Cf}/gu, '')), {
    defaultCountry: 'NG',
    extract: false,
  })
  return parsed?.countryCallingCode === '234' && parsed.isValid() ? parsed.number : undefined
}

/**
 * Replaces the international prefix 00 by a plus sign, because libphonenumber does not support the prefix for Nigeria.
 */
function internationalOf(text: string): string {
  return text.replace(/^00(?=[ -]?234)/, '+')
}

/**
 * Sentence for the API descriptions of search parameters. It states how a search matches text and phone numbers.
 * phoneDigits() prepares the values of these parameters.
 */
export const anySpelling = 'Case and accents are ignored, and a phone number matches in every notation.'

/**
 * Minimum number of digits of a search text that is treated as a phone number. A text with fewer digits is a date, a
 * size or a house number.
 */
const digitsMin = 6

/**
 * Returns the digits of a search text that is a phone number or a part of one. The result matches the stored number in
 * every spelling. Other texts are returned unchanged.
 */
export function phoneDigits(text: string): string {
  const digits = text.replace(/\D/g, '')
  if (digits.length < digitsMin || !/^[+0-9 ().\p{Cf}\p{Zs}\p{Pd}]+$/u.test(text)) return text
  return digits.replace(/^00(?=234)/, '').replace(/^2340(?=\d)/, '234')
}
