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
  knownWeeksMin,
  noCourierBaseline,
  noCourierPrior,
  pricedOffersMin,
  usualAssignSeconds,
  usualConversion,
  usualNoCourierRate,
} from './surge-rules.ts'

/**
 * What is usual in an hour of the week: the median of the same hour in the four weeks before, each reckoned as the
 * present is, so that the two can be set beside one another. A zone of which little is known is taken to be like its city, and a
 * city like the constants.
 */
export interface UsualPlace extends Baseline {
  /** Logarithms over the rate card, by carrier and service. */
  readonly prices: Readonly<Record<string, number>>
}

/** Lagos is an hour ahead of UTC all year, so hours of its week are hours of UTC’s, and come again after seven days. */
export const hourMs = 3_600_000
export const weekMs = 7 * 24 * hourMs

export function hourOf(nowMs: number): number {
  return Math.floor(nowMs / hourMs) * hourMs
}

/** The beginnings of the hours to learn from. */
export function hoursBefore(hourStartMs: number): readonly number[] {
  return Array.from({ length: baselineWeeks }, (_, index) => hourStartMs - (index + 1) * weekMs)
}

const constants: Baseline = {
  assignSeconds: usualAssignSeconds,
  noCourierRate: usualNoCourierRate,
  demandPerMinute: null,
  conversion: usualConversion,
}

export function baselineOf(
  weeks: readonly Places[],
  { book, zoneId, city }: { readonly book: SurgeBook; readonly zoneId: string; readonly city: string },
): ZoneBaseline {
  const own = weeks.map((places) => placeIn(places, zoneKey(book, zoneId)))
  const around = weeks.map((places) => placeIn(places, cityKey(book, city)))
  const ofCity = usualOf(around, around, constants)
  const ofZone = usualOf(own, around, ofCity)
  // A zone has few priced offers an hour, and carriers price by the city.
  return { zone: { ...ofZone, conversion: ofCity.conversion, prices: ofCity.prices }, city: ofCity }
}

/** `around` tells a week in which nobody sent anything there from one before the service had anybody. */
function usualOf(weeks: readonly Place[], around: readonly Place[], expected: Baseline): UsualPlace {
  const conversion = conversionOf(weeks)
  const observed = weeks.map((place) => place.observed)
  const assignSeconds = median(
    observed.map((week) => shrunkMean(week.assignedSeconds, week.assignedWeight, expected.assignSeconds, assignPrior)),
  )
  const noCourierRate = median(
    observed.map(({ noCourierWeight, acceptedWeight }) =>
      shrunkMean(noCourierWeight, noCourierWeight + acceptedWeight, expected.noCourierRate, noCourierPrior),
    ),
  )
  const demands = observed
    .filter((_, index) => isKnown(around[index]))
    .map((week) => (week.dispatchedWeight + conversion * week.unconvertedWeight) / 60)
  return {
    assignSeconds: within(assignBaseline, assignSeconds),
    noCourierRate: within(noCourierBaseline, noCourierRate),
    demandPerMinute: demands.length < knownWeeksMin ? null : median(demands),
    conversion,
    prices: usualPrices(weeks),
  }
}

function isKnown(place: Place | undefined): boolean {
  return place !== undefined && place.observed.dispatchedWeight + place.observed.unconvertedWeight > 0
}

function conversionOf(weeks: readonly Place[]): number {
  const converted = weeks.reduce((sum, week) => sum + week.convertedWeight, 0)
  const quotes = weeks.reduce((sum, week) => sum + week.convertedWeight + week.observed.unconvertedWeight, 0)
  return shrunkMean(converted, quotes, usualConversion, conversionPrior)
}

function usualPrices(weeks: readonly Place[]): Record<string, number> {
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

/** What a zone is set beside: its own usual, and that of its city for the city’s part in it. */
export interface ZoneBaseline {
  readonly zone: UsualPlace
  readonly city: UsualPlace
}

const KeptPlace = z.object({
  assignSeconds: z.number(),
  noCourierRate: z.number(),
  demandPerMinute: z.number().nullable(),
  conversion: z.number(),
  prices: z.record(z.string(), z.number()),
})

const Kept = z.object({ zone: KeptPlace, city: KeptPlace })

/** A baseline as it was kept; undefined for what another version of this service wrote. */
export function readBaseline(kept: StoredBaseline | null): ZoneBaseline | undefined {
  return Kept.safeParse(kept).data
}
