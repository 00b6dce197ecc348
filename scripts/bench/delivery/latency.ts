import { type Child, startChild } from './child.ts'
import type { Committed, Emission } from './emit.ts'
import { type BenchMerchant, endpointsEach } from './merchants.ts'
import { openShops, type Receiver, type Stage } from './stage.ts'

/** From a mutation's commit to the first byte of its deliveries at their receivers. */

/** What comes before is not counted: connections are opened, code is compiled. */
const warmSeconds = 1
const seconds = 5

export interface Load {
  /** Who commits. */
  readonly child: Child
  readonly receiver: Receiver
  readonly merchants: readonly BenchMerchant[]
  readonly deliveriesPerSecond: number
  readonly name: string
  readonly seconds: number
}

export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
  /** As many as there really were: mutations that are too slow make them fewer. */
  readonly deliveriesPerSecond: number
}

/** An endpoint that hangs gets its deliveries too, which nobody waits for. */
export function isAnswering({ path }: { readonly path: string }): boolean {
  return !path.startsWith('/hang')
}

export async function measureLatency(load: Load): Promise<Latency> {
  const { child, receiver, merchants, name } = load
  const emission: Emission = {
    merchantIds: merchants.map(({ merchantId }) => merchantId),
    perSecond: load.deliveriesPerSecond / endpointsEach,
    seconds: warmSeconds + load.seconds,
    name,
  }
  const committed = await child.ask<readonly Committed[]>({ emission })
  const answering = new Map(
    merchants.map(({ merchantId, endpoints }) => [merchantId, endpoints.filter(isAnswering).length]),
  )
  const expected = committed.reduce((sum, { merchantId }) => sum + (answering.get(merchantId) ?? 0), 0)
  const arrivals = await receiver.arrivals(expected)
  const firstMs = Math.min(...committed.map(({ atMs }) => atMs))
  const lastMs = Math.max(...committed.map(({ atMs }) => atMs))
  const committedMs = new Map(
    committed.filter(({ atMs }) => atMs >= firstMs + warmSeconds * 1000).map(({ mark, atMs }) => [mark, atMs]),
  )
  const latenciesMs = arrivals
    .flatMap(({ mark, atMs }) => {
      const sinceMs = committedMs.get(mark)
      return sinceMs === undefined ? [] : [atMs - sinceMs]
    })
    .sort((a, b) => a - b)
  const percentile = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
  return {
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    deliveriesPerSecond: (committed.length * endpointsEach * 1000) / (lastMs - firstMs),
  }
}

/** By a process that delivers what it commits, and by one that only commits. */
export async function measureLatencies(
  stage: Stage,
  connectionString: string,
  deliveriesPerSecond: number,
): Promise<void> {
  const api = await startChild('api.ts', [connectionString])
  try {
    const committers = { 'one process': stage.worker, 'API apart': api }
    for (const [name, child] of Object.entries(committers)) {
      const merchants = await openShops(stage, stage.receiver)
      const load = { child, merchants, receiver: stage.receiver, deliveriesPerSecond }
      const latency = await measureLatency({ ...load, name, seconds })
      console.log(`${`Commit to first byte, ${name}`.padEnd(32)} ${lineOf(latency)}`)
    }
  } finally {
    await api.stop()
  }
}

export function lineOf({ p50Ms, p99Ms, deliveriesPerSecond }: Latency): string {
  return `p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  at ${deliveriesPerSecond.toFixed(0)}/s`
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(6)} ms`
}
