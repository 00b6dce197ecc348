import { performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { DeliveryAttempt, JobEnd, Meters } from '../../base/meters.ts'
import type { Backlog, TableSize } from '../../store/metrics/backlog.ts'
import type { NodeState } from '../nodes.ts'
import { definitions, labelsOf, type MetricName, type MetricOf } from './definitions.ts'

/** The metrics of a process: functions with which its parts record values, and the text that Prometheus scrapes. */
export interface Metrics {
  readonly meters: Meters
  /**
   * Adds functions that provide the values of gauges. The functions are called at each scrape, so they must not query
   * the database.
   */
  readFrom(sources: Partial<Sources>): void
  /** Sets the gauges of the database. `undefined`, the result of a failed query, leaves their values unchanged. */
  setBacklog(backlog: Backlog | undefined): void
  setTableSizes(sizes: readonly TableSize[]): void
  setNodes(nodes: readonly NodeState[]): void
  scrape(): Promise<Scrape>
}

export interface Scrape {
  readonly contentType: string
  readonly body: string
}

export interface Sources {
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }
  /** Number of requests that wait in this service before they request a connection of the pool. */
  readonly waitingForPool: () => number
  readonly clockSkewMs: () => number
  readonly circuits: () => readonly Circuit[]
  readonly pump: { queued(): number; inFlight(): number }
  readonly isReady: () => boolean
}

interface Circuit {
  readonly carrier: string
  readonly operation: string
  readonly isClosed: boolean
}

export interface ProcessInfo {
  readonly role: string
  readonly version: string
}

function factoryOf(registry: Registry) {
  const common = (name: MetricName) => {
    return { name, help: definitions[name].help, labelNames: [...labelsOf(name)], registers: [registry] }
  }
  return {
    counter: (name: MetricOf<'counter'>) => new Counter<string>(common(name)),
    histogram: (name: MetricOf<'histogram'>) =>
      new Histogram<string>({ ...common(name), buckets: [...definitions[name].buckets] }),
    /** The function `read` sets the value of the gauge at each scrape. Without `read`, the caller sets the value. */
    gauge: (name: MetricOf<'gauge'>, read?: (gauge: Gauge<string>) => void) =>
      new Gauge<string>({
        ...common(name),
        ...(read === undefined
          ? {}
          : {
              collect() {
                read(this)
              },
            }),
      }),
  }
}

type Factory = ReturnType<typeof factoryOf>

/**
 * Sampling interval of the event loop delay. The default of 10 ms takes 0.4 % of a core, and 20 ms takes half of that.
 * An idle process shows delays as long as this interval.
 */
const eventLoopSampleMs = 20

