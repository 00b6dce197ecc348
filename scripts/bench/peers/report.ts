import { requireAtLeast, requireAtMost } from '../verdict.ts'
import { type CaseResult, cpuOf, type Run, ratiosOf, type Spread, spreadOf } from './measure-case.ts'
import { type SideName, sideNames } from './sides.ts'

const displayNames: Readonly<Record<SideName, string>> = {
  service: 'service',
  fastify: 'Fastify',
  bare: 'bare',
}

/** Compares each ratio between the service and another server with its limit in the benchmark case. */
export function printCase(result: CaseResult): void {
  const { title, connections, limits } = result
  console.log(`\n${title}, ${connections} connections`)
  for (const side of sideNames) {
    const runs = result.runs[side]
    if (runs !== undefined) console.log(`  ${displayNames[side].padEnd(10)} ${sideText(runs)}`)
  }
  const rate = (run: Run) => run.perSecond
  const check = (
    peer: SideName,
    what: string,
    of: (run: Run) => number,
    limit: { readonly min?: number | undefined; readonly max?: number | undefined },
  ) => {
    const spread = spreadOf(ratiosOf(result, of, peer))
    const line = `  ${what}, relative to ${displayNames[peer]} (${rangeText(spread)})`
    if (limit.min !== undefined) requireAtLeast(line, spread.median, limit.min)
    else if (limit.max !== undefined) requireAtMost(line, spread.median, limit.max)
    else if (!Number.isNaN(spread.median)) console.log(`${line}  ratio ${spread.median.toFixed(2)}`)
  }
  check('fastify', 'rate', rate, { min: limits.fastifyMin })
  check('bare', 'rate', rate, { min: limits.bareMin })
  check('fastify', 'CPU time', cpuOf, { max: limits.cpuMax })
  check('bare', 'CPU time', cpuOf, {})
  check('fastify', 'p99', ({ p99Ms }) => p99Ms, { max: limits.p99Max })
}

export function sideText(runs: readonly Run[]): string {
  const rate = spreadOf(runs.map((run) => run.perSecond))
  const of = (read: (run: Run) => number) => spreadOf(runs.map(read)).median
  const cpu = `CPU ${of(({ cpuMs }) => cpuMs.process).toFixed(3)} + PostgreSQL ${of(({ cpuMs }) => cpuMs.postgres).toFixed(3)} ms`
  const range = `${rate.min.toFixed(0)}–${rate.max.toFixed(0)}`
  return `${rate.median.toFixed(0).padStart(6)}/s (${range})  p50 ${of((run) => run.p50Ms).toFixed(1)} ms  p99 ${of((run) => run.p99Ms).toFixed(1)} ms  ${cpu}`
}

export function rangeText({ min, max }: Spread): string {
  return `${min.toFixed(2)}–${max.toFixed(2)}`
}

/**
 * Returns the results as a Markdown table: medians over the rounds, with the lowest and the highest ratio between the
 * servers.
 */
export function tableOf(results: readonly CaseResult[]): string {
  const header = [
    '| Operation | Connections | Requests per second | Relative to Fastify | Relative to the bare server | p99, service / Fastify | CPU per request, service / Fastify / bare |',
    '|---|---|---|---|---|---|---|',
  ]
  return [...header, ...results.map(rowOf)].join('\n')
}

function rowOf(result: CaseResult): string {
  const ratio = (peer: SideName) => {
    const spread = spreadOf(ratiosOf(result, (run) => run.perSecond, peer))
    return Number.isNaN(spread.median) ? '–' : `${spread.median.toFixed(2)} (${rangeText(spread)})`
  }
  const of = (side: SideName, read: (run: Run) => number, digits: number) => {
    const runs = result.runs[side]
    return runs === undefined ? '–' : spreadOf(runs.map(read)).median.toFixed(digits)
  }
  const cells = [
    result.title,
    String(result.connections),
    of('service', (run) => run.perSecond, 0),
    ratio('fastify'),
    ratio('bare'),
    `${of('service', (run) => run.p99Ms, 1)} / ${of('fastify', (run) => run.p99Ms, 1)} ms`,
    `${sideNames.map((side) => of(side, cpuOf, 2)).join(' / ')} ms`,
  ]
  return `| ${cells.join(' | ')} |`
}
