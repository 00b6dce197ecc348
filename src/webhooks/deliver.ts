import type { Timestamp } from '../../registry/vocabulary.ts'
import { type Clock, toTimestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { type ClaimedDelivery, claimDeliveries, findNextDue } from '../store/delivery-claims.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import type { OpenSecrets } from './open-secrets.ts'
import { type Finished, recordAttempt } from './record-attempt.ts'
import type { FetchOutcome, SafeFetch } from './safe-fetch.ts'
import { signatureHeaders } from './sign.ts'

/**
 *   claim ──> send ──> record ──┬─> claim again, until nothing is due
 *     └─ lease of 30 s          └─ a crash anywhere before this: the lease runs out, the delivery is sent again
 *
 * So a receiver may see an event twice and deduplicates by its id; no event is lost.
 */

export interface DeliverContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly fetch: SafeFetch['fetch']
  readonly openSecrets: OpenSecrets
  /** Names this process in its leases. */
  readonly workerId: string
  /** No further claim once it has aborted; what is under way is finished. */
  readonly stopping?: AbortSignal
  readonly deadlineMs?: number
  readonly sendsPerEndpoint?: number
}

/** One slow receiver must not take all sockets; at 300 ms an answer, four at a time are still 13 deliveries a second. */
const defaultSendsPerEndpoint = 4

export interface Drained {
  readonly attempts: number
  /** When a job should come back: the endpoint's earliest retry. */
  readonly nextDueAt: Timestamp | undefined
}

/** Sends what is due to one endpoint, until nothing is. */
export async function deliverDue(context: DeliverContext, endpoint: EndpointKey): Promise<Drained> {
  const { database, clock, log, workerId } = context
  const cap = context.sendsPerEndpoint ?? defaultSendsPerEndpoint
  const inFlight = new Set<Promise<void>>()
  let attempts = 0
  try {
    while (context.stopping?.aborted !== true) {
      const now = toTimestamp(clock.nowMs())
      const busy = inFlight.size
      const claimed = await claimDeliveries(database, { ...endpoint, workerId, now, inFlight: busy, cap })
      const [first] = claimed
      if (first !== undefined) {
        const opened = context.openSecrets({ ...endpoint, secrets: first.secrets })
        if (opened.is === 'unreadable') {
          // Nobody's failure but ours: the leases run out and the pulse makes aborted attempts of them. Until then
          // nothing calls for this endpoint, so that it is not looked at again and again.
          log.error(
            { err: opened.error, ...endpoint },
            'A signing secret does not open, so nothing is sent. See ENCRYPTION_KEY.',
          )
          return { attempts, nextDueAt: undefined }
        }
        attempts += claimed.length
        for (const delivery of claimed) {
          const { secrets } = opened
          const attempt: Promise<void> = attemptDelivery(context, endpoint, { ...delivery, secrets })
            // Our own fault, such as a lost database: the lease runs out and the delivery is tried again.
            .catch((error) =>
              log.error({ err: error, deliveryId: delivery.id }, 'A delivery attempt was not recorded.'),
            )
            .finally(() => inFlight.delete(attempt))
          inFlight.add(attempt)
        }
      }
      // Nothing is due only if nothing was claimed with all the room there is: attempts may have ended meanwhile.
      if (busy === 0 && claimed.length === 0) break
      if (inFlight.size > 0) await Promise.race(inFlight)
    }
  } finally {
    await Promise.all(inFlight)
  }
  return { attempts, nextDueAt: await findNextDue(database, endpoint) }
}

type Sendable = Omit<ClaimedDelivery, 'secrets'> & { readonly secrets: readonly string[] }

async function attemptDelivery(context: DeliverContext, endpoint: EndpointKey, delivery: Sendable): Promise<void> {
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
    ...(context.deadlineMs === undefined ? {} : { deadlineMs: context.deadlineMs }),
  })
  // The clock may have been set back meanwhile; an attempt does not end before it starts.
  const finishedMs = Math.max(startedMs, context.clock.nowMs())
  const recorded = await recordAttempt(context, finish(context, endpoint, delivery, { outcome, startedMs, finishedMs }))
  switch (recorded.is) {
    case 'recorded':
      return
    case 'endpoint_disabled':
      context.log.warn({ endpointId: endpoint.endpointId }, 'A webhook endpoint was disabled after six failures.')
      return
    case 'lease_lost':
      context.log.warn({ deliveryId: delivery.id }, 'A delivery’s result came after its lease.')
      return
  }
}

function finish(
  context: DeliverContext,
  endpoint: EndpointKey,
  delivery: Sendable,
  { outcome, startedMs, finishedMs }: { outcome: FetchOutcome; startedMs: number; finishedMs: number },
): Finished {
  return {
    delivery,
    outcome: resultOf(outcome),
    attempt: {
      ...endpoint,
      deliveryId: delivery.id,
      workerId: context.workerId,
      leaseNumber: delivery.leaseNumber,
      startedAt: toTimestamp(startedMs),
      finishedAt: toTimestamp(finishedMs),
      httpStatus: outcome.is === 'answered' ? outcome.status : null,
      errorCode: outcome.is === 'failed' ? outcome.errorCode : null,
      responseBody: outcome.is === 'answered' ? outcome.body : null,
      durationMs: outcome.durationMs,
      url: delivery.url,
      epoch: delivery.epoch,
    },
  }
}

/** Spec 3: any 2xx is a success and everything else a failure, redirects too. Being stopped is nobody's failure. */
function resultOf(outcome: FetchOutcome): Finished['outcome'] {
  if (outcome.is === 'failed') return outcome.errorCode === 'stopped' ? 'aborted' : 'failed'
  return outcome.status >= 200 && outcome.status <= 299 ? 'succeeded' : 'failed'
}
