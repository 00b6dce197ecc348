/** What is worse than promised is printed as such, and the run fails. */

export function judge(what: string, ratio: number, floor: number): void {
  tell(what, ratio, { isKept: ratio >= floor, bound: `floor ${floor}`, breach: 'BELOW' })
}

export function judgeAtMost(what: string, ratio: number, ceiling: number): void {
  tell(what, ratio, { isKept: ratio <= ceiling, bound: `ceiling ${ceiling}`, breach: 'ABOVE' })
}

/** Of a time, which the line shows already. */
export function judgeMsAtMost(what: string, valueMs: number, ceilingMs: number): void {
  const isKept = valueMs <= ceilingMs
  if (!isKept) process.exitCode = 1
  console.log(`${what}  ceiling ${ceilingMs} ms  ${isKept ? 'ok' : 'ABOVE'}`)
}

interface Promised {
  readonly isKept: boolean
  readonly bound: string
  readonly breach: string
}

/** A ratio of nothing by nothing keeps no promise. */
function tell(what: string, ratio: number, { isKept, bound, breach }: Promised): void {
  if (!isKept) process.exitCode = 1
  console.log(`${what}  ratio ${ratio.toFixed(2)}  ${bound}  ${isKept ? 'ok' : breach}`)
}
