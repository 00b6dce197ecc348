import { type Clock, toTimestamp } from '../clock.ts'
import type { ClaimedDelivery } from '../store/delivery-claims.ts'
import { isOwnFault } from './fetch-error.ts'
import type { Result } from './record-results.ts'
import type { AttemptEnd } from './reduce.ts'
import type { FetchOutcome, SafeFetch } from './safe-fetch.ts'
import { signatureHeaders } from './sign.ts'

export interface AttemptContext {
  readonly clock: Clock
  readonly fetch: SafeFetch['fetch']
  /** Names this process in its leases. */
  readonly workerId: string
  readonly deadlineMs?: number
}

/** One try to send one delivery: the bytes of the event, signed anew for the moment they are sent in (spec 6). */
export async function attemptDelivery(context: AttemptContext, delivery: ClaimedDelivery): Promise<Result> {
  const startedMs = context.clock.nowMs()
  const outcome = await context.fetch({
    url: delivery.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Commerce-Service-Webhooks/1',
      ...signatureHeaders({
        secrets: delivery.secrets,
        eventId: delivery.eventId,
        seconds: Math.floor(startedMs / 1000),
        body: delivery.body,
      }),
    },
    body: delivery.body,
    allowsPlainHttp: delivery.mode === 'test',
    // It deduplicates by the event's id.
    mayArriveTwice: true,
    ...(context.deadlineMs === undefined ? {} : { deadlineMs: context.deadlineMs }),
  })
  // The clock may have been set back meanwhile; an attempt does not end before it starts.
  const finishedMs = Math.max(startedMs, context.clock.nowMs())
  return {
    end: endOf(outcome, delivery.epoch),
    trigger: delivery.trigger,
    isClean: delivery.isClean,
    attempt: {
      merchantId: delivery.merchantId,
      endpointId: delivery.endpointId,
      deliveryId: delivery.id,
      workerId: context.workerId,
      leaseNumber: delivery.leaseNumber,
      startedAt: toTimestamp(startedMs),
      finishedAt: toTimestamp(finishedMs),
      httpStatus: outcome.is === 'answered' ? outcome.status : null,
      errorCode: outcome.is === 'failed' ? outcome.errorCode : null,
      responseBody: outcome.is === 'answered' ? outcome.body : null,
      ...outcome.timings,
      durationMs: outcome.durationMs,
      isReused: outcome.isReused,
      url: delivery.url,
      epoch: delivery.epoch,
    },
  }
}

/** Spec 3: any 2xx is a success and everything else a failure, redirects too. Our own faults are nobody's failure. */
function endOf(outcome: FetchOutcome, epoch: number): AttemptEnd {
  if (outcome.is === 'answered') {
    return { is: outcome.status >= 200 && outcome.status <= 299 ? 'succeeded' : 'failed', epoch }
  }
  return isOwnFault(outcome.errorCode) ? { is: 'aborted', cause: outcome.errorCode } : { is: 'failed', epoch }
}
