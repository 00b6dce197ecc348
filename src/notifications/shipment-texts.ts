import { type ShipmentExceptionCode, shipmentExceptionCodes } from '../../registry/logistics/shipment-states.ts'
import type { Facts } from './facts.ts'

const shipmentTexts: Readonly<Record<ShipmentExceptionCode, string>> = {
  outcome_unknown: 'The carrier has not confirmed whether it accepted the shipment. Contact the carrier.',
  possible_duplicate: 'Another carrier may also have accepted the shipment. Contact the carrier to avoid two riders.',
  duplicate_dispatch:
    'A second carrier has also accepted the shipment, and rejected the cancellation. Contact the second carrier.',
  carrier_wallet_low: 'The account with the carrier has insufficient funds. Fund the account.',
  carrier_not_connected: 'The account with the carrier of the shipment is no longer connected. Connect it again.',
  carrier_account_blocked:
    'The carrier rejects requests about the shipment. Renew the credentials of the account with the carrier.',
  order_missing: 'The carrier no longer finds the shipment. Contact the carrier.',
  order_not_moved: 'The order could not be changed to match its shipment. Check the status and the stock of the order.',
  order_cancelled:
    'The order was cancelled after a carrier had accepted the shipment. Its units stay reserved. Cancel the shipment, or have it returned.',
  courier_late: 'No rider arrived in time. Contact the carrier, or cancel the shipment.',
  pickup_late: 'The parcel was not picked up in time. Contact the carrier, or cancel the shipment.',
  tracking_stalled: 'The carrier has sent no tracking update for hours. Contact the carrier.',
  unknown_carrier_status: 'The carrier reports an unknown status. Ask the carrier what the status means.',
  price_above_ceiling:
    'The carrier charges more than the maximum price. Cancel the shipment, or accept the difference.',
  price_above_offer: 'The carrier charged more than the guaranteed price. Ask the carrier to refund the difference.',
  cancellation_fee_above_accepted:
    'The cancellation costs more than the accepted maximum. Open the shipment to see the amounts.',
  cancelled_after_pickup: 'The carrier cancelled the shipment after the pickup. Contact the carrier.',
  dispatch_failed: 'No carrier accepted a shipment of the units of the order. Dispatch the order again.',
  delivery_failed:
    'The carrier could not hand over the parcel. Call the recipient, then agree with the carrier on another attempt or on the return.',
  parcel_returned: 'The parcel came back. Inspect the units, then send them again or restock them.',
  parcel_lost:
    'The carrier lost the parcel, whose units are written off. Claim compensation from the carrier, and refund the customer.',
  delivered_after_cancellation:
    'The parcel was delivered although its order was cancelled. Agree with the customer on the payment or on a return.',
  cod_amount_mismatch:
    'The cash that the rider collected differs from the cash on delivery of the shipment, or could not be recorded as a payment of the order. Open the shipment to see the amounts, and settle the difference or record the payment.',
  units_not_shipped:
    'Units of the shipment were not sent because of a refund, but the refund then failed or was cancelled. Dispatch these units again, or refund them again.',
  units_refunded:
    'The parcel contains units that were refunded after the request to a carrier. Cancel the shipment, have it returned, or agree with the customer on the payment.',
}

type Texts = Readonly<Partial<Record<ShipmentExceptionCode, string>>>

/** Texts that differ for a return shipment, whose recipient is the merchant. */
const returnTexts: Texts = {
  dispatch_failed: 'No carrier accepted a shipment of the units of the return. Dispatch the return again, or close it.',
  delivery_failed:
    'The carrier could not hand over the parcel of the return at your address. Agree with the carrier on another attempt.',
  parcel_returned:
    'The parcel of the return went back to the customer. Agree with the customer on another pickup, and dispatch the return again, or close it.',
  parcel_lost:
    'The carrier lost the parcel of the return. Claim compensation from the carrier, refund the customer, and close the return.',
}

/**
 * Texts about an exception of a return shipment whose return was already received or closed when the exception was
 * added. They replace the usual texts about the same exceptions.
 */
const endedReturnTexts: Texts = {
  parcel_returned:
    'The carrier reports that the parcel of the return went back to the customer, but the return was already received or closed. Ask the carrier and the customer who has the units, and correct the stock and the refund if the customer has them.',
  parcel_lost:
    'The carrier lost the parcel of the return, which was already received or closed. If units were in the parcel, claim compensation from the carrier, and correct the stock.',
}

const otherEndText =
  'The carrier first reported one end of the parcel, and later another. Ask the carrier who has the units, and correct the stock, the order and its refunds.'

export function shipmentTextOf({ text, id }: Facts): string {
  const code = shipmentExceptionCodes.find((each) => each === text('code'))
  if (code === undefined) return 'The shipment has a condition that needs manual action.'
  if (text('cause') === 'other_end') return otherEndText
  const ended = text('cause') === 'return_ended' ? endedReturnTexts[code] : undefined
  return ended ?? (id('ret', 'returnId') === undefined ? undefined : returnTexts[code]) ?? shipmentTexts[code]
}
