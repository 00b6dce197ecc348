import { toTimestamp } from '../base/clock.ts'
import { nairaText } from '../base/naira.ts'

/**
 * The data of a notification. Each field is validated when it is read, because an older or newer release may have
 * stored the data, and because the data contains texts of payment providers.
 */
export interface Facts {
  /** Returns a text field of a notification's data, shortened and on one line; undefined if there is none. */
  text(name: string): string | undefined
  /** Returns an id field of a notification's data if it has the prefix of a record id; undefined for anything else. */
  id(prefix: string, name: string): string | undefined
  /** Values without the given prefix are left out. */
  ids(prefix: string, name: string): readonly string[]
  number(name: string): number | undefined
  /** Returns an amount of the notification's data as text in naira. */
  money(name: string): string | undefined
  /** Returns a time of the notification's data as text, in Lagos time. */
  time(name: string): string | undefined
}

/**
 * Maximum length of a text field of a notification, longer than every id, reference and reason of a payment provider.
 */
const textMaxLength = 100

export function factsOf(data: unknown): Facts {
  const read = (name: string): unknown => Reflect.get(Object(data), name)
  const text = (name: string) => {
    const value = read(name)
    if (typeof value !== 'string') return undefined
    const line = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ').trim()
    return line === '' ? undefined : line.slice(0, textMaxLength)
  }
  const number = (name: string) => {
    const value = read(name)
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
  }
  const isId = (prefix: string, value: unknown): value is string =>
    typeof value === 'string' && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(value)
  return {
    text,
    number,
    id: (prefix, name) => {
      const value = text(name)
      return isId(prefix, value) ? value : undefined
    },
    ids: (prefix, name) => {
      const values = read(name)
      return Array.isArray(values) ? values.filter((value) => isId(prefix, value)) : []
    },
    money: (name) => {
      const kobo = number(name)
      return kobo === undefined ? undefined : nairaText(kobo)
    },
    time: (name) => {
      const ms = Date.parse(text(name) ?? '')
      return Number.isNaN(ms) ? undefined : lagosTimeOf(toTimestamp(ms))
    },
  }
}

// A formatter loads megabytes of locale data, so it is created at its first use.
let lagosTime: Intl.DateTimeFormat | undefined

/** Time in Lagos, the time zone of the merchants, such as `21 Nov 2026, 09:30`. */
export function lagosTimeOf(at: string): string {
  lagosTime ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', dateStyle: 'medium', timeStyle: 'short' })
  return lagosTime.format(new Date(at))
}
