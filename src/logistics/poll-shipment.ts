import { isShipmentOver } from '../../registry/shipment-states.ts'
import type { Timestamp } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import type { Actor } from '../store/audit.ts'
import type { Tenant } from '../store/mutation.ts'
import type { KeptShipment } from '../store/shipment-columns.ts'
import { findShipment, type ShipmentKey } from '../store/shipments.ts'
import { carriersFor } from './accounts.ts'
import { applyTracking, type TrackingOutcome } from './apply-tracking.ts'
import type { LogisticsContext } from './context.ts'
import { pollAfterSeconds } from './whereabouts.ts'

/** What came of asking a carrier where a shipment is, and when to ask again; null once there is nothing to ask. */
export type PollOutcome =
  | { readonly is: 'told'; readonly outcome: TrackingOutcome; readonly nextLookAt: Timestamp | null }
  /** No carrier has it now. */
  | { readonly is: 'nothing_to_ask'; readonly nextLookAt: null }
  /** The carrier knows no such order, though it had accepted it. */
  | { readonly is: 'order_missing'; readonly attemptNumber: number; readonly nextLookAt: Timestamp }
  | { readonly is: 'no_answer'; readonly reason: string; readonly nextLookAt: Timestamp }

const tracker: Actor = {
  type: 'system',
  id: null,
  label: 'tracking of shipments',
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

/** A question about one order is answered at once or not at all. */
const answerMs = 10_000

/** Asks the carrier that has a shipment where it is, and applies what it says. */
export async function pollShipment(
  context: LogisticsContext,
  tenant: Tenant,
  key: ShipmentKey,
  stopping?: AbortSignal,
): Promise<PollOutcome> {
  const { database, clock, breakers } = context
  const found = await findShipment(database, key)
  const attempt = found?.attempts.find(({ state }) => state === 'accepted' || state === 'cancelling')
  if (found === undefined || attempt === undefined || attempt.carrierReference === null) {
    return { is: 'nothing_to_ask', nextLookAt: null }
  }
  const { carrierReference, reference, number: attemptNumber } = attempt
  const usable = (await carriersFor(context, tenant)).find(({ carrier }) => carrier.code === attempt.carrier)
  const nextLookAt = nextLookOf(found.shipment, clock.nowMs())
  if (usable === undefined) return { is: 'no_answer', reason: 'carrier_not_connected', nextLookAt }
  const { carrier, account } = usable
  const askedAt = toTimestamp(clock.nowMs())
  const deadline = AbortSignal.timeout(answerMs)
  const signal = stopping === undefined ? deadline : AbortSignal.any([deadline, stopping])
  const answer = await breakers.run(carrier.code, 'read', () =>
    carrier.get(account, { carrierReference, reference }, signal),
  )
  if (answer.is === 'refused' && answer.code === 'not_found') return { is: 'order_missing', attemptNumber, nextLookAt }
  if (answer.is !== 'ok') return { is: 'no_answer', reason: answer.is, nextLookAt }
  const told = {
    shipment: key,
    attemptNumber,
    tracking: answer.value,
    source: 'poll',
    askedAt,
    actor: tracker,
  } as const
  const outcome = await applyTracking(context, tenant, told)
  return { is: 'told', outcome, nextLookAt: nextLookAfter(outcome, clock.nowMs()) }
}

function nextLookAfter(outcome: TrackingOutcome, nowMs: number): Timestamp | null {
  switch (outcome.is) {
    case 'moved':
    case 'noted':
    case 'late':
    case 'unchanged':
      return isShipmentOver(outcome.shipment.status) ? null : nextLookOf(outcome.shipment, nowMs)
    // Something is to be done about these at once.
    case 'carrier_cancelled':
    case 'riders_dropped':
    case 'late_acceptance':
    case 'not_accepted_yet':
      return toTimestamp(nowMs)
    case 'shipment_unknown':
      return null
  }
}

function nextLookOf({ status, serviceLevel }: KeptShipment, nowMs: number): Timestamp {
  return toTimestamp(nowMs + pollAfterSeconds(status, serviceLevel) * 1000)
}
