import type { BulkReplayId, EndpointId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { lowestIdAt } from '../base/ids.ts'
import { newBulkReplayId } from '../base/records.ts'
import type { Actor } from '../store/core/audit.ts'
import type { WriteTrx } from '../store/core/database.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import {
  countSkippedDeliveries,
  findRunningReplay,
  insertBulkReplay,
  settlingMs,
} from '../store/webhooks/bulk-replays.ts'
import { resumeDeliveries } from '../store/webhooks/delivery-holds.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { enableEndpoint } from '../webhooks/reduce.ts'
import { earliestReplayMs, enqueueReplay } from './replay-since.ts'

export interface EnableOptions {
  /** Whether to replay the deliveries that were skipped while the endpoint was disabled. */
  readonly replaysSkipped?: boolean | undefined
}

export type SkippedReplay =
  | { readonly is: 'started'; readonly id: BulkReplayId }
  | { readonly is: 'not_requested' | 'nothing_skipped' }
  /** An earlier bulk replay of the endpoint is still running. An endpoint has at most one bulk replay at a time. */
  | { readonly is: 'already_running'; readonly id: BulkReplayId }

export type EnableEndpointOutcome =
  | {
      readonly is: 'enabled'
      readonly resumed: number
      /** Number of the endpoint's skipped deliveries that are recent enough to be replayed. */
      readonly skipped: number
      readonly replay: SkippedReplay
    }
  | { readonly is: 'endpoint_unknown' }
  | { readonly is: 'unchanged' }

/**
 * Enables a webhook endpoint, resets its failure count and resumes the deliveries that waited for it. Skipped
 * deliveries are replayed only on request: there may be many, and the receiver may have read the events from `GET
 * /events`.
 */
export async function enableWebhookEndpoint(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  endpointId: EndpointId,
  { replaysSkipped = false }: EnableOptions = {},
): Promise<EnableEndpointOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.enable' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  const outcome = await mutate<EnableEndpointOutcome>(
    context,
    mutation,
    async ({ trx, merchantId, nowMs, now, note, abort }) => {
      const [endpoint] = await lockEndpointStates(trx, [{ merchantId, endpointId }])
      if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
      if (endpoint.status === 'enabled') return abort({ is: 'unchanged' })
      const changed = enableEndpoint(endpointStateOf(endpoint))
      saveEndpointStates(trx, [endpointRowOf(endpoint, changed)], now)
      const resumed = await resumeDeliveries(trx, { merchantId, endpointId, now })
      note({
        status: ['disabled', 'enabled'],
        consecutiveFailures: [endpoint.consecutiveFailures, 0],
        heldDeliveries: [resumed, 0],
      })
      const sinceMs = skippedSinceMs(endpoint.disabledAt ?? now, nowMs)
      const skipped = await countSkippedDeliveries(trx, {
        merchantId,
        endpointId,
        fromId: lowestIdAt('dlv', sinceMs),
      })
      const replay: SkippedReplay = replaysSkipped
        ? await replaySkipped(trx, { merchantId, endpointId }, { sinceMs, nowMs, skipped })
        : { is: 'not_requested' }
      if (replay.is === 'started') note({ bulkReplay: [null, replay.id] })
      return { is: 'enabled', resumed, skipped, replay }
    },
  )
  if (outcome.is !== 'enabled') return outcome
  if (outcome.replay.is === 'started') await enqueueReplay(context, tenant)
  context.nudge(tenant.merchantId, [endpointId])
  return outcome
}

/** Counts only deliveries that are recent enough to be replayed. */
export function countSkippedSince(
  { database, clock }: Context,
  endpoint: EndpointKey,
  disabledAt: Timestamp,
): Promise<number> {
  const sinceMs = skippedSinceMs(disabledAt, clock.nowMs())
  return countSkippedDeliveries(database, { ...endpoint, fromId: lowestIdAt('dlv', sinceMs) })
}

/**
 * Returns the start of the time range in which skipped deliveries are replayed. The id of a delivery contains its
 * creation time. A mutation that began just before the endpoint was disabled may have skipped a delivery whose id
 * contains this earlier time. The range therefore starts a little before the endpoint was disabled.
 */
function skippedSinceMs(disabledAt: Timestamp, nowMs: number): number {
  return Math.max(toMs(disabledAt) - settlingMs, earliestReplayMs(nowMs))
}

/**
 * Starts a replay of an endpoint's skipped deliveries. Concurrent mutations may still see the endpoint as disabled and
 * skip a delivery, so the time range of the replay ends a little in the future.
 */
async function replaySkipped(
  trx: WriteTrx,
  endpoint: EndpointKey,
  { sinceMs, nowMs, skipped }: { readonly sinceMs: number; readonly nowMs: number; readonly skipped: number },
): Promise<SkippedReplay> {
  if (skipped === 0) return { is: 'nothing_skipped' }
  const running = await findRunningReplay(trx, endpoint)
  if (running !== undefined) return { is: 'already_running', id: running }
  const id = newBulkReplayId(nowMs)
  const { merchantId, endpointId } = endpoint
  insertBulkReplay(trx, {
    merchantId,
    id,
    endpointId,
    since: toTimestamp(sinceMs),
    until: toTimestamp(nowMs + settlingMs),
    statuses: ['skipped'],
    now: toTimestamp(nowMs),
  })
  return { is: 'started', id }
}
