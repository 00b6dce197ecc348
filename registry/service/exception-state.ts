import type { EventKind } from '../kit/event.ts'
import type { ShipmentExceptionCode } from '../logistics/shipment-states.ts'
import type { NotificationKind } from '../values/notifications.ts'

/** The sections of the start page “Today” that list exceptions, with their titles. */
export const exceptionSections = {
  shipments: 'Shipments with open problems',
  refunds: 'Refunds that failed or await bank details',
  payments: 'Payments, refunds, returns and disputes with a problem',
} as const

export interface ExceptionState {
  readonly state: string
  /**
   * The reaction of the service to this exceptional state, and the condition under which the state ends. Every
   * exceptional state needs manual action.
   */
  readonly handling: string
  readonly notification: NotificationKind
  readonly section: keyof typeof exceptionSections
  /** Kind of the webhook event that is emitted when the cause of the state occurs. Null if no event is emitted then. */
  readonly event: EventKind | null
  /** Exception code of a state that is an exception of a shipment. Left out for all other states. */
  readonly code?: ShipmentExceptionCode
}
