import { type Random, randomFrom } from './random.ts'

/**
 * Generates a simulated day in a city of three zones: orders by hour, riders, and one period of rain with fewer riders
 * and longer rides. The random numbers depend only on the seed, never on the price, so that the pricing rules can be
 * compared on the same orders.
 */

export const zoneNames = ['west', 'middle', 'east'] as const
export type ZoneName = (typeof zoneNames)[number]

/** The neighbouring zones of each of the three zones. The west zone and the east zone border only on the middle one. */
export const neighboursOf: Readonly<Record<ZoneName, readonly ZoneName[]>> = {
  west: ['middle'],
  middle: ['west', 'east'],
  east: ['middle'],
}

/** A customer who requests a quote, and who orders when the price multiplier is acceptable. */
export interface Customer {
  readonly atMs: number
  readonly zone: ZoneName
  /** The highest price multiplier at which this customer still orders. */
  readonly highestMultiplier: number
  /** Time from the acceptance of a delivery until its rider is free again. */
  readonly rideMs: number
  /** Time that a free rider takes to accept a delivery. */
  readonly acceptMs: number
}

export interface Day {
  readonly customers: readonly Customer[]
  /** Returns the number of riders in each zone at a given time. */
  ridersAt(atMs: number): number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * Number of orders per hour in each zone: none at night, a peak at lunch, and a peak in the evening of about twice the
 * afternoon's.
 */
const ordersPerHour = [0, 0, 0, 0, 0, 0, 0, 2, 6, 10, 13, 16, 20, 17, 13, 13, 16, 20, 25, 21, 13, 6, 2, 0]

/** Number of riders in each zone: barely enough for the evening of a dry day. */
const riders = 14
const ridersInRain = 9

/** Mean durations: half an hour for a delivery with the way back, and one minute until a free rider accepts. */
const rideMeanMs = 32 * minuteMs
const acceptMeanMs = minuteMs

/**
 * Mean surcharge that customers accept, as a multiplier above 1: half of the customers still order at a multiplier of
 * 1.5, and few at 3.
 */
const surchargeMean = 0.72

export function dayOf(seed: number, isRainy: boolean): Day {
  const random = randomFrom(seed)
  const rainFromMs = (12 + 6 * random.next()) * hourMs
  const rain = { fromMs: rainFromMs, toMs: rainFromMs + (2 + random.next()) * hourMs }
  const isRain = (atMs: number) => isRainy && atMs >= rain.fromMs && atMs < rain.toMs
  const customers = zoneNames.flatMap((zone) => customersOf(zone, random, isRain))
  return {
    customers: customers.toSorted((a, b) => a.atMs - b.atMs),
    ridersAt: (atMs) => (isRain(atMs) ? ridersInRain : riders),
  }
}

/**
 * Returns the customers of a zone by thinning: generates candidates at the highest hourly rate, and keeps each with a
 * probability that is the ratio of its hour's rate to the highest rate.
 */
function customersOf(zone: ZoneName, random: Random, isRain: (atMs: number) => boolean): Customer[] {
  // Factor by which rain increases the order rate: a quarter more orders.
  const rainFactor = 1.25
  const highest = Math.max(...ordersPerHour) * rainFactor
  const customers: Customer[] = []
  for (let atMs = random.exponential(hourMs / highest); atMs < dayMs; atMs += random.exponential(hourMs / highest)) {
    const rate = (ordersPerHour[Math.floor(atMs / hourMs)] ?? 0) * (isRain(atMs) ? rainFactor : 1)
    const isSelected = random.next() * highest < rate
    const highestMultiplier = 1 + random.exponential(surchargeMean)
    const rideMs = 8 * minuteMs + random.exponential(rideMeanMs - 8 * minuteMs) * (isRain(atMs) ? 1.3 : 1)
    const acceptMs = 20_000 + random.exponential(acceptMeanMs - 20_000)
    if (isSelected) customers.push({ atMs, zone, highestMultiplier, rideMs, acceptMs })
  }
  return customers
}
