import type { SurgeTrend } from '../../../registry/logistics/surge.ts'
import { surgeHistoryDays } from '../../../registry/values/limits.ts'
import type { SurgeSnapshotId } from '../../../registry/values/vocabulary.ts'
import { type Clock, toMs, toTimestamp } from '../../base/clock.ts'
import { newSurgeSnapshotId } from '../../base/records.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../../store/core/database.ts'
import { listOverridesInForce, type SurgeOverride } from '../../store/logistics/surge/surge-overrides.ts'
import { type SurgeObservationSpan, sumSurgeObservations } from '../../store/logistics/surge/surge-signals.ts'
import { deleteSnapshotsBefore } from '../../store/logistics/surge/surge-snapshots.ts'
import {
  confirmSnapshots,
  insertSnapshots,
  listSurgeZones,
  lockSurge,
  type NewSnapshot,
  type SurgeZone,
  storeSurgeStates,
} from '../../store/logistics/surge/surge-states.ts'
import { type ComputedSurge, computeSurges } from './compute-surge.ts'
import { surgeAmount } from './surge-amount.ts'
import { baselineOf, hourMs, hourOf, hoursBefore, readBaseline, type ZoneBaseline } from './surge-baselines.ts'
import { livePricing, noCourierCodes } from './surge-carriers.ts'
import { factorsOf } from './surge-factors.ts'
import { type Intervention, nextPublication, type Publication, rawLog } from './surge-formula.ts'
import { type Places, placesOf, zoneKey } from './surge-places.ts'
import {
  decayedMinutes,
  graceMs,
  halfLifeMinutes,
  publicationMs,
  type SurgeRules,
  trendMin,
  windowMinutes,
} from './surge-rules.ts'

/**
 * Computes the surge of every zone each minute, stores the state, and publishes a snapshot of the surge when a new
 * five-minute slot has started.
 *
 * lock ─ read zones, observations, overrides ─ [once an hour: recompute baselines] ─ write states, snapshots ─ commit
 *
 * One process at a time runs this, for all zones, in live and test mode. After downtime, only the current slot is
 * published; missed slots stay unpublished.
 */

export type SurgeTick =
  /** `locked`: another process holds the surge lock, so nothing was computed. */
  { readonly is: 'locked' } | { readonly is: 'computed'; readonly published: number; readonly confirmed: number }

export interface SurgeContext {
  readonly database: Database
  readonly clock: Clock
}

/** Does nothing when another process holds the lock of the surge. */
export function publishSurge(context: SurgeContext, rules: SurgeRules): Promise<SurgeTick> {
  return bookkeep(context.database, async (trx) => {
    if (!(await lockSurge(trx))) return { is: 'locked' }
    const nowMs = context.clock.nowMs()
    const now = toTimestamp(nowMs)
    const span = spanOf(nowMs - windowMinutes * 60_000, nowMs, halfLifeMinutes * 60)
    const [zones, observations, overrides] = await Promise.all([
      listSurgeZones(trx, {}),
      sumSurgeObservations(trx, span),
      listOverridesInForce(trx, { now }),
    ])
    const zonesWithBaselines = await withBaselines(trx, zones, nowMs)
    const places = placesOf(observations, zones, decayedMinutes)
    const computed = computeSurges(zonesWithBaselines, places, nowMs, rules)
    storeSurgeStates(
      trx,
      zonesWithBaselines.map((zone) => ({
        book: zone.book,
        zoneId: zone.zoneId,
        logMultiplier: computedOf(computed, zone).smoothed.log,
        tickedAt: now,
        baseline: zone.baseline,
        baselineHour: toTimestamp(hourOf(nowMs)),
      })),
    )
    const due = zonesWithBaselines.filter(({ latest }) => latest === null || latest.validUntilMs <= slotOf(nowMs))
    const outcomes = due.map((zone) => publicationOf(zone, computedOf(computed, zone), overrides, nowMs, rules))
    const confirmed = outcomes.flatMap((outcome) => (outcome.is === 'unchanged' ? [outcome.id] : []))
    const published = outcomes.flatMap((outcome) => (outcome.is === 'new' ? [outcome.snapshot] : []))
    confirmSnapshots(trx, confirmed, { now, validUntil: toTimestamp(slotOf(nowMs) + publicationMs) })
    insertSnapshots(trx, published)
    return { is: 'computed', published: published.length, confirmed: confirmed.length }
  })
}

/**
 * Retention of published surge snapshots: one day longer than the API's history limit, to allow for clock differences.
 */
const retentionMs = (surgeHistoryDays + 1) * 24 * hourMs

/** Returns the number of deleted snapshots. */
export function deleteOldSurge({ database, clock }: SurgeContext): Promise<number> {
  return deleteSnapshotsBefore(database, toTimestamp(clock.nowMs() - retentionMs))
}

function slotOf(ms: number): number {
  return Math.floor(ms / publicationMs) * publicationMs
}

function spanOf(fromMs: number, toMs: number, halfLifeSeconds: number | null): SurgeObservationSpan {
  return {
    earliest: toTimestamp(fromMs - windowMinutes * 60_000),
    from: toTimestamp(fromMs),
    to: toTimestamp(toMs),
    halfLifeSeconds,
    noCourierCodes,
    livePricing,
  }
}

type ZoneWithBaseline = SurgeZone & {
  readonly baseline: ZoneBaseline
  readonly before: ComputedSurge['smoothed'] | undefined
}

