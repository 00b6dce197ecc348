import type { SurgeFactor } from '../../../registry/logistics/surge.ts'
import type { Baseline, Signals } from './surge-formula.ts'

/**
 * Why a multiplier is what it is. Factors are printed with six decimals. The four of the signals are rounded, and the last,
 * which carries everything that was done to their product, is made from the rounded ones, so that whoever multiplies
 * what is printed gets the published number when rounding to its two decimals.
 */
export function factorsOf(signals: Signals, baseline: Baseline, multiplier: number): readonly SurgeFactor[] {
  const { logs } = signals
  const own: readonly SurgeFactor[] = [
    {
      code: 'assignment_time',
      factor: printed(Math.exp(logs.assignmentTime)),
      observed: Math.round(signals.assignSeconds),
      baseline: Math.round(baseline.assignSeconds),
      unit: 'seconds',
    },
    {
      code: 'no_courier_rate',
      factor: printed(Math.exp(logs.noCourier)),
      observed: thousandths(signals.noCourierRate),
      baseline: thousandths(baseline.noCourierRate),
      unit: 'ratio',
    },
    {
      code: 'market_price',
      factor: printed(Math.exp(logs.marketPrice)),
      observed: thousandths(signals.priceIndex),
      baseline: 1,
      unit: 'ratio',
    },
    {
      code: 'demand',
      factor: printed(Math.exp(logs.demand)),
      observed: thousandths(signals.demandPerMinute),
      baseline: baseline.demandPerMinute === null ? null : thousandths(baseline.demandPerMinute),
      unit: 'per_minute',
    },
  ]
  const product = own.reduce((all, { factor }) => all * factor, 1)
  const last = printed(multiplier / product)
  return [...own, { code: 'blend_and_smoothing', factor: last, observed: null, baseline: null, unit: null }]
}

/** As many as it takes for the last factor to make good what rounding the others took, with room to spare. */
const factorDecimals = 6

function printed(factor: number): number {
  return Number(factor.toFixed(factorDecimals))
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}
