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
 * What bulk replays send, queued a few at a time. The pulse comes back until all is sent.
 *
 *   wish ── the next originals ── replays that are due ── the pump sends them ──┐
 *               ^────────────────── the pulse ──────────────────────────────────┘
 */

/**
 * How many of one replay wait at once. What happens meanwhile waits behind at most so many: two seconds for a receiver
 * that answers in a fifth of one. At one look in five seconds it still is 72,000 in an hour.
 */
const waitingMax = 100

export interface ReplayContext extends Context {
  /** No further chunk once it has aborted. */
  readonly stopping?: AbortSignal
}

/** Moves every running replay of a merchant on, as far as it goes now. Returns how many deliveries were queued. */
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
  /** There is room and there may be more, so there is no need to wait for anything. */
  readonly isMore: boolean
}

/** One transaction under the replay's lock: however many workers there are, and whenever one dies, nothing goes twice. */
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
    const deliveryIds = Array.from({ length: waitingMax }, () => newDeliveryId(nowMs)).toSorted()
    const chunk = await queueReplays(trx, { merchantId, id, endpointId, statuses, afterId, beforeId, deliveryIds, now })
    const { queued, isFull, isAtEnd } = chunk
    const isDone = isSettled && isAtEnd && chunk.waiting + queued === 0
    saveReplay(trx, {
      merchantId,
      id,
      status: isDone ? 'done' : 'running',
      lastDeliveryId: (isFull ? chunk.lastQueuedId : chunk.lastLookedId) ?? replay.lastDeliveryId,
      queued: replay.queued + queued,
      completedAt: isDone ? now : null,
    })
    return { endpointId, queued, isMore: !isFull && !isAtEnd }
  })
}
