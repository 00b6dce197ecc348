import type { ServiceLevel } from '../../../registry/shipment-states.ts'
import type { Span } from './carrier.ts'

/** How long a carrier says that a parcel takes, read from its words. */

export interface Eta {
  readonly fromHours: number
  readonly toHours: number
  /** Delivered on the day it is picked up; then the hours say only that. */
  readonly isSameDay: boolean
}

const dayHours = 24

/** `2 - 5 day(s)`, `Between 12 - 48 hours`, `3 to 5 working days`, `Within 3 days`, `1 week`. */
const span = /(\d{1,3})\s*(?:(?:-|–|to|and)\s*(\d{1,3})\s*)?(working|business)?\s*(hour|day|week)/i

const unitHours: Readonly<Record<string, number>> = { hour: 1, day: dayHours, week: 7 * dayHours }

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
  const [, first, last, working, unit = ''] = span.exec(given) ?? []
  const hours = unitHours[unit.toLowerCase()]
  if (first === undefined || hours === undefined) return undefined
  const from = last === undefined ? 0 : Number(first)
  const to = Number(last ?? first)
  // Working days have a weekend in every five.
  const weekendHours = working === undefined ? 0 : Math.ceil(to / 5) * 2 * dayHours
  return { fromHours: Math.min(from, to) * hours, toHours: Math.max(from, to) * hours + weekendHours, isSameDay: false }
}

/** What is longer is no estimate. */
const textMaxLength = 200

/** By the far end of the estimate: what may take two days is no next-day service. */
export function levelOfEta(eta: Eta | undefined): ServiceLevel {
  if (eta === undefined) return 'standard'
  if (eta.isSameDay) return 'same_day'
  return eta.toHours <= dayHours ? 'next_day' : 'standard'
}

/** In the middle and at the far end, counted from a pickup that lies ahead. */
export function minutesOfEta(eta: Eta | undefined, untilPickupMs: number): Span | undefined {
  if (eta === undefined) return undefined
  const aheadMinutes = Math.max(0, Math.round(untilPickupMs / 60_000))
  const minutes = (hours: number) => aheadMinutes + Math.round(hours * 60)
  return { p50: minutes((eta.fromHours + eta.toHours) / 2), p90: minutes(eta.toHours) }
}
