import { shipmentEvents } from '../../../registry/kit/event.ts'
import {
  mayShipmentMove,
  type ShipmentStatus,
  shipmentTransitions,
} from '../../../registry/logistics/shipment-states.ts'
import type { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant, type Work } from '../../store/core/mutation.ts'
import { lockShipment, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { monitoringMs } from '../dispatch/resolve-attempt.ts'
import { liveAttemptOf } from '../shipments/change-shipment.ts'
import { notMovedMessage } from '../shipments/exception-message.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'

/** Final statuses that an operator may set when the carrier sends no further updates. */
export const closingStatuses = [
  'failed',
  'returned',
  'delivered',
  'lost',
  'cancelled',
] as const satisfies readonly ShipmentStatus[]

export type ClosingStatus = (typeof closingStatuses)[number]

export type CloseOutcome =
  | {
      readonly is: 'closed'
      readonly from: ShipmentStatus
      readonly orderFollowed: boolean
      readonly note: string | null
    }
  | { readonly is: 'unchanged' }
  | { readonly is: 'shipment_unknown' }
  /** The status transitions of the API do not allow the requested final status. */
  | { readonly is: 'not_allowed'; readonly from: ShipmentStatus; readonly allowed: readonly ClosingStatus[] }

/**
 * Ends a shipment on an operator’s command, with the same transitions and events as an update from the carrier. Later
 * updates from the carrier are still stored. If the parcel was not picked up, the service monitors the carrier's order,
 * and cancels the order if the carrier continues to work on it. The timeline and the audit log store the operator’s
 * reason.
 */
export function closeShipment(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  { id, to, reason }: { readonly id: ShipmentId; readonly to: ClosingStatus; readonly reason: string },
): Promise<CloseOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'shipment.close',
    resourceType: 'shipment',
    resourceId: () => id,
    emits: shipmentEvents,
  } as const
  return mutate(context, mutation, async (work: ShipmentWork): Promise<CloseOutcome> => {
    const locked = await lockShipment(work.trx, { merchantId: tenant.merchantId, id })
    if (locked === undefined) return work.abort({ is: 'shipment_unknown' })
    const { shipment } = locked
    const from = shipment.status
    if (from === to) return work.abort({ is: 'unchanged' })
    if (!mayShipmentMove(from, to)) {
      const ends: readonly ShipmentStatus[] = shipmentTransitions[from]
      return work.abort({ is: 'not_allowed', from, allowed: closingStatuses.filter((each) => ends.includes(each)) })
    }
    const live = liveAttemptOf(locked)
    const description = `The shipment was closed by command: ${reason}`
    const { followed } = await moveShipment(work, shipment, {
      status: to,
      reason: { code: 'closed_by_operator', message: reason },
      source: 'request',
      description,
      attemptNumber: live?.number ?? null,
    })
    if (live !== undefined) writeAttempt(work.trx, endedAttempt(work, live, to))
    work.note({ reason: [null, reason] })
    const note = followed?.is === 'not_moved' ? notMovedMessage(followed.why) : null
    return { is: 'closed', from, orderFollowed: followed?.is === 'moved', note }
  })
}

/**
 * Returns the dispatch attempt in the state in which it is stored when the shipment is closed. If the parcel was not
 * picked up, the service monitors the carrier's order. The service cancels this order if the carrier continues to work
 * on it.
 */
function endedAttempt(work: Work, attempt: StoredAttempt, to: ClosingStatus): StoredAttempt {
  const ended = { ...attempt, assignDeadline: null, resolvedAt: attempt.resolvedAt ?? work.now }
  if (to !== 'failed' && to !== 'cancelled') {
    return { ...ended, state: attempt.carrierReference === null ? 'abandoned' : 'completed', nextCheckAt: null }
  }
  const monitorUntil = toTimestamp(work.nowMs + monitoringMs)
  return { ...ended, state: 'abandoned', nextCheckAt: work.now, checks: 0, monitorUntil }
}
