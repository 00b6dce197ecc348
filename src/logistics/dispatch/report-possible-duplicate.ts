import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { isOf, isOpen, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/**
 * Adds a `possible_duplicate` exception to a shipment, once per dispatch attempt. The carrier may send a second rider,
 * and the responses of the carrier do not show whether it sends one.
 */
export async function reportPossibleDuplicate(command: ShipmentCommand, number: number): Promise<void> {
  await changeShipment(command, 'shipment.reconcile_late_acceptance', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (attempt === undefined) return undefined
    const isReported = shipment.exceptions.some(
      (known) => isOpen(known) && isOf(known, ['possible_duplicate'], attempt),
    )
    if (isReported) return undefined
    const { carrier } = attempt
    const exception = {
      code: 'possible_duplicate',
      carrier,
      attemptNumber: number,
      ...causeOf(attempt),
      at: work.now,
    } as const
    const message = messageOf(exception)
    return moveShipment(
      work,
      shipment,
      { status: null, source: 'service', description: message, attemptNumber: number },
      { exceptions: withException(shipment.exceptions, exception) },
    )
  })
}

function causeOf({ carrierReference, reference }: StoredAttempt): Pick<StoredException, 'cause' | 'facts'> {
  return carrierReference === null
    ? { cause: 'never_answered', facts: { reference } }
    : { cause: 'cancellation_unconfirmed', facts: { carrierReference } }
}
