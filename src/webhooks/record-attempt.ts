import type { Timestamp } from '../../registry/vocabulary.ts'
import { type Clock, toMs, toTimestamp } from '../clock.ts'
import { newId } from '../ids.ts'
import type { AttemptRecord } from '../store/attempts.ts'
import { insertAudit } from '../store/audit.ts'
import { bookkeep } from '../store/bookkeeping.ts'
import type { Database, WriteTrx } from '../store/database.ts'
import type { ClaimedDelivery } from '../store/delivery-claims.ts'
import { queueHold } from '../store/delivery-holds.ts'
import { lockLeasedDelivery, queueFailure, recordAborted, recordSuccess } from '../store/delivery-results.ts'
import { lockEndpoint, markEndpointDisabled, setEndpointFailures } from '../store/endpoints.ts'
import { insertNotification } from '../store/notifications.ts'
import { type FailureVerdict, judgeFailure } from './endpoint-health.ts'
import { nextAttemptMs } from './retry-schedule.ts'

/**
 * What one attempt changes, in one transaction: its row in the history, the delivery's state, the endpoint's count
 * and, with the sixth failure in a row, the endpoint's disabling, the notification and the audit row.
 */

export interface Finished {
  readonly attempt: AttemptRecord
  readonly delivery: Pick<ClaimedDelivery, 'trigger' | 'attemptCount'>
  readonly outcome: 'succeeded' | 'failed' | 'aborted'
}

export type Recorded =
  | { readonly is: 'recorded' }
  | { readonly is: 'endpoint_disabled' }
  /** Somebody else has the delivery by now, or a replay has settled it. */
  | { readonly is: 'lease_lost' }

export async function recordAttempt(
  context: { readonly database: Database; readonly clock: Clock },
  { attempt, delivery, outcome }: Finished,
): Promise<Recorded> {
  const { database } = context
  switch (outcome) {
    case 'succeeded':
      return (await recordSuccess(database, attempt)) ? { is: 'recorded' } : { is: 'lease_lost' }
    case 'aborted':
      return (await recordAborted(database, attempt)) ? { is: 'recorded' } : { is: 'lease_lost' }
    case 'failed':
      return bookkeep(database, (trx) => recordFailure(trx, attempt, delivery))
  }
}

/** The endpoint is locked before the delivery, as everywhere, so that two of these cannot deadlock. */
async function recordFailure(trx: WriteTrx, attempt: AttemptRecord, delivery: Finished['delivery']): Promise<Recorded> {
  const isAutomatic = delivery.trigger === 'automatic'
  const [endpoint, isLeased] = await Promise.all([
    isAutomatic ? lockEndpoint(trx, attempt) : undefined,
    lockLeasedDelivery(trx, attempt),
  ])
  if (!isLeased) return { is: 'lease_lost' }
  // Test sends and replays have one attempt and never count: finding a fault must not disable the endpoint.
  const verdict: FailureVerdict = endpoint === undefined ? { is: 'not_counted' } : judgeFailure(endpoint, attempt.epoch)
  const isDisabled = endpoint?.status === 'disabled' || verdict.is === 'disabled'
  const isRetried = isAutomatic && endpoint?.deletedAt === null
  queueFailure(trx, {
    ...attempt,
    ...nextStep(attempt, isRetried ? delivery.attemptCount + 1 : undefined, isDisabled),
  })
  if (verdict.is !== 'not_counted') {
    setEndpointFailures(trx, {
      ...attempt,
      consecutiveFailures: verdict.consecutiveFailures,
      now: attempt.finishedAt,
    })
  }
  if (verdict.is === 'disabled') disableEndpoint(trx, attempt, verdict.consecutiveFailures)
  return { is: verdict.is === 'disabled' ? 'endpoint_disabled' : 'recorded' }
}

/** Spec 3: failed, with a retry if one is left; a disabled endpoint's retry is held until it is enabled, a deleted one's is not. */
function nextStep(attempt: AttemptRecord, attemptNumber: number | undefined, isDisabled: boolean) {
  const nextMs = attemptNumber === undefined ? undefined : nextAttemptMs(attemptNumber, toMs(attempt.finishedAt))
  if (nextMs === undefined) {
    return { status: 'failed', nextAttemptAt: null, completedAt: attempt.finishedAt } as const
  }
  if (isDisabled) return { status: 'held', nextAttemptAt: null, completedAt: null } as const
  return { status: 'failed', nextAttemptAt: toTimestamp(nextMs), completedAt: null } as const
}

function disableEndpoint(trx: WriteTrx, attempt: AttemptRecord, consecutiveFailures: number): void {
  const now: Timestamp = attempt.finishedAt
  const nowMs = toMs(now)
  markEndpointDisabled(trx, { ...attempt, reason: 'consecutive_failures', now })
  queueHold(trx, attempt)
  insertNotification(trx, {
    merchantId: attempt.merchantId,
    id: newId('ntf', nowMs),
    kind: 'webhook_endpoint.disabled',
    endpointId: attempt.endpointId,
    data: JSON.stringify({ reason: 'consecutive_failures', consecutiveFailures }),
    now,
  })
  insertAudit(trx, {
    merchantId: attempt.merchantId,
    auditId: newId('aud', nowMs),
    now,
    actorType: 'system',
    actorId: null,
    actorLabel: 'worker',
    action: 'webhook_endpoint.disable',
    resourceType: 'webhook_endpoint',
    resourceId: attempt.endpointId,
    requestId: null,
    sourceIp: null,
    userAgent: null,
    changes: JSON.stringify({
      status: ['enabled', 'disabled'],
      disabledReason: [null, 'consecutive_failures'],
      consecutiveFailures: [consecutiveFailures - 1, consecutiveFailures],
    }),
  })
}
