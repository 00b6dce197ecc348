import { computeSurges } from '../../src/logistics/surge/compute-surge.ts'
import { baselineOf, hourMs, type ZoneBaseline } from '../../src/logistics/surge/surge-baselines.ts'
import { factorsOf } from '../../src/logistics/surge/surge-factors.ts'
import { nextPublication } from '../../src/logistics/surge/surge-formula.ts'
import { type Places, placesOf, zoneKey } from '../../src/logistics/surge/surge-places.ts'
import {
  decayedMinutes,
  halfLifeMinutes,
  publicationMs,
  type SurgeRules,
  windowMinutes,
} from '../../src/logistics/surge/surge-rules.ts'
import type { SurgeObservationKind, SurgeObservations } from '../../src/store/logistics/surge/surge-signals.ts'
import { neighboursOf, type ZoneName, zoneNames } from './day.ts'
import type { City, Rule } from './simulate-day.ts'

/** Returns the pricing rule that never changes the price. */
export function fixedPrice(): Rule {
  return { name: 'fixed price', update: () => undefined, multiplier: () => 1 }
}

/**
 * Returns the simplest dynamic pricing rule: the current ratio of waiting orders to idle riders, updated each minute.
 */
export function instantRatio(): Rule {
  const now = new Map<ZoneName, number>()
  return {
    name: 'instant ratio',
    update: (_, city) => {
      for (const zone of zoneNames) {
        const ratio = (city.waitingShipments(zone) + 1) / (city.idleRiders(zone) + 1)
        now.set(zone, Math.round(Math.min(2, Math.max(1, ratio)) * 100) / 100)
      }
    },
    multiplier: (zone) => now.get(zone) ?? 1,
  }
}

export interface PublishedMultiplier {
  readonly zone: ZoneName
  readonly atMs: number
  readonly multiplier: number
  readonly product: number
}

const cityName = 'town'
const book = 'live'
const zones = zoneNames.map((zoneId) => ({ book, zoneId, city: cityName, neighbours: neighboursOf[zoneId] }) as const)

/**
 * Returns the service's pricing formula as a rule for the simulated city. `weeks` are the same day of earlier weeks at
 * a fixed price, from which the formula computes its baselines.
 */
export function serviceFormula(
  name: string,
  rules: SurgeRules,
  weeks: readonly City[],
  published: PublishedMultiplier[],
): Rule {
  const before = new Map<ZoneName, { log: number; atMs: number }>()
  const now = new Map<ZoneName, number>()
  const baselinesByHour = new Map<number, ReadonlyMap<ZoneName, ZoneBaseline>>()
  const baselinesAt = (hour: number) => {
    const known = baselinesByHour.get(hour) ?? learnBaselines(weeks, hour)
    baselinesByHour.set(hour, known)
    return known
  }
  return {
    name,
    update: (nowMs, city) => {
      const baselines = baselinesAt(Math.floor(nowMs / hourMs))
      const known = zones.map((zone) => {
        const baseline = baselines.get(zone.zoneId)
        if (baseline === undefined) throw new Error(`Zone ${zone.zoneId} has no baseline.`)
        return { ...zone, baseline, before: before.get(zone.zoneId) }
      })
      const observations = observationsOf(city, {
        fromMs: nowMs - windowMinutes * 60_000,
        toMs: nowMs,
        isWeighed: true,
      })
      const computed = computeSurges(known, placesOf(observations, known, decayedMinutes), nowMs, rules)
      for (const { zoneId, baseline } of known) {
        const surge = computed.get(zoneKey(book, zoneId))
        if (surge === undefined) continue
        before.set(zoneId, surge.smoothed)
        if (nowMs % publicationMs !== 0) continue
        const { signals, smoothed } = surge
        const outcome = { log: smoothed.log, effectiveSamples: signals.effectiveSamples }
        const { multiplier } = nextPublication(now.get(zoneId) ?? 1, outcome, undefined, rules)
        const product = factorsOf(signals, baseline.zone, multiplier).reduce((all, { factor }) => all * factor, 1)
        published.push({ zone: zoneId, atMs: nowMs, multiplier, product })
        now.set(zoneId, multiplier)
      }
    },
    multiplier: (zone) => now.get(zone) ?? 1,
  }
}

function learnBaselines(weeks: readonly City[], hour: number): ReadonlyMap<ZoneName, ZoneBaseline> {
  const span = { fromMs: hour * hourMs, toMs: (hour + 1) * hourMs, isWeighed: false }
  const places: Places[] = weeks.map((city) => placesOf(observationsOf(city, span), zones, hourMs / 60_000))
  return new Map(zones.map((zone) => [zone.zoneId, baselineOf(places, zone)]))
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
  readonly isWeighed: boolean
}

/** Number of simulated merchants, to which shipments and quotes are assigned in rotation. */
export const merchantCount = 20

export function merchantOf(index: number): string {
  return String(index % merchantCount)
}

/** Returns the observations of the simulated city in the form that the service’s SQL statement would return. */
function observationsOf(city: City, span: Span): SurgeObservations[] {
  const sums = new Map<string, SurgeObservations>()
  const add = (zone: ZoneName, merchantId: string, kind: SurgeObservationKind, atMs: number, value = 0) => {
    if (atMs <= span.fromMs || atMs > span.toMs) return
    const weight = span.isWeighed ? 2 ** (-(span.toMs - atMs) / (halfLifeMinutes * 60_000)) : 1
    const key = `${zone}/${merchantId}/${kind}`
    const sum = sums.get(key) ?? { book, zoneId: zone, merchantId, kind, priced: null, weight: 0, total: 0, count: 0 }
    sums.set(key, { ...sum, weight: sum.weight + weight, total: sum.total + weight * value, count: sum.count + 1 })
  }
  for (const [index, shipment] of city.shipments.entries()) {
    const merchantId = merchantOf(index)
    const { zone, dispatchedMs, assignedMs, acceptedMs, lostMs, busyMs } = shipment
    if (dispatchedMs > span.toMs || dispatchedMs <= span.fromMs - windowMinutes * 60_000) continue
    add(zone, merchantId, 'dispatched', dispatchedMs)
    if (assignedMs !== undefined) add(zone, merchantId, 'assigned', assignedMs, (assignedMs - dispatchedMs) / 1000)
    if ((assignedMs ?? lostMs ?? span.toMs + 1) > span.toMs) {
      add(zone, merchantId, 'open', span.toMs, (span.toMs - dispatchedMs) / 1000)
    }
    for (const atMs of busyMs) add(zone, merchantId, 'no_courier', atMs)
    if (acceptedMs !== undefined) add(zone, merchantId, 'accepted', acceptedMs)
  }
  for (const [index, { zone, atMs, isUsed }] of city.quotes.entries()) {
    add(zone, merchantOf(index), isUsed ? 'converted' : 'unconverted', atMs)
  }
  return [...sums.values()]
}
