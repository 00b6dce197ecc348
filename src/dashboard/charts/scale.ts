/** The scale of an axis: its values, from the lowest to the highest, at equal distances. */
export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

/** Approximate number of steps of an axis. The labels of more steps would not fit beside a chart on a phone. */
const steps = 4

/** Returns a scale with round numbers that contains zero and all values. */
export function scaleOf(values: readonly number[]): Scale {
  const lowest = Math.min(0, ...values)
  const highest = Math.max(0, ...values)
  const step = roundStep((highest - lowest) / steps)
  const first = Math.floor(lowest / step)
  const last = Math.max(first + 1, Math.ceil(highest / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  return { low: first * step, high: last * step, ticks }
}

/**
 * Returns the smallest step of an axis (1, 2 or 5 times a power of ten) that is not below the given number. It is at
 * least 1, because counts have no fractions.
 */
function roundStep(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
}
