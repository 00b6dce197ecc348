import type { EndpointId } from '../../../registry/values/vocabulary.ts'
import { systemClock } from '../../../src/base/clock.ts'
import type { Database } from '../../../src/store/core/database.ts'
import { median } from '../compare.ts'
import { machineMs } from './child.ts'
import type { Committed } from './emit.ts'
import type { BenchMerchant } from './merchants.ts'
import type { Arrival } from './receiver.ts'

/** A PostgreSQL notification of due deliveries that the worker process received. */
export interface Notified {
  readonly endpointId: EndpointId
  readonly atMs: number
}

/**
 * The phases between the commit of an event and the first byte of its delivery at the receiver: median durations in
 * milliseconds.
 */
export interface Phases {
  /**
   * Median time from the commit of an event to its notification in the worker process. Undefined if the worker process
   * itself committed the event.
   */
  readonly notify: number | undefined
  /**
   * Median time from the notification in the worker process to the start of the delivery attempt: the worker wakes up
   * and claims the delivery.
   */
  readonly claim: number
  /** Median time from the start of the delivery attempt until the receiver reads the request. */
  readonly send: number
}

interface Observed {
  readonly merchants: readonly BenchMerchant[]
  readonly committed: readonly Committed[]
  readonly arrivals: readonly Arrival[]
  readonly notified: readonly Notified[]
}

export async function phasesOf(database: Database, observed: Observed): Promise<Phases> {
  const { merchants, committed, arrivals, notified } = observed
  const committedMs = new Map(committed.map(({ mark, atMs }) => [mark, atMs]))
  const endpoints = new Map(
    merchants.flatMap((each) => each.endpoints).map(({ path, endpointId }) => [path, endpointId]),
  )
  const notifiedMs = Map.groupBy(notified, ({ endpointId }) => endpointId)
  const startedMs = await startsOf(database, merchants)
  const notifyMs: number[] = []
  const claimMs: number[] = []
  const sendMs: number[] = []
  for (const { mark, path, atMs } of arrivals) {
    const commitMs = committedMs.get(mark)
    const endpointId = endpoints.get(path)
    const startMs = startedMs.get(`${mark} ${endpointId}`)
    if (commitMs === undefined || endpointId === undefined || startMs === undefined) continue
    const noticeMs = notifiedMs.get(endpointId)?.find((notice) => notice.atMs >= commitMs)?.atMs
    // If the attempt started before the notification, an earlier claim had found the delivery. The delivery is then
    // treated as known from the start of the attempt.
    const knownMs = Math.min(noticeMs ?? commitMs, startMs)
    if (noticeMs !== undefined) notifyMs.push(Math.max(0, knownMs - commitMs))
    claimMs.push(startMs - Math.max(knownMs, commitMs))
    sendMs.push(atMs - startMs)
  }
  return {
    notify: notifyMs.length === 0 ? undefined : median(notifyMs),
    claim: median(claimMs),
    send: median(sendMs),
  }
}

/**
 * Returns the start time of the first attempt of each delivery. The key consists of the event's order number and the
 * endpoint.
 */
async function startsOf(database: Database, merchants: readonly BenchMerchant[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.pool.query<{ mark: string; endpoint: string; at: string }>(startsText, [
    merchants.map(({ merchantId }) => merchantId),
  ])
  const offsetMs = systemClock.nowMs() - machineMs()
  return new Map(rows.map(({ mark, endpoint, at }) => [`${mark} ${endpoint}`, Date.parse(at) - offsetMs]))
}

const startsText = `
  select
    event.body::json #>> '{data,order,number}' as mark, delivery.endpoint_id as endpoint,
    min(attempt.started_at) as at
  from webhook_attempts attempt
  join webhook_deliveries delivery on delivery.merchant_id = attempt.merchant_id and delivery.id = attempt.delivery_id
  join webhook_events event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
  where attempt.merchant_id = any($1::text[])
  group by 1, 2`