export function openMetrics(info: ProcessInfo): Metrics {
  const registry = new Registry()
  const create = factoryOf(registry)
  // The default metrics are memory, CPU time, open files, garbage collection and the delay of the event loop.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs })
  create.gauge('commerce_process_info').set({ ...info }, 1)
  createEventLoopGauge(create)
  const sources: { -readonly [Name in keyof Sources]?: Sources[Name] } = {}
  createSourceGauges(create, sources)
  return {
    meters: { ...requestMeters(create), ...deliveryMeters(create), ...jobMeters(create), ...partnerMeters(create) },
    readFrom: (added) => void Object.assign(sources, added),
    ...databaseGauges(create),
    ...nodeGauges(create),
    scrape: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}

type MetersOf<Name extends keyof Meters> = Pick<Meters, Name>

function requestMeters(
  create: Factory,
): MetersOf<'requestStarted' | 'requestEnded' | 'rateLimited' | 'connectionDropped'> {
  let inFlight = 0
  const requests = create.counter('commerce_http_requests_total')
  const durations = create.histogram('commerce_http_request_duration_seconds')
  const limited = create.counter('commerce_rate_limited_total')
  const dropped = create.counter('commerce_http_connections_dropped_total')
  create.gauge('commerce_http_requests_in_flight', (gauge) => gauge.set(inFlight))
  return {
    requestStarted: () => {
      inFlight += 1
    },
    requestEnded: ({ operation, status, durationMs }) => {
      inFlight -= 1
      requests.inc({ operation, status })
      durations.observe({ operation }, seconds(durationMs))
    },
    rateLimited: (policy) => limited.inc({ policy }),
    connectionDropped: () => dropped.inc(),
  }
}

const deliveryOutcomes: readonly DeliveryAttempt['outcome'][] = ['succeeded', 'failed', 'aborted']

function deliveryMeters(create: Factory): MetersOf<'deliveryAttempted'> {
  const attempts = create.counter('commerce_delivery_attempts_total')
  const durations = create.histogram('commerce_delivery_attempt_duration_seconds')
  const latencies = create.histogram('commerce_delivery_latency_seconds')
  // Every counter starts at 0: without a first value, `rate()` would not count the first failure after a start.
  for (const outcome of deliveryOutcomes) attempts.inc({ outcome }, 0)
  return {
    deliveryAttempted: ({ outcome, durationMs, latencyMs }) => {
      attempts.inc({ outcome })
      durations.observe(seconds(durationMs))
      if (latencyMs !== undefined) latencies.observe(seconds(latencyMs))
    },
  }
}

function jobMeters(create: Factory): MetersOf<'jobEnded'> {
  const runs = create.counter('commerce_job_runs_total')
  const durations = create.histogram('commerce_job_duration_seconds')
  return {
    // The name of a job is in the metric label `task`, because Prometheus sets a label `job` of its own.
    jobEnded: ({ job: task, outcome, durationMs }: JobEnd) => {
      runs.inc({ task, outcome })
      durations.observe({ task }, seconds(durationMs))
    },
  }
}

function partnerMeters(create: Factory): MetersOf<'carrierCalled' | 'paymentProviderCalled'> {
  const carrierCalls = create.counter('commerce_carrier_calls_total')
  const carrierDurations = create.histogram('commerce_carrier_call_duration_seconds')
  const providerCalls = create.counter('commerce_payment_provider_calls_total')
  const providerDurations = create.histogram('commerce_payment_provider_call_duration_seconds')
  return {
    carrierCalled: ({ carrier, operation, outcome, durationMs }) => {
      carrierCalls.inc({ carrier, operation, outcome })
      // A call that the open circuit breaker rejected was not sent, so it has no duration.
      if (outcome !== 'circuit_open') carrierDurations.observe({ carrier, operation }, seconds(durationMs))
    },
    paymentProviderCalled: ({ provider, operation, outcome, durationMs }) => {
      providerCalls.inc({ provider, operation, outcome })
      providerDurations.observe({ provider, operation }, seconds(durationMs))
    },
  }
}

function createEventLoopGauge(create: Factory): void {
  let last = performance.eventLoopUtilization()
  create.gauge('commerce_event_loop_utilization', (gauge) => {
    const now = performance.eventLoopUtilization()
    gauge.set(performance.eventLoopUtilization(now, last).utilization)
    last = now
  })
}

function createSourceGauges(create: Factory, sources: Readonly<Partial<Sources>>): void {
  create.gauge('commerce_database_connections', (gauge) => {
    const { totalCount = 0, idleCount = 0 } = sources.pool ?? {}
    gauge.set({ state: 'in_use' }, totalCount - idleCount)
    gauge.set({ state: 'idle' }, idleCount)
  })
  create.gauge('commerce_database_waiting', (gauge) => {
    const { pool, waitingForPool } = sources
    gauge.set((pool?.waitingCount ?? 0) + (waitingForPool?.() ?? 0))
  })
  create.gauge('commerce_clock_skew_seconds', (gauge) => gauge.set(seconds(sources.clockSkewMs?.() ?? 0)))
  create.gauge('commerce_ready_endpoints', (gauge) => gauge.set(sources.pump?.queued() ?? 0))
  create.gauge('commerce_deliveries_in_flight', (gauge) => gauge.set(sources.pump?.inFlight() ?? 0))
  create.gauge('commerce_ready', (gauge) => gauge.set(sources.isReady?.() === true ? 1 : 0))
  create.gauge('commerce_carrier_circuit_open', (gauge) => {
    for (const { carrier, operation, isClosed } of sources.circuits?.() ?? [])
      gauge.set({ carrier, operation }, isClosed ? 0 : 1)
  })
}

function databaseGauges(create: Factory): Pick<Metrics, 'setBacklog' | 'setTableSizes'> {
  const isCurrent = create.gauge('commerce_database_gauges_current')
  const due = create.gauge('commerce_deliveries_due')
  const oldest = create.gauge('commerce_oldest_due_delivery_seconds')
  const oldestOfNode = create.gauge('commerce_database_node_oldest_due_delivery_seconds')
  const ready = create.gauge('commerce_jobs_ready')
  const failed = create.gauge('commerce_jobs_failed')
  const readyAge = create.gauge('commerce_oldest_ready_job_seconds')
  const refundAge = create.gauge('commerce_oldest_due_refund_seconds')
  const unsealed = create.gauge('commerce_audit_unsealed_seconds')
  const isArchiveFailing = create.gauge('commerce_wal_archive_failing')
  const archivedAge = create.gauge('commerce_wal_archived_age_seconds')
  const bytes = create.gauge('commerce_table_bytes')
  return {
    setBacklog: (backlog) => {
      isCurrent.set(backlog === undefined ? 0 : 1)
      if (backlog === undefined) return
      due.set(backlog.deliveriesDue)
      oldest.set(seconds(backlog.oldestDueMs))
      // Old values are removed first, because a node that does not respond must have no value in this gauge.
      oldestOfNode.reset()
      for (const { node, dueMs } of backlog.oldestDueOfNodes) oldestOfNode.set({ node }, seconds(dueMs))
      unsealed.set(seconds(backlog.oldestUnsealedMs))
      refundAge.set(seconds(backlog.oldestDueRefundMs))
      isArchiveFailing.set(backlog.walArchive.isFailing ? 1 : 0)
      archivedAge.set(seconds(backlog.walArchive.archivedAgeMs))
      // Gauges are reset before they are set, because a job that is no longer in the queue has no row that would set
      // its gauge to 0.
      ready.reset()
      readyAge.reset()
      failed.reset()
      for (const job of backlog.jobs) {
        ready.set({ task: job.name }, job.ready)
        readyAge.set({ task: job.name }, seconds(job.oldestReadyMs))
        failed.set({ task: job.name }, job.failed)
      }
    },
    setTableSizes: (sizes) => {
      // All earlier table sizes are removed before the current ones are set, because a migration may have dropped a
      // table.
      bytes.reset()
      for (const size of sizes) bytes.set({ table: size.table }, size.bytes)
    },
  }
}

function nodeGauges(create: Factory): Pick<Metrics, 'setNodes'> {
  const isUp = create.gauge('commerce_database_node_up')
  const merchants = create.gauge('commerce_database_node_merchants')
  return {
    setNodes: (nodes) => {
      // Gauges are reset before they are set, because a node may have been removed.
      isUp.reset()
      merchants.reset()
      for (const node of nodes) {
        isUp.set({ node: node.name }, node.isUp ? 1 : 0)
        merchants.set({ node: node.name }, node.merchants.length)
      }
    },
  }
}

function seconds(ms: number): number {
  return ms / 1000
}
