import type { SurgeTrend } from '../../../registry/logistics/surge.ts'
import { surgeHistoryDays } from '../../../registry/values/limits.ts'
import type { SurgeSnapshotId } from '../../../registry/values/vocabulary.ts'
import { type Clock, toMs, toTimestamp } from '../../base/clock.ts'
import { newSurgeSnapshotId } from '../../base/records.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { Database, WriteTrx } from '../../store/core/database.ts'
import { listOverridesInForce, type SurgeOverride } from '../../store/logistics/surge/surge-overrides.ts'
import { type SightingSpan, sumSightings } from '../../store/logistics/surge/surge-signals.ts'
import { deleteSnapshotsBefore } from '../../store/logistics/surge/surge-snapshots.ts'
import {
  confirmSnapshots,
  insertSnapshots,
  listSurgedZones,
  lockSurge,
  type NewSnapshot,
  type SurgedZone,
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
 * The minute’s work: look at every zone, remember, and publish where a new slot of five minutes has begun.
 *
 *   lock ─ zones, sightings, overrides ─ [once an hour: what is usual] ─ states, snapshots ─ commit
 *
 * One process at a time does it, for all zones and both books. One that was down has nothing to make up for: the slot it
 * comes back in is published, and those it missed stay as they were, unpublished.
 */

export type SurgeTick =
  | { readonly is: 'elsewhere' }
  | { readonly is: 'done'; readonly published: number; readonly confirmed: number }

export interface SurgeContext {
  readonly database: Database
  readonly clock: Clock
}

export function publishSurge(context: SurgeContext, rules: SurgeRules): Promise<SurgeTick> {
  return bookkeep(context.database, async (trx) => {
    if (!(await lockSurge(trx))) return { is: 'elsewhere' }
    const nowMs = context.clock.nowMs()
    const now = toTimestamp(nowMs)
    const span = spanOf(nowMs - windowMinutes * 60_000, nowMs, halfLifeMinutes * 60)
    const [zones, sightings, overrides] = await Promise.all([
      listSurgedZones(trx),
      sumSightings(trx, span),
      listOverridesInForce(trx, now),
    ])
    const known = await withBaselines(trx, zones, nowMs)
    const computed = computeSurges(known, placesOf(sightings, zones, decayedMinutes), nowMs, rules)
    storeSurgeStates(
      trx,
      known.map((zone) => ({
        book: zone.book,
        zone_id: zone.zoneId,
        log_multiplier: computedOf(computed, zone).smoothed.log,
        ticked_at: now,
        baseline: zone.baseline,
        baseline_hour: toTimestamp(hourOf(nowMs)),
      })),
    )
    const due = known.filter(({ latest }) => latest === null || latest.validUntilMs <= slotOf(nowMs))
    const outcomes = due.map((zone) => publicationOf(zone, computedOf(computed, zone), overrides, nowMs, rules))
    const confirmed = outcomes.flatMap((outcome) => (outcome.is === 'same' ? [outcome.id] : []))
    const fresh = outcomes.flatMap((outcome) => (outcome.is === 'new' ? [outcome.snapshot] : []))
    confirmSnapshots(trx, confirmed, { now, validUntil: toTimestamp(slotOf(nowMs) + publicationMs) })
    insertSnapshots(trx, fresh)
    return { is: 'done', published: fresh.length, confirmed: confirmed.length }
  })
}

/** A day longer than anybody may ask, for clocks that differ. */
const keptMs = (surgeHistoryDays + 1) * 24 * hourMs

export function deleteOldSurge({ database, clock }: SurgeContext): Promise<number> {
  return deleteSnapshotsBefore(database, toTimestamp(clock.nowMs() - keptMs))
}

function slotOf(ms: number): number {
  return Math.floor(ms / publicationMs) * publicationMs
}

function spanOf(fromMs: number, toMs: number, halfLifeSeconds: number | null): SightingSpan {
  return {
    earliest: toTimestamp(fromMs - windowMinutes * 60_000),
    from: toTimestamp(fromMs),
    to: toTimestamp(toMs),
    halfLifeSeconds,
    noCourierCodes,
    livePricing,
  }
}

type KnownZone = SurgedZone & {
  readonly baseline: ZoneBaseline
  readonly before: ComputedSurge['smoothed'] | undefined
}

/** What is usual is looked up once an hour, and whenever a zone is new. */
async function withBaselines(trx: WriteTrx, zones: readonly SurgedZone[], nowMs: number): Promise<KnownZone[]> {
  const hour = toTimestamp(hourOf(nowMs))
  const read = zones.map((zone) => (zone.baselineHour === hour ? readBaseline(zone.baseline) : undefined))
  const weeks = read.includes(undefined) ? await weeksBefore(trx, zones, nowMs) : undefined
  return zones.map((zone, index) => {
    const { logMultiplier, tickedAt } = zone
    const before =
      logMultiplier === null || tickedAt === null ? undefined : { log: logMultiplier, atMs: toMs(tickedAt) }
    const baseline = weeks === undefined ? read[index] : baselineOf(weeks, zone)
    if (baseline === undefined) throw new Error(`Nothing usual is known of ${zone.zoneId}.`)
    return { ...zone, baseline, before }
  })
}

async function weeksBefore(trx: WriteTrx, zones: readonly SurgedZone[], nowMs: number): Promise<Places[]> {
  const spans = hoursBefore(hourOf(nowMs)).map((fromMs) => spanOf(fromMs, fromMs + hourMs, null))
  const weeks = await Promise.all(spans.map((span) => sumSightings(trx, span)))
  return weeks.map((sightings) => placesOf(sightings, zones, hourMs / 60_000))
}

function computedOf(computed: ReadonlyMap<string, ComputedSurge>, zone: SurgedZone): ComputedSurge {
  const found = computed.get(zoneKey(zone.book, zone.zoneId))
  if (found === undefined) throw new Error(`Nothing was reckoned for ${zone.zoneId}.`)
  return found
}

type Outcome =
  | { readonly is: 'new'; readonly snapshot: NewSnapshot }
  | { readonly is: 'same'; readonly id: SurgeSnapshotId }

function publicationOf(
  zone: KnownZone,
  computed: ComputedSurge,
  overrides: readonly SurgeOverride[],
  nowMs: number,
  rules: SurgeRules,
): Outcome {
  const { latest } = zone
  const inForce = latest === null || latest.validUntilMs + graceMs <= nowMs ? undefined : latest
  const { effectiveSamples } = computed.signals
  const seen = { log: computed.smoothed.log, effectiveSamples }
  const publication = nextPublication(inForce?.multiplier ?? 1, seen, interventionFor(zone, overrides), rules)
  // What is confirmed has held in every slot since it was published; a slot that was missed is not one of them.
  const isSame =
    inForce?.validUntilMs === slotOf(nowMs) &&
    isQuiet(publication, computed.sampleSize) &&
    isQuiet(inForce, inForce.sampleSize)
  // A new fare would make it another number of kobo.
  if (isSame && inForce.referenceFareKobo === zone.baseFareKobo) return { is: 'same', id: inForce.id }
  return { is: 'new', snapshot: snapshotOf(zone, computed, publication, nowMs, rules) }
}

/** Where nothing happens, a row of nothing every five minutes for each zone would only fill the disk. */
function isQuiet({ multiplier, basis }: Publication, sampleSize: number): boolean {
  return multiplier === 1 && basis === 'insufficient_data' && sampleSize === 0
}

function snapshotOf(
  zone: KnownZone,
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
    zone_id: zone.zoneId,
    id: newSurgeSnapshotId(nowMs),
    slot_at: toTimestamp(slotOf(nowMs)),
    computed_at: now,
    published_at: now,
    valid_until: toTimestamp(slotOf(nowMs) + publicationMs),
    multiplier,
    basis,
    trend: trendOf(zone.latest?.smoothed ?? 1, smoothed),
    cap: rules.cap,
    raw: Math.exp(rawLog(signals)),
    smoothed,
    reference_fare_kobo: zone.baseFareKobo,
    surge_kobo: surgeAmount(multiplier, zone.baseFareKobo),
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
    sample_size: computed.sampleSize,
  }
}

function trendOf(before: number, smoothed: number): SurgeTrend {
  if (smoothed - before >= trendMin) return 'rising'
  return before - smoothed >= trendMin ? 'falling' : 'steady'
}

/** A freeze holds wherever it was said, for the zone or its city; of overrides, the zone’s own. */
function interventionFor(zone: SurgedZone, overrides: readonly SurgeOverride[]): Intervention | undefined {
  const ofZone = overrides.find(({ book, zoneId }) => book === zone.book && zoneId === zone.zoneId)
  const ofCity = overrides.find(({ book, city }) => book === zone.book && city === zone.city)
  if (ofZone?.kind === 'freeze' || ofCity?.kind === 'freeze') return { is: 'freeze' }
  const multiplier = ofZone?.multiplier ?? ofCity?.multiplier
  return typeof multiplier === 'number' ? { is: 'override', multiplier } : undefined
}
