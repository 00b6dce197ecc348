import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { Database } from '../store/core/database.ts'
import { type Claimed, claimDeliveries } from '../store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { leaseSeconds, listLeasesOf } from '../store/webhooks/leases.ts'
import { abandonedLease } from './abandoned-lease.ts'
import { openDueBounds } from './due-bounds.ts'
import type { InFlightSends } from './in-flight-sends.ts'
import type { DeliveryRules } from './pace.ts'
import type { Recorder } from './recorder.ts'

export interface Claimer {
  /** Throws if the database is unavailable or the claim took too long. */
  claim(lanes: readonly EndpointKey[]): Promise<Claim>
  /**
   * Must be called when a claim has failed although its transaction may have committed. The next claim then first
   * releases the leases that the failed claim may have created.
   */
  expectUnknownLeases(): void
}

export interface Claim extends Claimed {
  /** Whether the claim of deliveries used the whole capacity of this process. */
  readonly isFull: boolean
}

export interface ClaimContext {
  readonly database: Database
  readonly clock: Clock
  readonly rules: DeliveryRules
  readonly workerId: string
  /** A test hook, called at points at which a test may end the process. */
  readonly reach?: (point: ClaimPoint) => Promise<void>
}

export type ClaimPoint = 'claim_not_committed' | 'claim_committed'

interface ClaimerParts {
  readonly inFlight: InFlightSends
  readonly recorder: Recorder
  /** Returns the number of further sends that this process may start. */
  readonly capacity: () => number
}

/**
 * A send must start within this time in milliseconds after its claim, so that it is not still in flight when the lease
 * expires.
 */
const startWithinMs = (leaseSeconds - webhookAcknowledgementSeconds) * 1000

export function openClaimer(context: ClaimContext, { inFlight, recorder, capacity }: ClaimerParts): Claimer {
  const { database, clock, rules, workerId, reach } = context
  const bounds = openDueBounds()
  let mayHoldUnknownLeases = false
  return {
    claim: async (lanes) => {
      if (mayHoldUnknownLeases) {
        await releaseUnknownLeases(context, inFlight, recorder)
        mayHoldUnknownLeases = false
      }
      const claimedMs = clock.nowMs()
      const request = {
        lanes: lanes.map((lane) => ({ ...lane, dueFrom: bounds.boundOf(lane.endpointId, claimedMs) })),
        workerId,
        now: toTimestamp(claimedMs),
        room: capacity(),
        merchantCap: rules.sendsPerMerchant,
        endpointCap: rules.sendsPerEndpoint,
      }
      const beforeCommit = reach === undefined ? undefined : () => reach('claim_not_committed')
      const claimed = await claimDeliveries(database, request, beforeCommit)
      await reach?.('claim_committed')
      // If this process was suspended after its claim, the leases of the deliveries may have expired, and another
      // worker may have leased them in the meantime.
      if (clock.nowMs() - claimedMs > startWithinMs)
        throw new Error('A worker took too long to send the webhook deliveries that it had claimed.')
      for (const lane of claimed.lanes) bounds.update(lane, claimedMs)
      const count = claimed.lanes.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
      return { ...claimed, isFull: count >= request.room }
    },
    expectUnknownLeases: () => {
      mayHoldUnknownLeases = true
    },
  }
}

/**
 * Releases the leases of this worker that have no send in flight. Such leases exist if the connection failed during the
 * commit of a claim, but the claim was committed. Their deliveries would otherwise wait until the leases expire, and
 * would count towards the concurrency caps. The function waits until the results of live mode are recorded. It does not
 * wait for results of test mode, which are recorded only after a step of the test clock.
 */
async function releaseUnknownLeases(
  { database, clock, workerId }: ClaimContext,
  inFlight: InFlightSends,
  recorder: Recorder,
): Promise<void> {
  const leases = await listLeasesOf(database, workerId)
  const unknown = leases.filter(({ deliveryId }) => !inFlight.has(deliveryId))
  const recordings = unknown.map((lease) => {
    const recording = recorder.record(abandonedLease(lease, 'stopped', clock.nowMs()))
    return lease.mode === 'live' ? recording : undefined
  })
  await Promise.all(recordings)
}
