import { z } from 'zod'
import type { SurgeBook } from '../../../registry/logistics/surge.ts'
import type { StoredBaseline } from '../../store/logistics/surge/surge-states.ts'
import { type Baseline, shrunkMean } from './surge-formula.ts'
import { cityKey, type Place, type Places, placeIn, zoneKey } from './surge-places.ts'
import {
  assignBaseline,
  assignPrior,
  baselineWeeks,
  conversionPrior,
  defaultAssignSeconds,
  defaultConversion,
  defaultNoCourierRate,
  knownWeeksMin,
  noCourierBaseline,
  noCourierPrior,
  pricedOffersMin,
} from './surge-rules.ts'

/**
 * The surge baseline of a zone or city for one hour of the week: the median of its values in this hour of the four
 * previous weeks, computed like the current values. With few observations, the baseline of a zone is shrunk towards the
 * baseline of its city, and the baseline of a city towards the default constants.
 */
export interface PlaceBaseline extends Baseline {
  /** For each `carrier/service`, the logarithm of the ratio of the carrier's price to its rate-card price. */
  readonly prices: Readonly<Record<string, number>>
}

/**
 * Lagos is one hour ahead of UTC all year. The same hour of the previous week in Lagos therefore started exactly
 * `weekMs` earlier.
 */
export const hourMs = 3_600_000
export const weekMs = 7 * 24 * hourMs

/** Returns the start of the hour that contains a time, in epoch milliseconds. */
export function hourOf(nowMs: number): number {
  return Math.floor(nowMs / hourMs) * hourMs
}

/** Returns the starts, in epoch milliseconds, of the same hour in the previous weeks. */
export function hoursBefore(hourStartMs: number): readonly number[] {
  return Array.from({ length: baselineWeeks }, (_, index) => hourStartMs - (index + 1) * weekMs)
}

const constants: Baseline = {
  assignSeconds: defaultAssignSeconds,
  noCourierRate: defaultNoCourierRate,
  demandPerMinute: null,
  conversion: defaultConversion,
}

/** `weeks` contains the observations of the previous weeks, newest week first. */
export function baselineOf(
  weeks: readonly Places[],
  { book, zoneId, city }: { readonly book: SurgeBook; readonly zoneId: string; readonly city: string },
): ZoneBaseline {
  const zoneWeeks = weeks.map((places) => placeIn(places, zoneKey(book, zoneId)))
  const cityWeeks = weeks.map((places) => placeIn(places, cityKey(book, city)))
  const ofCity = placeBaseline(cityWeeks, cityWeeks, constants)
  const ofZone = placeBaseline(zoneWeeks, cityWeeks, ofCity)
  // For the conversion rate and the carrier prices, each zone has the baselines of its city. A single zone has too few
  // priced offers per hour, and carriers set prices by city.
  return { zone: { ...ofZone, conversion: ofCity.conversion, prices: ofCity.prices }, city: ofCity }
}

/**
 * Returns the baseline of one zone or city. A week without any activity in the whole city is excluded from the demand
 * baseline, because the service was probably not in use. A week in which only this zone had no activity is treated as
 * zero demand.
 */
function placeBaseline(weeks: readonly Place[], cityWeeks: readonly Place[], prior: Baseline): PlaceBaseline {
  const conversion = conversionOf(weeks)
  const observed = weeks.map((place) => place.observed)
  const assignSeconds = median(
    observed.map((week) => shrunkMean(week.assignedSeconds, week.assignedWeight, prior.assignSeconds, assignPrior)),
  )
  const noCourierRate = median(
    observed.map(({ noCourierWeight, acceptedWeight }) =>
      shrunkMean(noCourierWeight, noCourierWeight + acceptedWeight, prior.noCourierRate, noCourierPrior),
    ),
  )
  const demands = observed
    .filter((_, index) => hasActivity(cityWeeks[index]))
    .map((week) => (week.dispatchedWeight + conversion * week.unconvertedWeight) / 60)
  return {
    assignSeconds: within(assignBaseline, assignSeconds),
    noCourierRate: within(noCourierBaseline, noCourierRate),
    demandPerMinute: demands.length < knownWeeksMin ? null : median(demands),
    conversion,
    prices: baselinePrices(weeks),
  }
}

function hasActivity(place: Place | undefined): boolean {
  return place !== undefined && place.observed.dispatchedWeight + place.observed.unconvertedWeight > 0
}

function conversionOf(weeks: readonly Place[]): number {
  const converted = weeks.reduce((sum, week) => sum + week.convertedWeight, 0)
  const quotes = weeks.reduce((sum, week) => sum + week.convertedWeight + week.observed.unconvertedWeight, 0)
  return shrunkMean(converted, quotes, defaultConversion, conversionPrior)
}

function baselinePrices(weeks: readonly Place[]): Record<string, number> {
  const means = new Map<string, number[]>()
  for (const { prices } of weeks) {
    for (const [priced, { weight, log }] of prices) {
      if (weight >= pricedOffersMin) means.set(priced, [...(means.get(priced) ?? []), log / weight])
    }
  }
  const known = [...means].filter(([, logs]) => logs.length >= knownWeeksMin)
  return Object.fromEntries(known.map(([priced, logs]) => [priced, median(logs)]))
}

function within({ min, max }: { readonly min: number; readonly max: number }, value: number): number {
  return Math.min(max, Math.max(min, value))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/**
 * The surge baselines for one zone: those of the zone itself, and those of its city, whose surge is blended with the
 * surge of the zone.
 */
export interface ZoneBaseline {
  readonly zone: PlaceBaseline
  readonly city: PlaceBaseline
}

const StoredPlaceBaseline = z.object({
  assignSeconds: z.number(),
  noCourierRate: z.number(),
  demandPerMinute: z.number().nullable(),
  conversion: z.number(),
  prices: z.record(z.string(), z.number()),
})

const StoredZoneBaseline = z.object({ zone: StoredPlaceBaseline, city: StoredPlaceBaseline })

/** Returns undefined if another version of this service stored the baseline in a different format. */
export function readBaseline(stored: StoredBaseline | null): ZoneBaseline | undefined {
  return StoredZoneBaseline.safeParse(stored).data
}
