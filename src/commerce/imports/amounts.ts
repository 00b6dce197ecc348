import { koboPerNaira } from '../../../registry/values/vocabulary.ts'

/** Converts the numbers of a file, which are text, without floats. */

export type Converted =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'wrong'; readonly message: string }

/** Maximum number of digits of the integer part: with two decimals, a number of so many digits is exact. */
const digitsMax = 13

/** A price in naira: digits with or without a comma before each three, and up to two decimals. Further zeros are ignored. */
const naira = /^(?:₦|NGN)?\s?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2})0*)?$/i

/** Converts a price in naira, such as `12,500.00`, `12500` or `₦12,500`, to kobo. */
export function koboOf(text: string): Converted {
  const [, grouped, decimals = ''] = naira.exec(text) ?? []
  const whole = grouped?.replaceAll(',', '')
  if (whole === undefined || whole.length > digitsMax) {
    return wrong('Must be a price in naira, such as 12500, 12,500.00 or ₦12,500', text)
  }
  return { is: 'value', value: Number(whole) * koboPerNaira + Number(decimals.padEnd(2, '0')) }
}

/** Converts a price in naira, of which 0 means none. Shops export an unused compare-at price or cost as 0. */
export function koboOrNoneOf(text: string): Converted {
  const converted = koboOf(text)
  return converted.is === 'value' && converted.value === 0 ? { is: 'value', value: undefined } : converted
}

/** A whole number. Some shops export it with decimals that are 0. */
const whole = /^(-?\d{1,13})(?:\.0+)?$/

export function wholeOf(text: string): Converted {
  const [, digits] = whole.exec(text) ?? []
  return digits === undefined ? wrong('Must be a whole number', text) : { is: 'value', value: Number(digits) }
}

/** A number of grams, or of kilograms with up to three decimals. Further zeros are ignored. */
const kilograms = /^(\d{1,10})(?:\.(\d{1,3})0*)?$/

/** Converts a weight in kilograms to grams. */
export function gramsOf(text: string): Converted {
  const [, whole, decimals = ''] = kilograms.exec(text) ?? []
  if (whole === undefined) return wrong('Must be a weight in kilograms with at most three decimals', text)
  return { is: 'value', value: Number(`${whole}${decimals.padEnd(3, '0')}`) }
}

/** Maximum length of a value in a message. */
const shownMax = 60

export function wrong(rule: string, text: string): Converted {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
  return { is: 'wrong', message: `${rule}, not “${shown}”.` }
}
