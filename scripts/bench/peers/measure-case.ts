import autocannon from 'autocannon'
import { median, type Server } from '../compare.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { percentile } from '../percentile.ts'
import type { Case } from './cases.ts'
import type { Side, SideName } from './sides.ts'

/** The measurements of one server during one run of a load. */
export interface Run {
  /** Share of the requests that the measured server rejected with 503. */
  readonly rejectedShare: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time per request: the time of the measured server's process, and the time of PostgreSQL. */
  readonly cpuMs: { readonly process: number; readonly postgres: number }
}

export interface CaseResult {
  readonly title: string
  readonly connections: number
  readonly limits: Case['limits']
  /** The results of each server, in the order of the rounds. */
  readonly runs: Readonly<Partial<Record<SideName, readonly Run[]>>>
}

export const rounds = 5
const runSeconds = Number(process.env.BENCH_SECONDS ?? 3)

/**
 * Number of requests in the warm-up of each case. V8 compiles the code of a server in several steps, so the CPU time of
 * a request falls at first. For a refund, most of this fall is within this number of requests.
 */
const warmUpRequests = 10_000

/** Measures the compared servers in turn, so that a slow minute of the machine affects all of them. */
export async function measureCase(each: Case, sides: readonly Side[], postmaster: number): Promise<CaseResult> {
  const { title, connections, limits } = each
  const taking = sides.filter(({ name }) => each.sides.includes(name))
  const measured = await measureInTurn(
    taking.map((side) => async () => {
      const load = await each.load(side)
      return (warmUp) => runOnce({ ...load, ...warmUp, connections }, side.server, postmaster)
    }),
  )
  const runs = Object.fromEntries(taking.map(({ name }, index) => [name, measured[index] ?? []]))
  return { title, connections, limits, runs }
}

/**
 * Prepares the benchmark runs of one server. Returns a function that sends the load once. In the first round, this
 * function gets the options of the warm-up.
 */
type Contestant = () => Promise<(warmUp: { readonly amount?: number }) => Promise<Run>>

/**
 * Sends the load to the compared servers, one after another. Every second round uses the reverse order of the servers.
 * Returns the results of each server, in the order of the rounds.
 */
export async function measureInTurn(contestants: readonly Contestant[]): Promise<readonly (readonly Run[])[]> {
  const sides: { run: Awaited<ReturnType<Contestant>>; runs: Run[] }[] = []
  for (const prepare of contestants) sides.push({ run: await prepare(), runs: [] })
  // Round 0 is a warm-up, which is not part of the result.
  for (let round = 0; round <= rounds; round++) {
    for (const { run, runs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const measured = await run(round === 0 ? { amount: warmUpRequests } : {})
      if (round > 0) runs.push(measured)
    }
  }
  return sides.map(({ runs }) => runs)
}

/**
 * Sends a load to a server and measures it. The CPU time of PostgreSQL is that of all its processes, so nothing else
 * may use PostgreSQL. An overloaded server may reject the share `rejectedShareMax` of the requests. The rate and the
 * latencies are those of the accepted requests.
 */
export async function runOnce(
  load: autocannon.Options,
  server: Pick<Server, 'pid'>,
  postmaster: number,
  rejectedShareMax = 0,
): Promise<Run> {
  const cpu = () => ({ process: cpuMsOf([server.pid]), postgres: cpuMsOf([postmaster]) })
  const before = cpu()
  const { result, latenciesMs } = await sendLoad({ duration: runSeconds, ...load })
  const after = cpu()
  const count = result['2xx']
  const rejected = result.statusCodeStats?.['503']?.count ?? 0
  const isFailed = result.non2xx > rejected || rejected > (count + rejected) * rejectedShareMax
  if (isFailed || result.errors > 0 || result.mismatches > 0 || count === 0) {
    const failures = `${result.mismatches} unexpected bodies, ${result.errors} connection errors`
    throw new Error(`${load.url}: ${result.non2xx} unsuccessful responses, ${failures}.`)
  }
  return {
    rejectedShare: rejected / (count + rejected),
    perSecond: count / result.duration,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMs: {
      process: (after.process - before.process) / count,
      postgres: (after.postgres - before.postgres) / count,
    },
  }
}

interface Sent {
  readonly result: autocannon.Result
  /** The latencies in ascending order. */
  readonly latenciesMs: readonly number[]
}

/**
 * Sends a load and stores the latency of each successful response. The percentiles of autocannon are whole
 * milliseconds, which is too coarse to compare servers that respond within a few milliseconds.
 */
function sendLoad(load: autocannon.Options): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const latenciesMs: number[] = []
    const running = autocannon(load, (error, result) => {
      if (error) reject(error)
      else resolve({ result, latenciesMs: latenciesMs.sort((one, other) => one - other) })
    })
    running.on('response', (_client, status, _bytes, latencyMs) => {
      if (status < 300) latenciesMs.push(latencyMs)
    })
  })
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Returns one ratio for each round, because runs of the same round had similar conditions. */
export function ratiosOf(result: CaseResult, of: (run: Run) => number, peer: SideName): number[] {
  return ratiosOfRuns(result.runs.service ?? [], result.runs[peer] ?? [], of)
}

export function ratiosOfRuns(runs: readonly Run[], others: readonly Run[], of: (run: Run) => number): number[] {
  return runs.flatMap((run, index) => {
    const other = others[index]
    return other === undefined ? [] : [of(run) / of(other)]
  })
}

export function cpuOf({ cpuMs }: Pick<Run, 'cpuMs'>): number {
  return cpuMs.process + cpuMs.postgres
}
