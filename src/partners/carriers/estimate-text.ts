import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Span } from './carrier.ts'

/** Parses a carrier's delivery estimate, a text such as `2 - 5 day(s)`. */

export interface Eta {
  readonly fromHours: number
  readonly toHours: number
  /** Whether the parcel is delivered on the day of pickup; `fromHours` and `toHours` then add no information. */
  readonly isSameDay: boolean
}

const dayHours = 24

const unitHours: ReadonlyMap<string, number> = new Map([
  ['hour', 1],
  ['day', dayHours],
  ['week', 7 * dayHours],
])

const phrases: readonly (readonly [phrase: RegExp, eta: Eta])[] = [
  [/same[\s-]?day/i, { fromHours: 0, toHours: dayHours, isSameDay: true }],
  [/next[\s-]?day|tomorrow|within (a|one) day|overnight/i, { fromHours: 0, toHours: dayHours, isSameDay: false }],
]

/** Undefined for text without an estimate. */
export function readEta(text: string | null | undefined): Eta | undefined {
  const estimate = (text ?? '').slice(0, textMaxLength)
  const phrase = phrases.find(([words]) => words.test(estimate))
  if (phrase !== undefined) return phrase[1]
  return readSpan(estimate.toLowerCase().match(/\d+|\p{L}+/gu) ?? [])
}

/** Parses a range such as `2 - 5 day(s)`, `Between 12 - 48 hours`, `3 to 5 working days`, `Within 3 days`, `1 week`. */
function readSpan(words: readonly string[]): Eta | undefined {
  const unitAt = words.findIndex((word) => unitOf(word) !== undefined)
  const hours = unitOf(words[unitAt] ?? '')
  const before = words.slice(0, Math.max(0, unitAt))
  const numbers = before.flatMap((word) => (/^\d{1,3}$/.test(word) ? [Number(word)] : [])).slice(-2)
  const to = Math.max(...numbers)
  if (hours === undefined || numbers.length === 0) return undefined
  const from = numbers.length === 1 ? 0 : Math.min(...numbers)
  // Two weekend days are added to an estimate for every five working days, or part of them.
  const isWorking = before.some((word) => word === 'working' || word === 'business')
  const weekendHours = isWorking ? Math.ceil(to / 5) * 2 * dayHours : 0
  return { fromHours: from * hours, toHours: to * hours + weekendHours, isSameDay: false }
}

function unitOf(word: string): number | undefined {
  return unitHours.get(word.endsWith('s') ? word.slice(0, -1) : word)
}

/** Maximum length of the parsed text of an estimate. The rest is ignored. */
const textMaxLength = 200

/** For an upper bound of two days, the service level is `standard` and not `next_day`. */
export function levelOfEta(eta: Eta | undefined): ServiceLevel {
  if (eta === undefined) return 'standard'
  if (eta.isSameDay) return 'same_day'
  return eta.toHours <= dayHours ? 'next_day' : 'standard'
}

/**
 * Returns the midpoint and the upper bound of an estimate, in minutes from booking. The carrier's estimate starts at
 * the pickup. The pickup is `untilPickupMs` after booking.
 */
export function minutesOfEta(eta: Eta | undefined, untilPickupMs: number): Span | undefined {
  if (eta === undefined) return undefined
  const aheadMinutes = Math.max(0, Math.round(untilPickupMs / 60_000))
  const minutes = (hours: number) => aheadMinutes + Math.round(hours * 60)
  return { p50: minutes((eta.fromHours + eta.toHours) / 2), p90: minutes(eta.toHours) }
}
