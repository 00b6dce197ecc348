import type { KeptAttempt } from '../../store/shipment-columns.ts'
import { carrierNameOf } from '../carrier-names.ts'
import { changeShipment, type ShipmentHand } from '../shipment/change-shipment.ts'
import { isOf, isOpen, withException } from '../shipment/exceptions.ts'
import { moveShipment } from '../shipment/move-shipment.ts'

/** A carrier may send a rider too many, and asking it has not shown whether it does: a person has to call. Told once. */
export async function warnOfSecond(hand: ShipmentHand, number: number): Promise<void> {
  await changeShipment(hand, 'shipment.meet_late_order', (work, { shipment, attempts }) => {
    const attempt = attempts.find((known) => known.number === number)
    if (attempt === undefined) return undefined
    const name = carrierNameOf(attempt.carrier)
    const isTold = shipment.exceptions.some((known) => isOpen(known) && isOf(known, ['possible_duplicate'], name))
    if (isTold) return undefined
    const message = `${name} ${whatIsKnown(attempt)}: call ${name}.`
    const exception = { code: 'possible_duplicate', message, at: work.now } as const
    return moveShipment(
      work,
      shipment,
      { status: null, source: 'service', description: message, attemptNumber: number },
      { exceptions: withException(shipment.exceptions, exception) },
    )
  })
}

function whatIsKnown({ carrierReference, reference }: KeptAttempt): string {
  return carrierReference === null
    ? `never said whether it took the shipment as ${reference}, and cannot be asked`
    : `has order ${carrierReference} too, and has not said whether it is called off`
}
