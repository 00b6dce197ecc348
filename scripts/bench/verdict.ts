/** Prints a result with its limit. A result outside the limit is marked and fails the run. */

export function requireAtLeast(what: string, ratio: number, floor: number): void {
  report(what, ratio, { isMet: ratio >= floor, bound: `floor ${floor}`, failure: 'BELOW' })
}

export function requireAtMost(what: string, ratio: number, ceiling: number): void {
  report(what, ratio, { isMet: ratio <= ceiling, bound: `ceiling ${ceiling}`, failure: 'ABOVE' })
}

/** Compares a time with its limit in milliseconds. The line already contains the time. */
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

/** Prints a ratio. NaN is outside every limit. */
function report(what: string, ratio: number, { isMet, bound, failure }: Bound): void {
  if (!isMet) process.exitCode = 1
  console.log(`${what}  ratio ${ratio.toFixed(2)}  ${bound}  ${isMet ? 'ok' : failure}`)
}
