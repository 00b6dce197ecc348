import { percentile } from '../percentile.ts'
import type { Child } from './child.ts'
import type { Committed, Emission } from './emit.ts'
import { type BenchMerchant, endpointsEach } from './merchants.ts'
import type { Arrival } from './receiver.ts'
import type { Receiver } from './stage.ts'

/** Measures the latency from the commit of a mutation to the first byte of its deliveries at the receivers. */

/** Duration of the warm-up, in which connections are opened and code is compiled. The warm-up is not counted. */
const warmSeconds = 1

export interface Load {
  /** The process that commits the mutations of the measurement. */
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
  /** Measured deliveries per second. The rate is lower than the requested rate if the mutations are too slow. */
  readonly deliveriesPerSecond: number
}

export interface Measured extends Latency {
  /** The mutations that committed after the warm-up. */
  readonly committed: readonly Committed[]
  readonly arrivals: readonly Arrival[]
}

/** The measurement does not wait for deliveries to endpoints that never respond. */
export function isResponding({ path }: { readonly path: string }): boolean {
  return !path.startsWith('/hang')
}

export async function measureLatency(load: Load): Promise<Measured> {
  const { child, receiver, merchants, name } = load
  const emission: Emission = {
    merchantIds: merchants.map(({ merchantId }) => merchantId),
    perSecond: load.deliveriesPerSecond / endpointsEach,
    seconds: warmSeconds + load.seconds,
    name,
  }
  const committed = await child.request<readonly Committed[]>({ emission })
  const responding = new Map(
    merchants.map(({ merchantId, endpoints }) => [merchantId, endpoints.filter(isResponding).length]),
  )
  const expected = committed.reduce((sum, { merchantId }) => sum + (responding.get(merchantId) ?? 0), 0)
  const arrivals = await receiver.arrivals(expected)
  const firstMs = Math.min(...committed.map(({ atMs }) => atMs))
  const lastMs = Math.max(...committed.map(({ atMs }) => atMs))
  const counted = committed.filter(({ atMs }) => atMs >= firstMs + warmSeconds * 1000)
  const committedMs = new Map(counted.map(({ mark, atMs }) => [mark, atMs]))
  const latenciesMs = arrivals
    .flatMap(({ mark, atMs }) => {
      const sinceMs = committedMs.get(mark)
      return sinceMs === undefined ? [] : [atMs - sinceMs]
    })
    .sort((a, b) => a - b)
  return {
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    deliveriesPerSecond: (committed.length * endpointsEach * 1000) / (lastMs - firstMs),
    committed: counted,
    arrivals,
  }
}

export function lineOf({ p50Ms, p99Ms, deliveriesPerSecond }: Latency): string {
  return `p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  at ${deliveriesPerSecond.toFixed(0).padStart(4)}/s`
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(6)} ms`
}
