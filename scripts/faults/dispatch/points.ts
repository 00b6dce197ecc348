/**
 * Points at which a dispatching process is killed: before or after the commit of an action on a shipment, and before
 * the request or after the response of a carrier call.
 */
export const killPoints = [
  'attempt_not_committed',
  'attempt_committed',
  'accepted_without_response',
  'response_not_stored',
  'result_not_committed',
  'result_committed',
  'lookup_responded',
  'resolution_not_committed',
  'cancel_committed',
  'cancel_responded',
  'cancel_not_committed',
  'late_acceptance_not_committed',
  'late_acceptance_committed',
  'any_moment',
] as const

export type KillPoint = (typeof killPoints)[number]

/**
 * The action or carrier call at which the process kills itself, and the moment: before or after. At all other points,
 * the parent process kills it.
 */
const targets: Readonly<Partial<Record<KillPoint, readonly [name: string, moment: string]>>> = {
  attempt_not_committed: ['shipment.request_carrier', 'written'],
  attempt_committed: ['create', 'requesting'],
  response_not_stored: ['create', 'responded'],
  result_not_committed: ['shipment.record_outcome', 'written'],
  result_committed: ['shipment.record_outcome', 'committed'],
  lookup_responded: ['find', 'responded'],
  resolution_not_committed: ['shipment.resolve_attempt', 'written'],
  cancel_committed: ['cancel', 'requesting'],
  cancel_responded: ['cancel', 'responded'],
  cancel_not_committed: ['shipment.confirm_cancellation', 'written'],
  late_acceptance_not_committed: ['shipment.reconcile_late_acceptance', 'written'],
  late_acceptance_committed: ['shipment.reconcile_late_acceptance', 'committed'],
}

export function isReached(killPoint: KillPoint, name: string, moment: string): boolean {
  const [wantedName, wantedMoment] = targets[killPoint] ?? []
  return name === wantedName && moment === wantedMoment
}
