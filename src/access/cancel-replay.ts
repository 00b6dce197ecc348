import type { BulkReplayId } from '../../registry/vocabulary.ts'
import type { Actor } from '../store/audit.ts'
import { lockReplay, saveReplay, skipReplays } from '../store/bulk-replays.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'

export type CancelReplayOutcome =
  | { readonly is: 'cancelled'; readonly queued: number; readonly skipped: number }
  | { readonly is: 'replay_unknown' | 'already_over' }

/** Thrown inside the mutation so that nothing of it, not even an audit row, is kept. */
class NotCancelled extends Error {
  readonly reason: 'replay_unknown' | 'already_over'
  constructor(reason: NotCancelled['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Ends a bulk replay. What it queued and nobody has begun to send is skipped; what was sent was sent. */
export async function cancelReplay(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  id: BulkReplayId,
): Promise<CancelReplayOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_replay.cancel',
    resourceType: 'webhook_replay',
    resourceId: () => id,
  }
  try {
    return await mutate(context, mutation, async ({ trx, merchantId, now, note }) => {
      const replay = await lockReplay(trx, { merchantId, id })
      if (replay === undefined) throw new NotCancelled('replay_unknown')
      if (replay.status !== 'running') throw new NotCancelled('already_over')
      const { queued, lastDeliveryId } = replay
      saveReplay(trx, { merchantId, id, status: 'cancelled', lastDeliveryId, queued, completedAt: now })
      const skipped = await skipReplays(trx, { merchantId, id, now })
      note({ status: ['running', 'cancelled'], skippedDeliveries: [0, skipped] })
      return { is: 'cancelled' as const, queued, skipped }
    })
  } catch (error) {
    if (error instanceof NotCancelled) return { is: error.reason }
    throw error
  }
}
