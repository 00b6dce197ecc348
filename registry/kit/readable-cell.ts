import { z } from 'zod'

/**
 * The texts of lists and maps in a spreadsheet, such as `2 × Ankara dress M at ₦15,000.00`. Amounts are in naira. The
 * entries of a list are separated by semicolons.
 */

export function readableText(value: unknown): string {
  if (Array.isArray(value)) return value.map(entryText).join('; ')
  const fields = Fields.safeParse(value).data
  return fields === undefined ? scalarText(value) : fieldList(fields)
}

/**
 * Returns the text of a list entry: its phrase from `phrases`, or the text of its value if `phrases` has none. A map,
 * such as the metadata of an order, has no phrase, because its field names are not fixed.
 */
function entryText(entry: unknown): string {
  const fields = Fields.safeParse(entry).data
  const phrase = phrases.find(({ names }) => names.every((name) => Object.hasOwn(fields ?? {}, name)))
  return fields === undefined || phrase === undefined ? readableText(entry) : phrase.text(fields)
}

const Fields = z.record(z.string(), z.unknown())

type Fields = z.output<typeof Fields>

/** Returns an amount in kobo as a number in naira, such as `15500.00`. It is computed from the digits, so it is exact. */
export function nairaDigits(kobo: string): string {
  return kobo.replace(/^(-?)(\d+)$/, (_, sign: string, digits: string) => {
    const padded = digits.padStart(3, '0')
    return `${sign}${padded.slice(0, -2)}.${padded.slice(-2)}`
  })
}

function amountText(kobo: unknown): string {
  const [naira = '', decimals = '00'] = nairaDigits(String(kobo)).split('.')
  const sign = naira.startsWith('-') ? '-' : ''
  return `${sign}₦${Number(naira.slice(sign.length)).toLocaleString('en-NG')}.${decimals}`
}

function scalarText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function joined(texts: readonly unknown[], separator: string): string {
  return texts
    .map(scalarText)
    .filter((text) => text !== '')
    .join(separator)
}

/**
 * Functions that return the text of an object in a list or map of a record. The text comes from the first entry whose
 * `names` the object has as fields.
 */
const phrases: readonly { readonly names: readonly string[]; readonly text: (fields: Fields) => string }[] = [
  {
    names: ['quantity', 'title', 'variantTitle', 'unitPriceKobo'],
    text: ({ quantity, title, variantTitle, unitPriceKobo }) =>
      `${quantity} × ${joined([title, variantTitle], ' ')} at ${amountText(unitPriceKobo)}`,
  },
  {
    names: ['itemId', 'quantity', 'amountKobo'],
    text: ({ itemId, quantity, amountKobo }) => `${quantity} × ${itemId} for ${amountText(amountKobo)}`,
  },
  { names: ['code', 'amountKobo'], text: ({ code, amountKobo }) => `${code}: ${amountText(amountKobo)}` },
  { names: ['status', 'trackingUrl'], text: ({ status, trackingUrl }) => joined([status, trackingUrl], ' ') },
  {
    names: ['recipientName', 'line1', 'state'],
    text: ({ recipientName, phone, line1, line2, landmark, area, city, state }) =>
      joined([recipientName, phone, line1, line2, landmark, area, city, state], ', '),
  },
]

/** Returns the fields of an object as a list such as `size: M, colour: Indigo`. Fields without a value are left out. */
function fieldList(fields: Fields): string {
  const texts = Object.entries(fields).map(([name, value]) => {
    const isAmount = name.endsWith('Kobo') && typeof value === 'number'
    const text = isAmount ? amountText(value) : readableText(value)
    return text === '' ? '' : `${isAmount ? name.replace(/Kobo$/, '') : name}: ${text}`
  })
  return joined(texts, ', ')
}
