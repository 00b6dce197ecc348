import { paymentProviderNames } from '../../../registry/values/payment-providers.ts'

/**
 * The metrics of the service as data. The registry of metrics, the table in the Monitoring guide and the check of the
 * dashboard and the alerts are derived from this data. The base unit is the second, as in all Prometheus metrics.
 */

interface Definition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  readonly buckets?: readonly number[]
}

/**
 * Bucket limits, in seconds, of the histograms of requests, jobs and calls. A read takes milliseconds and a write tens
 * of milliseconds. The alerts use 0.25 and 0.5 s. The service answers within 9 s, so only long polls take more than 10
 * s.
 */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Bucket limits, in seconds, of the time from commit to first byte. 25 ms is the target for single events and 100 ms
 * the target under load. The first retry comes after a minute. The limit of one hour is for deliveries that waited in a
 * backlog.
 */
const latencyBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 3600]

export const definitions = {
  commerce_http_requests_total: {
    type: 'counter',
    labels: ['operation', 'status'],
    help: `Requests by operation and status. \`operation\` is an operation of the API, ${paymentProviderNames.map((name) => `\`${name} callback\``).join(', ')}, \`carrier callback\`, \`dashboard\`, \`reference\` or \`none\` for unknown paths.`,
  },
  commerce_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['operation'],
    buckets: durationBuckets,
    help: 'Time from the arrival of the request headers to the response, including the time in queues.',
  },
  commerce_http_requests_in_flight: { type: 'gauge', help: 'Requests in progress, including long polls.' },
  commerce_http_connections_dropped_total: {
    type: 'counter',
    help: 'Connections that were closed at once, because the process had too many open.',
  },
  commerce_rate_limited_total: {
    type: 'counter',
    labels: ['policy'],
    help: 'Requests rejected with status 429, by the name of the exceeded limit.',
  },
  commerce_database_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Database connections of the pool for requests, deliveries and jobs: `in_use` and `idle`.',
  },
  commerce_database_waiting: {
    type: 'gauge',
    help: 'Requests and jobs that wait for a database connection of the pool.',
  },
  commerce_database_gauges_current: {
    type: 'gauge',
    help: '1 if the last query for the gauges of the whole database succeeded. 0 if it failed: the gauges keep their last values.',
  },
  commerce_deliveries_due: {
    type: 'gauge',
    help: 'Webhook deliveries that could be sent now, in the whole database. The count stops at 10,000.',
  },
  commerce_oldest_due_delivery_seconds: {
    type: 'gauge',
    help: 'Age of the oldest due delivery in the whole database: time since the delivery could have been sent. 0 if none is due.',
  },
  commerce_database_node_up: {
    type: 'gauge',
    labels: ['node'],
    help: '1 if a node of a distributed database responds. No value if the database is not distributed.',
  },
  commerce_database_node_merchants: {
    type: 'gauge',
    labels: ['node'],
    help: 'Merchants whose rows are on a node of a distributed database, in live and test mode. No value if the database is not distributed.',
  },
  commerce_database_node_oldest_due_delivery_seconds: {
    type: 'gauge',
    labels: ['node'],
    help: 'Age of the oldest due delivery of the merchants on a node of a distributed database. 0 if none is due. No value while the node does not respond.',
  },
  commerce_jobs_ready: {
    type: 'gauge',
    labels: ['task'],
    help: 'Jobs in the queue that could run now, in the whole database.',
  },
  commerce_jobs_failed: {
    type: 'gauge',
    labels: ['task'],
    help: 'Jobs that have failed permanently and stay in the queue, in the whole database.',
  },
  commerce_oldest_ready_job_seconds: {
    type: 'gauge',
    labels: ['task'],
    help: 'Age in seconds of the oldest job in the queue that is ready to run, in the whole database. The age is the time since the job became ready. 0 if there is none.',
  },
  commerce_oldest_due_refund_seconds: {
    type: 'gauge',
    help: 'Age of the oldest refund that is due for submission or for a check of its status, in the whole database. 0 if there is none.',
  },
  commerce_audit_unsealed_seconds: {
    type: 'gauge',
    help: 'Age of the oldest audit row that is not yet in the hash chain, in the whole database. 0 if there is none.',
  },
  commerce_wal_archive_failing: {
    type: 'gauge',
    help: '1 if the database server could not archive the last segment of its write-ahead log. 0 if it archives no log.',
  },
  commerce_wal_archived_age_seconds: {
    type: 'gauge',
    help: 'Time since the database server last archived a segment of its write-ahead log. 0 if it archives no log.',
  },
  commerce_table_bytes: {
    type: 'gauge',
    labels: ['table'],
    help: 'Size of a table with its partitions and indexes, in the whole database. The size is read every five minutes.',
  },
  commerce_ready_endpoints: {
    type: 'gauge',
    help: 'Webhook endpoints in the ready queue of this worker.',
  },
  commerce_deliveries_in_flight: { type: 'gauge', help: 'Deliveries that this worker is sending.' },
  commerce_delivery_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Attempts to deliver a webhook: `succeeded`, `failed` or, for a fault of this service, `aborted`.',
  },
  commerce_delivery_attempt_duration_seconds: {
    type: 'histogram',
    buckets: durationBuckets,
    help: 'Duration of a delivery attempt, from the DNS lookup to the response headers. Receivers must respond within 10 s.',
  },
  commerce_delivery_latency_seconds: {
    type: 'histogram',
    buckets: latencyBuckets,
    help: 'Time from the commit of an event to the first byte of its first delivery attempt.',
  },
  commerce_job_runs_total: {
    type: 'counter',
    labels: ['task', 'outcome'],
    help: 'Number of job runs in this worker, by job and outcome: `succeeded` or `failed`.',
  },
  commerce_job_duration_seconds: {
    type: 'histogram',
    labels: ['task'],
    buckets: durationBuckets,
    help: 'Duration of a run of a job.',
  },
  commerce_carrier_calls_total: {
    type: 'counter',
    labels: ['carrier', 'operation', 'outcome'],
    help: 'Requests to carriers. `ok`, `refused` and `invalid` are responses; `unavailable` and `unknown` are failures; `circuit_open` are requests that were not sent.',
  },
  commerce_carrier_call_duration_seconds: {
    type: 'histogram',
    labels: ['carrier', 'operation'],
    buckets: durationBuckets,
    help: 'Duration of a request to a carrier.',
  },
  commerce_carrier_circuit_open: {
    type: 'gauge',
    labels: ['carrier', 'operation'],
    help: '1 while the circuit breaker of the operation at the carrier is open: from too many failures until a request succeeds. Meanwhile this process sends at most one request every 30 s.',
  },
  commerce_payment_provider_calls_total: {
    type: 'counter',
    labels: ['provider', 'operation', 'outcome'],
    help: 'Requests to the payment provider. `unavailable`, `not_submitted` and `unknown` are failures.',
  },
  commerce_payment_provider_call_duration_seconds: {
    type: 'histogram',
    labels: ['provider', 'operation'],
    buckets: durationBuckets,
    help: 'Duration of a request to the payment provider.',
  },
  commerce_clock_skew_seconds: {
    type: 'gauge',
    help: 'Time by which the clock of this process is ahead of the clock of the database. If the difference is more than a minute, the process is not ready.',
  },
  commerce_event_loop_utilization: {
    type: 'gauge',
    help: 'Share of the time since the last scrape in which the event loop was busy, from 0 to 1.',
  },
  commerce_ready: {
    type: 'gauge',
    help: '1 while `/readyz` responds with 200, otherwise 0.',
  },
  commerce_process_info: {
    type: 'gauge',
    labels: ['role', 'version'],
    help: 'Always 1. The label `role` has the value of `RUN`, and `version` the version of the service.',
  },
} as const satisfies Readonly<Record<string, Definition>>

export type Definitions = typeof definitions
export type MetricName = keyof Definitions

export type MetricOf<Type extends Definition['type']> = {
  [Name in MetricName]: Definitions[Name]['type'] extends Type ? Name : never
}[MetricName]

export function labelsOf(name: MetricName): readonly string[] {
  const definition: Definition = definitions[name]
  return definition.labels ?? []
}

export function isMetric(name: string): name is MetricName {
  return Object.hasOwn(definitions, name)
}
