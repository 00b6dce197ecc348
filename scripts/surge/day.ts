import { type Random, randomFrom } from './random.ts'

/**
 * A day of a city of three zones: orders that follow the hours, riders who take them, and one stretch of rain in which fewer
 * ride and each ride takes longer. What it draws depends on the seed alone, never on the price, so that two rules can be
 * set beside one another order by order.
 */

export const zoneNames = ['west', 'middle', 'east'] as const
export type ZoneName = (typeof zoneNames)[number]

/** West and east lie beside the middle. */
export const neighboursOf: Readonly<Record<ZoneName, readonly ZoneName[]>> = {
  west: ['middle'],
  middle: ['west', 'east'],
  east: ['middle'],
}

export interface Wish {
  readonly atMs: number
  readonly zone: ZoneName
  /** The highest multiplier at which this customer still orders. */
  readonly walksAwayAbove: number
  /** How long the rider is away with it, and how long until one who is free has said yes. */
  readonly rideMs: number
  readonly acceptMs: number
}

export interface Day {
  readonly wishes: readonly Wish[]
  ridersAt(atMs: number): number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Orders an hour and zone: nothing at night, lunch, and an evening that is twice the afternoon. */
const ordersPerHour = [0, 0, 0, 0, 0, 0, 0, 2, 6, 10, 13, 16, 20, 17, 13, 13, 16, 20, 25, 21, 13, 6, 2, 0]

/** In each zone by day: enough for the evening of a dry day, with little to spare. */
const riders = 14
const ridersInRain = 9

/** Half an hour with a parcel and the way back; 1 minute until a rider who is free has said yes. */
const rideMeanMs = 32 * minuteMs
const acceptMeanMs = minuteMs

/** Half the customers would still order at 1.5, and hardly one at 3. */
const walkAwayMean = 0.72

export function dayOf(seed: number, isRainy: boolean): Day {
  const random = randomFrom(seed)
  const rainFromMs = (12 + 6 * random.next()) * hourMs
  const rain = { fromMs: rainFromMs, toMs: rainFromMs + (2 + random.next()) * hourMs }
  const isRain = (atMs: number) => isRainy && atMs >= rain.fromMs && atMs < rain.toMs
  const wishes = zoneNames.flatMap((zone) => wishesOf(zone, random, isRain))
  return {
    wishes: wishes.toSorted((a, b) => a.atMs - b.atMs),
    ridersAt: (atMs) => (isRain(atMs) ? ridersInRain : riders),
  }
}

/** Thinning: candidates at the highest rate, kept as often as the hour’s own rate has it. */
function wishesOf(zone: ZoneName, random: Random, isRain: (atMs: number) => boolean): Wish[] {
  // Rain brings a quarter more orders.
  const rainFactor = 1.25
  const highest = Math.max(...ordersPerHour) * rainFactor
  const wishes: Wish[] = []
  for (let atMs = random.exponential(hourMs / highest); atMs < dayMs; atMs += random.exponential(hourMs / highest)) {
    const rate = (ordersPerHour[Math.floor(atMs / hourMs)] ?? 0) * (isRain(atMs) ? rainFactor : 1)
    const isKept = random.next() * highest < rate
    const walksAwayAbove = 1 + random.exponential(walkAwayMean)
    const rideMs = 8 * minuteMs + random.exponential(rideMeanMs - 8 * minuteMs) * (isRain(atMs) ? 1.3 : 1)
    const acceptMs = 20_000 + random.exponential(acceptMeanMs - 20_000)
    if (isKept) wishes.push({ atMs, zone, walksAwayAbove, rideMs, acceptMs })
  }
  return wishes
}
