import type { BulkReplayId } from '../../registry/values/vocabulary.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockReplay, saveReplay, skipReplays } from '../store/webhooks/bulk-replays.ts'

export type CancelReplayOutcome =
  | { readonly is: 'cancelled'; readonly queued: number; readonly skipped: number }
  | { readonly is: 'replay_unknown' | 'already_over' }

/**
 * Cancels a bulk replay and marks its queued deliveries as skipped. Deliveries that are being sent or were sent are
 * unaffected.
 */
export async function cancelReplay(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  id: BulkReplayId,
): Promise<CancelReplayOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_replay.cancel' as const,
    resourceType: 'webhook_replay',
    resourceId: () => id,
  }
  return mutate<CancelReplayOutcome>(context, mutation, async ({ trx, merchantId, now, note, abort }) => {
    const replay = await lockReplay(trx, { merchantId, id })
    if (replay === undefined) return abort({ is: 'replay_unknown' })
    if (replay.status !== 'running') return abort({ is: 'already_over' })
    const { queued, lastDeliveryId } = replay
    saveReplay(trx, { merchantId, id, status: 'cancelled', lastDeliveryId, queued, completedAt: now })
    const skipped = await skipReplays(trx, { merchantId, id, now })
    note({ status: ['running', 'cancelled'], skippedDeliveries: [0, skipped] })
    return { is: 'cancelled', queued, skipped }
  })
}
