import type { Return } from '../../../registry/returns/return.ts'
import { decidingShipmentOf, type ReturnStatus, returnTransitions } from '../../../registry/returns/return-states.ts'
import type { ReturnTransitionInput } from '../../../registry/returns/returns.ts'
import type { ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { moveReturn } from '../../store/returns/return-writes.ts'
import { lockReturn, withTransitions } from '../../store/returns/returns.ts'
import { resolveUnsettled } from '../refunds/unsettled-return.ts'
import { resolveReturnProblems } from './arrived-return.ts'

export type TransitionReturnOutcome =
  | { readonly is: 'return'; readonly return: Return }
  | { readonly is: 'return_unknown' }
  | NotAllowed

export interface NotAllowed {
  readonly is: 'not_allowed'
  readonly from: ReturnStatus
  readonly allowed: readonly ReturnStatus[]
  /** The shipment that alone prevents the transition. Undefined if the transition is not allowed for another reason. */
  readonly shipment: Return['shipments'][number] | undefined
}

/** Changes the status of a return at the merchant's request, if the transition table allows it. */
export async function transitionReturn(
  work: Work<'return.status_changed'>,
  id: ReturnId,
  { to }: ReturnTransitionInput,
): Promise<TransitionReturnOutcome> {
  const found = await lockReturn(work.trx, work.merchantId, id)
  if (found === undefined) return { is: 'return_unknown' }
  work.requireVersion(found.version)
  if (found.status === to) return work.abort({ is: 'return', return: found })
  return refusalOf(found, to) ?? { is: 'return', return: moveTo(work, found, to) }
}

/** Undefined if the transition is allowed. */
export function refusalOf(
  { status: from, allowedTransitions: allowed, shipments }: Return,
  to: ReturnStatus,
): NotAllowed | undefined {
  if (allowed.includes(to)) return undefined
  const others: readonly ReturnStatus[] = returnTransitions[from]
  const shipment = others.includes(to) ? decidingShipmentOf(from, shipments) : undefined
  return { is: 'not_allowed', from, allowed, shipment }
}

/** Changes the status of a return at the request of an actor. The audit row of the request contains the change. */
export function moveTo(work: Work<'return.status_changed'>, before: Return, to: ReturnStatus): Return {
  work.note({ status: [before.status, to] })
  return writeStatus(work, before, to)
}

/** Writes a status transition, with its event, and returns the changed return. Every change of a status uses this function. */
export function writeStatus(work: Work<'return.status_changed'>, before: Return, to: ReturnStatus): Return {
  const { trx, merchantId, now } = work
  const moved = withTransitions({
    ...before,
    status: to,
    version: before.version + 1,
    updatedAt: now,
    receivedAt: to === 'received' ? now : before.receivedAt,
    endedAt: to === 'closed' || to === 'rejected' ? now : before.endedAt,
  })
  moveReturn(trx, {
    merchantId,
    id: moved.id,
    status: to,
    receivedAt: moved.receivedAt,
    endedAt: moved.endedAt,
    now,
  })
  if (before.status === 'received') resolveUnsettled(work, moved.id)
  if (to === 'received' || to === 'closed') resolveReturnProblems(work, moved.id)
  work.emit('return.status_changed', moved.id, { return: moved, from: before.status, to, occurredAt: now })
  return moved
}
