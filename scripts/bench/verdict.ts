/** Prints a benchmark result with its limit. A result outside its limit is marked and fails the benchmark. */

export function requireAtLeast(what: string, ratio: number, floor: number): void {
  report(what, ratio, { isMet: ratio >= floor, bound: `floor ${floor}`, failure: 'BELOW' })
}

export function requireAtMost(what: string, ratio: number, ceiling: number): void {
  report(what, ratio, { isMet: ratio <= ceiling, bound: `ceiling ${ceiling}`, failure: 'ABOVE' })
}

/**
 * Compares a measured time with its limit, both in milliseconds. The text `what`, which is printed, already contains
 * the time.
 */
export function requireMsAtMost(what: string, valueMs: number, ceilingMs: number): void {
  const isMet = valueMs <= ceilingMs
  if (!isMet) process.exitCode = 1
  console.log(`${what}  ceiling ${ceilingMs} ms  ${isMet ? 'ok' : 'ABOVE'}`)
}

export function requireMebibytesAtMost(what: string, valueMebibytes: number, ceilingMebibytes: number): void {
  const isMet = valueMebibytes <= ceilingMebibytes
  if (!isMet) process.exitCode = 1
  console.log(
    `${what}  ${valueMebibytes.toFixed(0)} MiB  ceiling ${ceilingMebibytes.toFixed(0)} MiB  ${isMet ? 'ok' : 'ABOVE'}`,
  )
}

interface Bound {
  readonly isMet: boolean
  readonly bound: string
  readonly failure: string
}

/** Prints the ratio of two measurements. NaN counts as a violation of every limit. */
function report(what: string, ratio: number, { isMet, bound, failure }: Bound): void {
  if (!isMet) process.exitCode = 1
  console.log(`${what}  ratio ${ratio.toFixed(2)}  ${bound}  ${isMet ? 'ok' : failure}`)
}
