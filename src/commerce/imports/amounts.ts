import { koboPerNaira } from '../../../registry/values/vocabulary.ts'

/**
 * Converts numbers that an imported file contains as text, without floating-point arithmetic, which could round
 * amounts.
 */

export type Converted = { readonly is: 'value'; readonly value: unknown } | Wrong

interface Wrong {
  readonly is: 'wrong'
  readonly message: string
}

/**
 * Maximum number of digits before the decimal point. A JavaScript number with 13 such digits and two decimals is still
 * exact as an integer of hundredths.
 */
const digitsMax = 13

/**
 * Matches a price in naira, with or without thousands separators, and with up to two decimals. Further decimals are
 * ignored if they are zeros. Exactly three decimals do not match, because 12.500 can also mean twelve thousand five
 * hundred.
 */
const naira = /^(?:₦|NGN)?\s?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}|\d{2}0{2,}|\d0{3,}))?$/i

const threeDecimals = /\.\d{3}$/

export function koboOf(text: string): Converted {
  const [, grouped, decimals = ''] = naira.exec(text) ?? []
  const whole = grouped?.replaceAll(',', '')
  if (whole === undefined || whole.length > digitsMax) {
    const rule = 'Must be a price in naira, such as 12500, 12,500.00 or ₦12,500'
    return wrong(threeDecimals.test(text) ? `${rule}, in which “.” separates two digits of kobo` : rule, text)
  }
  return { is: 'value', value: Number(whole) * koboPerNaira + Number(decimals.slice(0, 2).padEnd(2, '0')) }
}

/**
 * Converts an optional price in naira. The value 0 means that there is no price, because shops export an unused
 * compare-at price or cost as 0.
 */
export function koboOrNoneOf(text: string): Converted {
  const converted = koboOf(text)
  return converted.is === 'value' && converted.value === 0 ? { is: 'value', value: undefined } : converted
}

/**
 * Matches a whole number. Some shops export whole numbers with decimals that are all zero, such as `2.00`. These match
 * too. Exactly three decimals do not match, because `2.000` can also mean two thousand.
 */
const whole = /^(-?\d{1,13})(?:\.(?:0{1,2}|0{4,}))?$/

export function wholeOf(text: string): Converted {
  const [, digits] = whole.exec(text) ?? []
  if (digits !== undefined) return { is: 'value', value: Number(digits) }
  return wrong(
    threeDecimals.test(text)
      ? 'Must be a whole number without “.”, which can mean thousands or decimals'
      : 'Must be a whole number',
    text,
  )
}

const decimal = /^(\d{1,10})(?:\.(\d+))?$/

/** Rounded to a whole gram. */
export function gramsOfKilograms(text: string): Converted {
  return scaledWeight(text, { places: 3, unit: 'kilograms' })
}

/**
 * Converts a weight in grams and rounds it to a whole gram, because a shop may have calculated the weight from another
 * unit, with decimals.
 */
export function gramsOf(text: string): Converted {
  return scaledWeight(text, { places: 0, unit: 'grams' })
}

/**
 * Converts the text of a weight to an integer: multiplies the weight by ten to the power of `places`, and rounds it.
 */
function scaledWeight(text: string, { places, unit }: { readonly places: number; readonly unit: string }): Converted {
  const [, whole, decimals = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return wrong(`Must be a weight in ${unit}, such as 12.5`, text)
  const digits = decimals.padEnd(places + 1, '0')
  const isRoundedUp = Number(digits.charAt(places)) >= 5
  return { is: 'value', value: Number(`${whole}${digits.slice(0, places)}`) + (isRoundedUp ? 1 : 0) }
}

/** Matches a barcode that a spreadsheet has replaced by a rounded number, such as 6.154E+12. */
const rounded = /^\d(?:[.,]\d+)?e\+?\d+$/i

export function barcodeOf(text: string): Converted {
  return rounded.test(text)
    ? wrong('Must be all digits of the barcode. A spreadsheet has rounded it: format the column as text', text)
    : { is: 'value', value: text }
}

/** Maximum number of characters of an imported value that an error message quotes. */
const shownMax = 60

export function wrong(rule: string, text: string): Wrong {
  return { is: 'wrong', message: `${rule}, not “${shownText(text)}”.` }
}

export function shownText(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
