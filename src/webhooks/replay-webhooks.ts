import type { BulkReplayId, EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { lowestIdAt } from '../base/ids.ts'
import { newDeliveryId } from '../base/records.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Context } from '../store/core/mutation.ts'
import {
  listRunningReplays,
  lockRunningReplay,
  queueReplays,
  saveReplay,
  settlingMs,
} from '../store/webhooks/bulk-replays.ts'

/**
 * Queues the deliveries of bulk replays in small chunks. The sweeper calls this until the replay is complete.
 *
 *   replay request ── next originals ── due replays ── the pump sends them ──┐
 *                          ^──────────────── the sweeper ─────────────────────┘
 */

/**
 * Maximum number of pending deliveries of one bulk replay. A new event of the endpoint waits behind at most 100
 * replays. A receiver that responds within 200 ms receives 100 replays in about two seconds. With a sweep every five
 * seconds, 72,000 deliveries an hour are replayed.
 */
const outstandingMax = 100

export interface ReplayContext extends Context {
  /** When this signal is aborted, no further chunk of replays is queued. */
  readonly stopping?: AbortSignal
}

/**
 * Queues the next deliveries of every running bulk replay of a merchant, as many as may be pending at the same time.
 * Returns the number of queued deliveries.
 */
export async function replayWebhooks(context: ReplayContext, merchantId: MerchantId): Promise<number> {
  let count = 0
  for (const id of await listRunningReplays(context.database, merchantId)) {
    let endpointId: EndpointId | undefined
    let step: Step | undefined
    do {
      step = await queueChunk(context, merchantId, id)
      count += step?.queued ?? 0
      if (step !== undefined && step.queued > 0) endpointId = step.endpointId
    } while (step?.isMore === true && context.stopping?.aborted !== true)
    if (endpointId !== undefined) context.nudge(merchantId, [endpointId])
  }
  return count
}

interface Step {
  readonly endpointId: EndpointId
  readonly queued: number
  /**
   * Whether another chunk of replays can be queued at once. This is the case if fewer replays than the maximum are
   * pending, and some original deliveries were not replayed yet.
   */
  readonly isMore: boolean
}

/**
 * Queues one chunk of replays in a transaction that locks the bulk replay, so that concurrent or crashing workers queue
 * nothing twice.
 */
function queueChunk(
  { database, clock }: ReplayContext,
  merchantId: MerchantId,
  id: BulkReplayId,
): Promise<Step | undefined> {
  return bookkeep(database, async (trx) => {
    const replay = await lockRunningReplay(trx, { merchantId, id })
    if (replay === undefined) return undefined
    const { endpointId, statuses } = replay
    const nowMs = clock.nowMs()
    const now = toTimestamp(nowMs)
    if (replay.isEndpointDeleted) {
      saveReplay(trx, { ...replay, status: 'cancelled', completedAt: now })
      return { endpointId, queued: 0, isMore: false }
    }
    const afterId = replay.lastDeliveryId ?? lowestIdAt('dlv', toMs(replay.since))
    const settledMs = nowMs - settlingMs
    const isSettled = toMs(replay.until) <= settledMs
    const beforeId = lowestIdAt('dlv', isSettled ? toMs(replay.until) : settledMs)
    const deliveryIds = Array.from({ length: outstandingMax }, () => newDeliveryId(nowMs)).toSorted()
    const chunk = await queueReplays(trx, { merchantId, id, endpointId, statuses, afterId, beforeId, deliveryIds, now })
    const { queued, isFull, isAtEnd } = chunk
    const isDone = isSettled && isAtEnd && chunk.waiting + queued === 0
    saveReplay(trx, {
      merchantId,
      id,
      status: isDone ? 'done' : 'running',
      lastDeliveryId: (isFull ? chunk.lastQueuedId : chunk.lastScannedId) ?? replay.lastDeliveryId,
      queued: replay.queued + queued,
      completedAt: isDone ? now : null,
    })
    return { endpointId, queued, isMore: !isFull && !isAtEnd }
  })
}
