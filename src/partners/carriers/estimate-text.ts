import type { ServiceLevel } from '../../../registry/logistics/shipment-states.ts'
import type { Span } from './carrier.ts'

/** How long a carrier says that a parcel takes, read from its words. */

export interface Eta {
  readonly fromHours: number
  readonly toHours: number
  /** Delivered on the day it is picked up; then the hours say only that. */
  readonly isSameDay: boolean
}

const dayHours = 24

const unitHours: ReadonlyMap<string, number> = new Map([
  ['hour', 1],
  ['day', dayHours],
  ['week', 7 * dayHours],
])

/** Words without a number. */
const phrases: readonly (readonly [phrase: RegExp, eta: Eta])[] = [
  [/same[\s-]?day/i, { fromHours: 0, toHours: dayHours, isSameDay: true }],
  [/next[\s-]?day|tomorrow|within (a|one) day|overnight/i, { fromHours: 0, toHours: dayHours, isSameDay: false }],
]

/** Undefined for words that promise nothing. */
export function readEta(text: string | null | undefined): Eta | undefined {
  const given = (text ?? '').slice(0, textMaxLength)
  const phrase = phrases.find(([words]) => words.test(given))
  if (phrase !== undefined) return phrase[1]
  return readSpan(given.toLowerCase().match(/\d+|\p{L}+/gu) ?? [])
}

/** `2 - 5 day(s)`, `Between 12 - 48 hours`, `3 to 5 working days`, `Within 3 days`, `1 week`. */
function readSpan(words: readonly string[]): Eta | undefined {
  const unitAt = words.findIndex((word) => unitOf(word) !== undefined)
  const hours = unitOf(words[unitAt] ?? '')
  const before = words.slice(0, Math.max(0, unitAt))
  const numbers = before.flatMap((word) => (/^\d{1,3}$/.test(word) ? [Number(word)] : [])).slice(-2)
  const to = Math.max(...numbers)
  if (hours === undefined || numbers.length === 0) return undefined
  const from = numbers.length === 1 ? 0 : Math.min(...numbers)
  // Working days have a weekend in every five.
  const isWorking = before.some((word) => word === 'working' || word === 'business')
  const weekendHours = isWorking ? Math.ceil(to / 5) * 2 * dayHours : 0
  return { fromHours: from * hours, toHours: to * hours + weekendHours, isSameDay: false }
}

function unitOf(word: string): number | undefined {
  return unitHours.get(word.endsWith('s') ? word.slice(0, -1) : word)
}

/** What is longer is no estimate. */
const textMaxLength = 200

/** By the far end of the estimate: what may take two days is no next-day service. */
export function levelOfEta(eta: Eta | undefined): ServiceLevel {
  if (eta === undefined) return 'standard'
  if (eta.isSameDay) return 'same_day'
  return eta.toHours <= dayHours ? 'next_day' : 'standard'
}

/** In the middle and at the far end, for a pickup that lies so far behind the call. */
export function minutesOfEta(eta: Eta | undefined, untilPickupMs: number): Span | undefined {
  if (eta === undefined) return undefined
  const aheadMinutes = Math.max(0, Math.round(untilPickupMs / 60_000))
  const minutes = (hours: number) => aheadMinutes + Math.round(hours * 60)
  return { p50: minutes((eta.fromHours + eta.toHours) / 2), p90: minutes(eta.toHours) }
}