/** Recomputes the surge baselines of all zones if any zone has no stored baseline for the current hour. */
async function withBaselines(trx: WriteTrx, zones: readonly SurgeZone[], nowMs: number): Promise<ZoneWithBaseline[]> {
  const hour = toTimestamp(hourOf(nowMs))
  const stored = zones.map((zone) => (zone.baselineHour === hour ? readBaseline(zone.baseline) : undefined))
  const weeks = stored.includes(undefined) ? await weeksBefore(trx, zones, nowMs) : undefined
  return zones.map((zone, index) => {
    const { logMultiplier, tickedAt } = zone
    const before =
      logMultiplier === null || tickedAt === null ? undefined : { log: logMultiplier, atMs: toMs(tickedAt) }
    const baseline = weeks === undefined ? stored[index] : baselineOf(weeks, zone)
    if (baseline === undefined) throw new Error(`Zone ${zone.zoneId} has no surge baseline.`)
    return { ...zone, baseline, before }
  })
}

async function weeksBefore(trx: WriteTrx, zones: readonly SurgeZone[], nowMs: number): Promise<Places[]> {
  const spans = hoursBefore(hourOf(nowMs)).map((fromMs) => spanOf(fromMs, fromMs + hourMs, null))
  const weeks = await Promise.all(spans.map((span) => sumSurgeObservations(trx, span)))
  return weeks.map((observations) => placesOf(observations, zones, hourMs / 60_000))
}

function computedOf(computed: ReadonlyMap<string, ComputedSurge>, zone: SurgeZone): ComputedSurge {
  const surge = computed.get(zoneKey(zone.book, zone.zoneId))
  if (surge === undefined) throw new Error(`No surge was computed for zone ${zone.zoneId}.`)
  return surge
}

type PublicationOutcome =
  | { readonly is: 'new'; readonly snapshot: NewSnapshot }
  | { readonly is: 'unchanged'; readonly id: SurgeSnapshotId }

function publicationOf(
  zone: ZoneWithBaseline,
  computed: ComputedSurge,
  overrides: readonly SurgeOverride[],
  nowMs: number,
  rules: SurgeRules,
): PublicationOutcome {
  const { latest } = zone
  const inForce = latest === null || latest.validUntilMs + graceMs <= nowMs ? undefined : latest
  const { effectiveSamples } = computed.signals
  const current = { log: computed.smoothed.log, effectiveSamples }
  const publication = nextPublication(inForce?.multiplier ?? 1, current, interventionFor(zone, overrides), rules)
  // The validity of a surge snapshot is extended only if the snapshot covers the previous slot. Otherwise the extended
  // validity would also cover a slot in which no surge was computed.
  const isUnchanged =
    inForce?.validUntilMs === slotOf(nowMs) &&
    isQuiet(publication, computed.sampleSize) &&
    isQuiet(inForce, inForce.sampleSize)
  // If the base fare of the zone has changed, the snapshot's reference fare changes too, so a new snapshot must be
  // published.
  if (isUnchanged && inForce.referenceFareKobo === zone.baseFareKobo) return { is: 'unchanged', id: inForce.id }
  return { is: 'new', snapshot: snapshotOf(zone, computed, publication, nowMs, rules) }
}

/**
 * Whether a zone has no surge and no observations. If so, the validity of its last snapshot is extended, because a new
 * row for every five-minute slot would waste disk space.
 */
function isQuiet({ multiplier, basis }: Publication, sampleSize: number): boolean {
  return multiplier === 1 && basis === 'insufficient_data' && sampleSize === 0
}

function snapshotOf(
  zone: ZoneWithBaseline,
  computed: ComputedSurge,
  { multiplier, basis }: Publication,
  nowMs: number,
  rules: SurgeRules,
): NewSnapshot {
  const { signals } = computed
  const now = toTimestamp(nowMs)
  const smoothed = Math.exp(computed.smoothed.log)
  return {
    book: zone.book,
    zoneId: zone.zoneId,
    id: newSurgeSnapshotId(nowMs),
    slotAt: toTimestamp(slotOf(nowMs)),
    computedAt: now,
    publishedAt: now,
    validUntil: toTimestamp(slotOf(nowMs) + publicationMs),
    multiplier,
    basis,
    trend: trendOf(zone.latest?.smoothed ?? 1, smoothed),
    cap: rules.cap,
    raw: Math.exp(rawLog(signals)),
    smoothed,
    referenceFareKobo: zone.baseFareKobo,
    surgeKobo: surgeAmount(multiplier, zone.baseFareKobo),
    factors: factorsOf(signals, zone.baseline.zone, multiplier),
    inputs: {
      assignSeconds: signals.assignSeconds,
      noCourierRate: signals.noCourierRate,
      priceIndex: signals.priceIndex,
      demandPerMinute: signals.demandPerMinute,
      effectiveSamples: signals.effectiveSamples,
      openShipments: computed.openCount,
      city: Math.exp(computed.cityLog),
      blended: Math.exp(computed.blendedLog),
      spread: Math.exp(computed.spreadLog),
    },
    sampleSize: computed.sampleSize,
  }
}

function trendOf(before: number, smoothed: number): SurgeTrend {
  if (smoothed - before >= trendMin) return 'rising'
  return before - smoothed >= trendMin ? 'falling' : 'steady'
}

/**
 * A freeze of the zone or of its city takes precedence. Otherwise, the override of the zone takes precedence over that
 * of its city.
 */
function interventionFor(zone: SurgeZone, overrides: readonly SurgeOverride[]): Intervention | undefined {
  const ofZone = overrides.find(({ book, zoneId }) => book === zone.book && zoneId === zone.zoneId)
  const ofCity = overrides.find(({ book, city }) => book === zone.book && city === zone.city)
  if (ofZone?.kind === 'freeze' || ofCity?.kind === 'freeze') return { is: 'freeze' }
  const multiplier = ofZone?.multiplier ?? ofCity?.multiplier
  return typeof multiplier === 'number' ? { is: 'override', multiplier } : undefined
}
