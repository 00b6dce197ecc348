import type { ScheduleObjective } from '../../registry/logistics/schedule.ts'
import { toMs } from '../../src/base/clock.ts'
import { criticalRatios } from '../../src/logistics/estimates/newsvendor.ts'
import type { SchedulePlan } from '../../src/store/tables/schedule.ts'

/** The prediction for an order, and the simulated times of the order in milliseconds. */
export interface PredictedOrder {
  readonly plan: SchedulePlan
  readonly optimizeFor: ScheduleObjective
  readonly ready: number
  readonly arrival: number
  readonly dropoff: number
  /**
   * Seconds that the rider waits for the parcel under each scheduling rule. Negative when the parcel waits for the
   * rider.
   */
  readonly gaps: { readonly predictive: number; readonly immediate: number; readonly means: number }
}

/**
 * Maximum difference between the share of orders that were done by a predicted quantile, and this quantile (0.5 or
 * 0.9).
 */
const tolerance = 0.03

export function isWithinBounds(predictions: readonly PredictedOrder[]): boolean {
  // The shares in the list are those for p50 and those for p90 in turn.
  return coveragesOf(predictions).every(
    (coverage, index) => Math.abs(coverage - (index % 2 === 0 ? 0.5 : 0.9)) <= tolerance,
  )
}

export function coverageTable(predictions: readonly PredictedOrder[]): string {
  const bases = [...new Set(predictions.map(({ plan }) => plan.confidence.basis))]
  const objectives = [...new Set(predictions.map(({ optimizeFor }) => optimizeFor))]
  const groups: readonly (readonly [string, readonly PredictedOrder[]])[] = [
    ['all', predictions],
    ...bases.map(
      (basis) => [`basis ${basis}`, predictions.filter(({ plan }) => plan.confidence.basis === basis)] as const,
    ),
    ...objectives.map(
      (objective) =>
        [`objective ${objective}`, predictions.filter(({ optimizeFor }) => optimizeFor === objective)] as const,
    ),
  ]
  return table([
    ['coverage in %', 'orders', 'ready p50', 'p90', 'arrival p50', 'p90', 'dropoff p50', 'p90'],
    ...groups.map(([name, some]) => [name, String(some.length), ...coveragesOf(some).map(percent)]),
  ])
}

/**
 * Returns the shares of orders that were ready, reached by the rider, and delivered by the predicted p50 time and by
 * the predicted p90 time.
 */
function coveragesOf(predictions: readonly PredictedOrder[]): number[] {
  const share = (isBy: (each: PredictedOrder) => boolean) => predictions.filter(isBy).length / predictions.length
  return [
    share(({ plan, ready }) => ready <= toMs(plan.readyAt.p50)),
    share(({ plan, ready }) => ready <= toMs(plan.readyAt.p90)),
    share(({ plan, arrival }) => arrival <= toMs(plan.riderArrival.p50)),
    share(({ plan, arrival }) => arrival <= toMs(plan.riderArrival.p90)),
    share(({ plan, dropoff }) => dropoff <= toMs(plan.dropoff.p50)),
    share(({ plan, dropoff }) => dropoff <= toMs(plan.dropoff.p90)),
  ]
}

/**
 * Returns the mean cost of waiting per order. A minute in which the rider waits costs 1; the objective of the schedule
 * sets the cost of a minute in which the parcel waits.
 */
export function costTable(predictions: readonly PredictedOrder[]): string {
  const rules = [
    ['immediate dispatch', 'immediate'],
    ['mean minus mean', 'means'],
    ['predictive schedule', 'predictive'],
  ] as const
  return table([
    ['minutes per order', 'cost', 'rider waits', 'parcel waits'],
    ...rules.map(([name, rule]) => {
      const mean = (measure: (each: PredictedOrder) => number) =>
        (predictions.reduce((sum, each) => sum + measure(each), 0) / predictions.length / 60).toFixed(1)
      const rider = ({ gaps }: PredictedOrder) => Math.max(0, gaps[rule])
      const parcel = ({ gaps }: PredictedOrder) => Math.max(0, -gaps[rule])
      const weight = ({ optimizeFor }: PredictedOrder) =>
        (1 - criticalRatios[optimizeFor]) / criticalRatios[optimizeFor]
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
