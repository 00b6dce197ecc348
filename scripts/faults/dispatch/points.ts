/**
 * The points at which a dispatching process is killed: before or after the commit of an action on a shipment, and before the
 * request or after the response of a carrier call.
 */
export const deaths = [
  'attempt_not_committed',
  'attempt_committed',
  'accepted_not_answered',
  'answered_not_written',
  'result_not_committed',
  'result_committed',
  'doubt_searched',
  'doubt_not_committed',
  'cancel_committed',
  'cancel_answered',
  'cancel_not_committed',
  'late_acceptance_not_committed',
  'late_acceptance_committed',
  'any_moment',
] as const

export type Death = (typeof deaths)[number]

/** Returns the action or call of a point, and its moment. Other points are killed by the parent process. */
const reached: Readonly<Partial<Record<Death, readonly [name: string, moment: string]>>> = {
  attempt_not_committed: ['shipment.request_carrier', 'written'],
  attempt_committed: ['create', 'sending'],
  answered_not_written: ['create', 'answered'],
  result_not_committed: ['shipment.record_outcome', 'written'],
  result_committed: ['shipment.record_outcome', 'committed'],
  doubt_searched: ['find', 'answered'],
  doubt_not_committed: ['shipment.resolve_attempt', 'written'],
  cancel_committed: ['cancel', 'sending'],
  cancel_answered: ['cancel', 'answered'],
  cancel_not_committed: ['shipment.confirm_cancellation', 'written'],
  late_acceptance_not_committed: ['shipment.reconcile_late_acceptance', 'written'],
  late_acceptance_committed: ['shipment.reconcile_late_acceptance', 'committed'],
}

export function isReached(death: Death, name: string, moment: string): boolean {
  const [wantedName, wantedMoment] = reached[death] ?? []
  return name === wantedName && moment === wantedMoment
}
