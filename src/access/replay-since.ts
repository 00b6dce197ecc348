import { webhookReplayDays } from '../../registry/values/limits.ts'
import type { BulkReplayId, EndpointId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { newBulkReplayId } from '../base/records.ts'
import type { Actor } from '../store/core/audit.ts'
import { addMerchantJobs } from '../store/core/jobs.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import type { ReplayableStatus } from '../store/tables/values.ts'
import { findRunningReplay, insertBulkReplay } from '../store/webhooks/bulk-replays.ts'
import { lockEndpoint } from '../store/webhooks/endpoints.ts'

export interface ReplayRequest {
  readonly endpointId: EndpointId
  readonly since: Timestamp
  /** Defaults to the current time. */
  readonly until?: Timestamp | undefined
  /** By default, `failed` and `skipped`. */
  readonly statuses?: readonly ReplayableStatus[] | undefined
}

export type ReplaySinceOutcome =
  | {
      readonly is: 'started'
      readonly id: BulkReplayId
      readonly since: Timestamp
      readonly until: Timestamp
      readonly statuses: readonly ReplayableStatus[]
    }
  | { readonly is: 'endpoint_unknown' | 'range_is_empty' | 'no_statuses' }
  | { readonly is: 'too_far_back'; readonly earliest: Timestamp }
  | { readonly is: 'already_running'; readonly id: BulkReplayId }

/** The statuses of deliveries that did not reach the endpoint. */
const undeliveredStatuses: readonly ReplayableStatus[] = ['failed', 'skipped']

const dayMs = 24 * 60 * 60 * 1000

export function earliestReplayMs(nowMs: number): number {
  return nowMs - webhookReplayDays * dayMs
}

interface ReplayRange {
  readonly since: Timestamp
  readonly until?: Timestamp | undefined
}

type CheckedRange =
  | { readonly is: 'range'; readonly since: Timestamp; readonly until: Timestamp }
  | { readonly is: 'too_far_back'; readonly earliest: Timestamp }
  | { readonly is: 'range_is_empty' }

/** The time range ends at the current time at the latest. */
export function checkReplayRange({ since, until }: ReplayRange, nowMs: number): CheckedRange {
  const earliestMs = earliestReplayMs(nowMs)
  if (toMs(since) < earliestMs) return { is: 'too_far_back', earliest: toTimestamp(earliestMs) }
  const untilMs = until === undefined ? nowMs : Math.min(nowMs, toMs(until))
  if (toMs(since) >= untilMs) return { is: 'range_is_empty' }
  return { is: 'range', since, until: toTimestamp(untilMs) }
}

export function replayedStatuses(statuses: readonly ReplayableStatus[] = undeliveredStatuses): ReplayableStatus[] {
  return [...new Set(statuses)].toSorted()
}

/**
 * Starts a bulk replay of an endpoint's deliveries in a time range, even to a disabled endpoint. Each delivery has the
 * original event id and bytes, and one attempt. This function stores the replay; a worker queues the deliveries in
 * batches.
 */
export async function replaySince(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  request: ReplayRequest,
): Promise<ReplaySinceOutcome> {
  const { endpointId } = request
  const statuses = replayedStatuses(request.statuses)
  if (statuses.length === 0) return { is: 'no_statuses' }
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.replay' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  const outcome = await mutate<ReplaySinceOutcome>(
    context,
    mutation,
    async ({ trx, merchantId, nowMs, now, note, abort }) => {
      const endpoint = await lockEndpoint(trx, { merchantId, endpointId })
      if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
      const range = checkReplayRange(request, nowMs)
      if (range.is !== 'range') return abort(range)
      const { since, until } = range
      const running = await findRunningReplay(trx, { merchantId, endpointId })
      if (running !== undefined) return abort({ is: 'already_running', id: running })
      const id = newBulkReplayId(nowMs)
      insertBulkReplay(trx, { merchantId, id, endpointId, since, until, statuses, now })
      note({ bulkReplay: [null, id], since: [null, since], until: [null, until], statuses: [null, statuses] })
      return { is: 'started', id, since, until, statuses }
    },
  )
  if (outcome.is === 'started') await enqueueReplay(context, tenant)
  return outcome
}

/** Ignores a failure to enqueue the job, because the next sweep enqueues it too. */
export async function enqueueReplay({ database }: Context, { merchantId }: Tenant): Promise<void> {
  await addMerchantJobs(database, 'replay_webhooks', [merchantId]).catch(() => undefined)
}
