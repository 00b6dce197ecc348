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
import type { Rule, Streets } from './live.ts'

/** The rules that are set beside one another. */

export function fixedPrice(): Rule {
  return { name: 'fixed price', look: () => undefined, multiplier: () => 1 }
}

/** What comes to mind first: orders over riders, at this moment, each minute. */
export function instantRatio(): Rule {
  const now = new Map<ZoneName, number>()
  return {
    name: 'instant ratio',
    look: (_, streets) => {
      for (const zone of zoneNames) {
        const ratio = (streets.waiting(zone) + 1) / (streets.idleRiders(zone) + 1)
        now.set(zone, Math.round(Math.min(2, Math.max(1, ratio)) * 100) / 100)
      }
    },
    multiplier: (zone) => now.get(zone) ?? 1,
  }
}

export interface PublishedNumber {
  readonly zone: ZoneName
  readonly atMs: number
  readonly multiplier: number
  readonly product: number
}

const city = 'town'
const book = 'live'
const zones = zoneNames.map((zoneId) => ({ book, zoneId, city, neighbours: neighboursOf[zoneId] }) as const)

/** The formula itself, over what the streets leave behind; `weeks` are days before, in which prices were plain. */
export function theFormula(
  name: string,
  rules: SurgeRules,
  weeks: readonly Streets[],
  published: PublishedNumber[],
): Rule {
  const before = new Map<ZoneName, { log: number; atMs: number }>()
  const now = new Map<ZoneName, number>()
  const usual = new Map<number, ReadonlyMap<ZoneName, ZoneBaseline>>()
  const usualAt = (hour: number) => {
    const known = usual.get(hour) ?? learn(weeks, hour)
    usual.set(hour, known)
    return known
  }
  return {
    name,
    look: (nowMs, streets) => {
      const baselines = usualAt(Math.floor(nowMs / hourMs))
      const known = zones.map((zone) => {
        const baseline = baselines.get(zone.zoneId)
        if (baseline === undefined) throw new Error(`Nothing usual is known of ${zone.zoneId}.`)
        return { ...zone, baseline, before: before.get(zone.zoneId) }
      })
      const seen = sightingsOf(streets, { fromMs: nowMs - windowMinutes * 60_000, toMs: nowMs, isWeighed: true })
      const computed = computeSurges(known, placesOf(seen, known, decayedMinutes), nowMs, rules)
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

function learn(weeks: readonly Streets[], hour: number): ReadonlyMap<ZoneName, ZoneBaseline> {
  const span = { fromMs: hour * hourMs, toMs: (hour + 1) * hourMs, isWeighed: false }
  const places: Places[] = weeks.map((streets) => placesOf(sightingsOf(streets, span), zones, hourMs / 60_000))
  return new Map(zones.map((zone) => [zone.zoneId, baselineOf(places, zone)]))
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
  readonly isWeighed: boolean
}

/** As many shops as share the streets, in turn. */
export const merchantCount = 20

export function merchantOf(index: number): string {
  return String(index % merchantCount)
}

/** What the statement over the tables sums up, summed up over the streets. */
function sightingsOf(streets: Streets, span: Span): SurgeObservations[] {
  const sums = new Map<string, SurgeObservations>()
  const add = (zone: ZoneName, merchantId: string, kind: SurgeObservationKind, atMs: number, value = 0) => {
    if (atMs <= span.fromMs || atMs > span.toMs) return
    const weight = span.isWeighed ? 2 ** (-(span.toMs - atMs) / (halfLifeMinutes * 60_000)) : 1
    const key = `${zone}/${merchantId}/${kind}`
    const sum = sums.get(key) ?? { book, zoneId: zone, merchantId, kind, priced: null, weight: 0, total: 0, count: 0 }
    sums.set(key, { ...sum, weight: sum.weight + weight, total: sum.total + weight * value, count: sum.count + 1 })
  }
  for (const [index, sending] of streets.sendings.entries()) {
    const merchantId = merchantOf(index)
    const { zone, dispatchedMs, assignedMs, acceptedMs, lostMs, busyMs } = sending
    if (dispatchedMs > span.toMs || dispatchedMs <= span.fromMs - windowMinutes * 60_000) continue
    add(zone, merchantId, 'dispatched', dispatchedMs)
    if (assignedMs !== undefined) add(zone, merchantId, 'assigned', assignedMs, (assignedMs - dispatchedMs) / 1000)
    if ((assignedMs ?? lostMs ?? span.toMs + 1) > span.toMs) {
      add(zone, merchantId, 'open', span.toMs, (span.toMs - dispatchedMs) / 1000)
    }
    for (const atMs of busyMs) add(zone, merchantId, 'no_courier', atMs)
    if (acceptedMs !== undefined) add(zone, merchantId, 'accepted', acceptedMs)
  }
  for (const [index, { zone, atMs, isUsed }] of streets.quotes.entries()) {
    add(zone, merchantOf(index), isUsed ? 'converted' : 'unconverted', atMs)
  }
  return [...sums.values()]
}
