import type { ScheduleObjective } from '../../registry/logistics/schedule.ts'
import { toMs } from '../../src/base/clock.ts'
import { criticalRatios } from '../../src/logistics/estimates/newsvendor.ts'
import type { SchedulePlan } from '../../src/store/tables/schedule.ts'

/** What was foretold of one order, and what came. */
export interface Told {
  readonly plan: SchedulePlan
  readonly optimizeFor: ScheduleObjective
  readonly ready: number
  readonly arrival: number
  readonly dropoff: number
  /** How many seconds the rider waited under each rule; below zero the parcel did. */
  readonly gaps: { readonly ours: number; readonly atOnce: number; readonly means: number }
}

/** What was promised: within three points of the half, and of nine in ten. */
const tolerance = 0.03

export function isWithinBounds(told: readonly Told[]): boolean {
  // They are told in pairs, of p50 and p90.
  return coveragesOf(told).every((coverage, index) => Math.abs(coverage - (index % 2 === 0 ? 0.5 : 0.9)) <= tolerance)
}

export function coverageTable(told: readonly Told[]): string {
  const bases = [...new Set(told.map(({ plan }) => plan.confidence.basis))]
  const wishes = [...new Set(told.map(({ optimizeFor }) => optimizeFor))]
  const groups: readonly (readonly [string, readonly Told[]])[] = [
    ['all', told],
    ...bases.map((basis) => [`known of ${basis}`, told.filter(({ plan }) => plan.confidence.basis === basis)] as const),
    ...wishes.map((wish) => [`for ${wish}`, told.filter(({ optimizeFor }) => optimizeFor === wish)] as const),
  ]
  return table([
    ['came by then, of a hundred', 'orders', 'ready p50', 'p90', 'arrival p50', 'p90', 'dropoff p50', 'p90'],
    ...groups.map(([name, some]) => [name, String(some.length), ...coveragesOf(some).map(percent)]),
  ])
}

function coveragesOf(told: readonly Told[]): number[] {
  const share = (isBy: (each: Told) => boolean) => told.filter(isBy).length / told.length
  return [
    share(({ plan, ready }) => ready <= toMs(plan.readyAt.p50)),
    share(({ plan, ready }) => ready <= toMs(plan.readyAt.p90)),
    share(({ plan, arrival }) => arrival <= toMs(plan.riderArrival.p50)),
    share(({ plan, arrival }) => arrival <= toMs(plan.riderArrival.p90)),
    share(({ plan, dropoff }) => dropoff <= toMs(plan.dropoff.p50)),
    share(({ plan, dropoff }) => dropoff <= toMs(plan.dropoff.p90)),
  ]
}

/** A rider’s minute counts one, a parcel’s as much more as its shop wished. */
export function costTable(told: readonly Told[]): string {
  const rules = [
    ['call at order time', 'atOnce'],
    ['mean minus mean', 'means'],
    ['predictive schedule', 'ours'],
  ] as const
  return table([
    ['minutes an order', 'cost', 'rider waits', 'parcel waits'],
    ...rules.map(([name, rule]) => {
      const mean = (measure: (each: Told) => number) =>
        (told.reduce((sum, each) => sum + measure(each), 0) / told.length / 60).toFixed(1)
      const rider = ({ gaps }: Told) => Math.max(0, gaps[rule])
      const parcel = ({ gaps }: Told) => Math.max(0, -gaps[rule])
      const weight = ({ optimizeFor }: Told) => (1 - criticalRatios[optimizeFor]) / criticalRatios[optimizeFor]
      return [name, mean((each) => rider(each) + weight(each) * parcel(each)), mean(rider), mean(parcel)]
    }),
  ])
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
