/**
 * Where a process that dispatches is killed. Each is reached by what it does for a shipment: an action whose change is
 * written or committed, or a call to a carrier that is about to be sent or has been answered.
 */
export const deaths = [
  'asking_not_committed',
  'asking_committed',
  'accepted_not_answered',
  'answered_not_written',
  'result_not_committed',
  'result_committed',
  'doubt_searched',
  'doubt_not_committed',
  'cancel_committed',
  'cancel_answered',
  'cancel_not_committed',
  'late_order_not_committed',
  'late_order_committed',
  'any_moment',
] as const

export type Death = (typeof deaths)[number]

/** Of a point, the action or call and its moment; the others are for whoever kills from outside. */
const reached: Readonly<Partial<Record<Death, readonly [name: string, moment: string]>>> = {
  asking_not_committed: ['shipment.request_carrier', 'written'],
  asking_committed: ['create', 'sending'],
  answered_not_written: ['create', 'answered'],
  result_not_committed: ['shipment.record_outcome', 'written'],
  result_committed: ['shipment.record_outcome', 'committed'],
  doubt_searched: ['find', 'answered'],
  doubt_not_committed: ['shipment.resolve_attempt', 'written'],
  cancel_committed: ['cancel', 'sending'],
  cancel_answered: ['cancel', 'answered'],
  cancel_not_committed: ['shipment.confirm_cancellation', 'written'],
  late_order_not_committed: ['shipment.reconcile_late_acceptance', 'written'],
  late_order_committed: ['shipment.reconcile_late_acceptance', 'committed'],
}

export function isReached(death: Death, name: string, moment: string): boolean {
  const [wantedName, wantedMoment] = reached[death] ?? []
  return name === wantedName && moment === wantedMoment
}
