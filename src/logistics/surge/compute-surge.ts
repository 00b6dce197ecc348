import type { SurgeBook } from '../../../registry/logistics/surge.ts'
import type { ZoneBaseline } from './surge-baselines.ts'
import { blended, type Signals, type Smoothed, signalsOf, smoothed, spread } from './surge-formula.ts'
import { cityKey, observedIn, type Places, placeIn, zoneKey } from './surge-places.ts'
import type { SurgeRules } from './surge-rules.ts'

/** Computes the smoothed surge of every zone from its observations. publish-surge.ts decides what is published. */

export interface ZoneToCompute {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly city: string
  readonly neighbours: readonly string[]
  readonly baseline: ZoneBaseline
  readonly before: Smoothed | undefined
}

export interface ComputedSurge {
  readonly signals: Signals
  readonly sampleSize: number
  readonly openCount: number
  readonly cityLog: number
  readonly blendedLog: number
  readonly spreadLog: number
  readonly smoothed: Smoothed
}

/** Returns the surge of each zone by the key of the zone. */
export function computeSurges(
  zones: readonly ZoneToCompute[],
  places: Places,
  nowMs: number,
  rules: SurgeRules,
): ReadonlyMap<string, ComputedSurge> {
  const unspread = new Map(
    zones.map((zone) => [zoneKey(zone.book, zone.zoneId), withoutNeighbours(zone, places, rules)] as const),
  )
  return new Map(
    zones.map((zone) => {
      const key = zoneKey(zone.book, zone.zoneId)
      const own = unspread.get(key) ?? withoutNeighbours(zone, places, rules)
      const neighbours = zone.neighbours.map((id) => unspread.get(zoneKey(zone.book, id)))
      const logs = neighbours.flatMap((neighbour) => (neighbour === undefined ? [] : [neighbour.blendedLog]))
      const spreadLog = spread(own.blendedLog, logs)
      return [key, { ...own, spreadLog, smoothed: smoothed(zone.before, spreadLog, nowMs) }]
    }),
  )
}

function withoutNeighbours(zone: ZoneToCompute, places: Places, rules: SurgeRules) {
  const { baseline } = zone
  const ofCity = observedIn(placeIn(places, cityKey(zone.book, zone.city)), baseline.city.prices)
  const cityLog = blended(signalsOf(ofCity, baseline.city, rules), 0)
  const observed = observedIn(placeIn(places, zoneKey(zone.book, zone.zoneId)), baseline.zone.prices)
  const signals = signalsOf(observed, baseline.zone, rules)
  const { count: sampleSize, openCount } = observed
  return { signals, sampleSize, openCount, cityLog, blendedLog: blended(signals, cityLog) }
}
