import type { SurgeFactor } from '../../../registry/logistics/surge.ts'
import type { Baseline, Signals } from './surge-formula.ts'

/**
 * Returns the factors that explain a multiplier, each rounded to six decimals. The last factor covers blending,
 * smoothing, step limits and rounding. It is computed from the rounded signal factors, so that the product of all shown
 * factors equals the published multiplier when rounded to two decimals.
 */
export function factorsOf(signals: Signals, baseline: Baseline, multiplier: number): readonly SurgeFactor[] {
  const { logs } = signals
  const own: readonly SurgeFactor[] = [
    {
      code: 'assignment_time',
      factor: roundedFactor(Math.exp(logs.assignmentTime)),
      observed: Math.round(signals.assignSeconds),
      baseline: Math.round(baseline.assignSeconds),
      unit: 'seconds',
    },
    {
      code: 'no_courier_rate',
      factor: roundedFactor(Math.exp(logs.noCourier)),
      observed: roundedToThousandths(signals.noCourierRate),
      baseline: roundedToThousandths(baseline.noCourierRate),
      unit: 'ratio',
    },
    {
      code: 'market_price',
      factor: roundedFactor(Math.exp(logs.marketPrice)),
      observed: roundedToThousandths(signals.priceIndex),
      baseline: 1,
      unit: 'ratio',
    },
    {
      code: 'demand',
      factor: roundedFactor(Math.exp(logs.demand)),
      observed: roundedToThousandths(signals.demandPerMinute),
      baseline: baseline.demandPerMinute === null ? null : roundedToThousandths(baseline.demandPerMinute),
      unit: 'per_minute',
    },
  ]
  const product = own.reduce((all, { factor }) => all * factor, 1)
  const last = roundedFactor(multiplier / product)
  return [...own, { code: 'blend_and_smoothing', factor: last, observed: null, baseline: null, unit: null }]
}

/**
 * Number of decimals of each factor. With six decimals, the product of the rounded factors differs from the published
 * multiplier by far less than 0.005.
 */
const factorDecimals = 6

function roundedFactor(factor: number): number {
  return Number(factor.toFixed(factorDecimals))
}

function roundedToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}
