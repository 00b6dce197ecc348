import { type Clock, toTimestamp } from '../base/clock.ts'
import { timeOfId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Meters } from '../base/meters.ts'
import { type TracedWork, traced } from '../base/trace.ts'
import { isOwnFault } from '../outbound/fetch-error.ts'
import type { FetchTimings } from '../outbound/outbound-attempt.ts'
import type { FetchOutcome, SafeFetch } from '../outbound/safe-fetch.ts'
import type { AttemptRecord } from '../store/webhooks/attempts.ts'
import type { ClaimedDelivery } from '../store/webhooks/claimed-lanes.ts'
import { withoutValues } from './custom-headers.ts'
import { deliveryHeaders } from './delivery-headers.ts'
import type { OpenSecrets } from './open-secrets.ts'
import type { Result } from './record-results.ts'
import type { AttemptEnd } from './reduce.ts'

export interface AttemptContext {
  readonly clock: Clock
  readonly log: Log
  readonly fetch: SafeFetch['fetch']
  readonly openSecrets: OpenSecrets
  readonly deadlineMs?: number
  /** Undefined in a process without metrics. */
  readonly meters?: Meters | undefined
}

/** Makes one attempt to send a delivery. The event's bytes are signed again at the time of the attempt (spec 6). */
export function attemptDelivery(context: AttemptContext, delivery: ClaimedDelivery): Promise<Result> {
  return traced(
    () => attemptSpan(delivery),
    () => attempt(context, delivery),
  )
}

function attemptSpan({ id, merchantId, endpointId, eventId, leaseNumber }: ClaimedDelivery): TracedWork<Result> {
  return {
    name: 'deliver',
    kind: 'client',
    attributes: {
      'commerce.delivery_id': id,
      'commerce.merchant_id': merchantId,
      'commerce.endpoint_id': endpointId,
      'commerce.event_id': eventId,
      'commerce.lease_number': leaseNumber,
    },
    parent: { is: 'event', eventId },
    endOf: ({ end, attempt: { httpStatus, errorCode } }) => ({
      attributes: {
        'commerce.outcome': end.is,
        ...(httpStatus === null ? {} : { 'http.response.status_code': httpStatus }),
        ...(errorCode === null ? {} : { 'error.type': errorCode }),
      },
      isFailure: end.is !== 'succeeded',
    }),
  }
}

async function attempt(context: AttemptContext, delivery: ClaimedDelivery): Promise<Result> {
  const startedMs = context.clock.nowMs()
  const opened = context.openSecrets(delivery)
  if (opened.is === 'unreadable') {
    const { merchantId, endpointId } = delivery
    const { error } = opened
    context.log.error(
      { err: error, merchantId, endpointId },
      'A signing secret or a custom header cannot be decrypted. Check ENCRYPTION_KEY.',
    )
    context.meters?.deliveryAttempted({ outcome: 'aborted', durationMs: 0, latencyMs: undefined })
    return resultOf(context, delivery, startedMs, { end: { is: 'aborted', cause: 'secret_unreadable' }, ...unsent })
  }
  const outcome = await context.fetch({
    url: delivery.url,
    method: 'POST',
    headers: deliveryHeaders({
      secrets: opened.secrets,
      eventId: delivery.eventId,
      startedMs,
      body: delivery.body,
      headers: opened.headers,
    }),
    body: delivery.body,
    // The request is treated as idempotent, because receivers deduplicate events by their id.
    isIdempotent: true,
    ...(context.deadlineMs === undefined ? {} : { deadlineMs: context.deadlineMs }),
  })
  const end = endOf(outcome, delivery)
  const { durationMs } = outcome
  context.meters?.deliveryAttempted({ outcome: end.is, durationMs, latencyMs: latencyOf(delivery, outcome, startedMs) })
  return resultOf(context, delivery, startedMs, {
    end,
    httpStatus: outcome.is === 'answered' ? outcome.status : null,
    errorCode: outcome.is === 'failed' ? outcome.errorCode : null,
    responseBody: outcome.is === 'answered' ? withoutValues(outcome.body, opened.headers) : null,
    ...outcome.timings,
    durationMs,
    isReused: outcome.isReused,
  })
}

/**
 * Returns the time from the commit of the event to the first byte of its first attempt; undefined for a later attempt,
 * or if nothing was sent. The time in the event's id is used as the time of the commit: it is the time of the mutation,
 * whose commit follows within milliseconds.
 */
function latencyOf(
  { eventId, trigger, leaseNumber }: ClaimedDelivery,
  { timings: { dnsMs, connectMs, tlsMs, firstByteMs } }: FetchOutcome,
  startedMs: number,
): number | undefined {
  if (trigger !== 'automatic' || leaseNumber > 1 || firstByteMs === null) return undefined
  return Math.max(0, startedMs + (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) - timeOfId(eventId))
}

type AttemptEnding = Pick<Result, 'end'> &
  Pick<AttemptRecord, 'httpStatus' | 'errorCode' | 'responseBody' | 'durationMs' | 'isReused' | keyof FetchTimings>

/** The result of an attempt whose delivery was not sent because it could not be signed. */
const unsent = {
  httpStatus: null,
  errorCode: 'secret_unreadable',
  responseBody: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  durationMs: 0,
  isReused: null,
} as const

function resultOf(
  context: AttemptContext,
  delivery: ClaimedDelivery,
  startedMs: number,
  ending: AttemptEnding,
): Result {
  const { end, ...measured } = ending
  // The clock may have been set back during the attempt. The end of an attempt must not be before its start.
  const finishedMs = Math.max(startedMs, context.clock.nowMs())
  return {
    end,
    trigger: delivery.trigger,
    mode: delivery.mode,
    isHealthy: delivery.isHealthy,
    attempt: {
      merchantId: delivery.merchantId,
      endpointId: delivery.endpointId,
      deliveryId: delivery.id,
      leaseId: delivery.leaseId,
      leaseNumber: delivery.leaseNumber,
      startedAt: toTimestamp(startedMs),
      finishedAt: toTimestamp(finishedMs),
      url: delivery.url,
      epoch: delivery.epoch,
      ...measured,
    },
  }
}

/**
 * Returns the outcome of an attempt. Any 2xx response is a success; every other response, including a redirect, is a
 * failure (spec 3). If a fault of this service ended the attempt, the outcome is neither success nor failure.
 */
function endOf(outcome: FetchOutcome, { epoch }: ClaimedDelivery): AttemptEnd {
  if (outcome.is === 'answered' && outcome.status >= 200 && outcome.status <= 299) return { is: 'succeeded', epoch }
  if (outcome.is === 'failed' && isOwnFault(outcome.errorCode)) return { is: 'aborted', cause: outcome.errorCode }
  return { is: 'failed', epoch }
}
