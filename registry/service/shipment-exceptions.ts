import type { ExceptionState } from './exception-state.ts'

const priceHandling =
  'The carrier still delivers the parcel. The exception ends when the carrier reduces the price, when another carrier gets the shipment, when the ' +
  'shipment is cancelled, or when a member resolves the exception.'

export const shipmentExceptions = {
  failed_dispatch: {
    state: 'Failed dispatch of an order or of a return',
    handling:
      'The units of an order stay reserved. The exception ends when carriers have accepted shipments of all these units, when the merchant sets the order to ' +
      'shipped or delivered, when the refund of the units is paid, when the order is cancelled, or when a member resolves the exception. If another dispatch of the units fails, the new exception replaces the earlier one. For a return, it ends when a carrier has accepted another shipment of ' +
      'the return, or when the return is received or closed.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'dispatch_failed',
  },
  failed_delivery: {
    state: 'Parcel that the carrier could not hand over, and that is not on its way back yet',
    handling:
      'The carrier keeps the parcel. The exception ends when the carrier reports another attempt, the delivery, the return or the loss of the parcel, when the ' +
      'merchant sets the order to delivered or receives or closes the return, when the order is cancelled, or when a member resolves the exception. If another attempt fails, the ' +
      'exception is raised again.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'delivery_failed',
  },
  returned_parcel: {
    state: 'Parcel that was returned',
    handling:
      'The exception ends when carriers have accepted new shipments of all units of the parcel, or when a member resolves the exception. For a return, ' +
      'whose parcel went back to the customer, it also ends when the return is received or closed. If the return was already received or closed ' +
      'before, only a member can resolve the exception. If the carrier reported the delivery or the loss of the parcel before its return, or the delivery ' +
      'afterwards, the shipment keeps its first final status, and only a member can resolve the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_returned',
  },
  lost_parcel: {
    state: 'Parcel that was lost',
    handling:
      'The units of an order are written off. The units of a return are not: the return stays in transit until it is received or closed. The ' +
      'exception ends when a member resolves it. If the carrier reports the delivery before or after the loss, the shipment keeps its first final status.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_lost',
  },
  refunded_parcel: {
    state: 'Parcel with units that were refunded after the request to a carrier',
    handling:
      'The carrier still delivers the parcel. If the units are refunded before a carrier is requested, the service removes them from the shipment ' +
      'instead. The exception ends when the shipment is cancelled, returned, lost or failed, when the refund fails or is cancelled, or when the merchant wins the dispute. After the delivery, it ends when a member ' +
      'resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'units_refunded',
  },
  unpaid_refund_of_shipment: {
    state:
      'Units that were not shipped because of a refund, although the customer did not get this refund: it failed or was cancelled',
    handling:
      'The customer has paid for the units, and no shipment contains them. The exception concerns the order items that left the shipment or ended ' +
      'with it, and no other items. The exception ends when carriers have accepted shipments of all units of these items, when the ' +
      'merchant sets the order to shipped or delivered, when a refund of these units is paid, when the order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'units_not_shipped',
  },
  cancelled_order_parcel: {
    state: 'Parcel of an order that was cancelled after a carrier had accepted the shipment',
    handling:
      'The carrier still delivers the parcel, and its units stay reserved. The exception ends when the shipment is cancelled, returned, ' +
      'delivered or lost.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'order_cancelled',
  },
  possible_second_rider: {
    state: 'Shipment that another carrier may also have accepted',
    handling:
      'The first carrier did not confirm whether it accepted the shipment, and the shipment went to the next carrier. The exception ends when the first carrier ' +
      'reports that its order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'possible_duplicate',
  },
  second_rider: {
    state:
      'Shipment that two carriers have accepted, because one of them accepted it late and then rejected the cancellation',
    handling:
      'Both carriers charge for the shipment. The exception ends when the carrier that accepted late reports that its order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'duplicate_dispatch',
  },
  price_above_ceiling: {
    state: 'Shipment for which the carrier charges more than the price ceiling',
    handling: priceHandling,
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'price_above_ceiling',
  },
  price_above_offer: {
    state: 'Shipment for which the carrier charges more than the price that it guaranteed',
    handling: priceHandling,
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'price_above_offer',
  },
  mismatched_cash: {
    state: 'Shipment whose rider collected less or more cash than the cash on delivery',
    handling:
      'The collected cash is recorded as a payment of the order, which reduces the amount due. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cod_amount_mismatch',
  },
  parcel_cancelled_in_transit: {
    state: 'Shipment that the carrier cancelled after the pickup of its parcel',
    handling:
      'The carrier’s cancellation does not change the status of the shipment, because the carrier still has the parcel. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cancelled_after_pickup',
  },
  unmoved_order: {
    state:
      'Order whose status cannot follow the status of its shipment, such as an unpaid order with a parcel in transit',
    handling:
      'The shipment continues, and the order keeps its status. The exception ends when the order gets the status ' +
      'that follows from its shipment, or when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'order_not_moved',
  },
  expensive_cancellation: {
    state: 'Cancellation whose fee is above the accepted maximum',
    handling:
      'The cancellation is not requested, and the carrier still delivers the parcel. The exception ends when the shipment ends, or a member resolves it. ' +
      'If a carrier accepts a shipment after the cancellation of the shipment, the same rule applies: the order at the carrier continues if its cancellation would cost more than the accepted maximum. A duplicate order is ' +
      'cancelled at any fee, because two riders cost more; the exception then reports the charged fee.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cancellation_fee_above_accepted',
  },
  late_cancellation: {
    state: 'Parcel that was delivered after its order was cancelled',
    handling:
      'The delivered units are taken out of stock, and the order stays cancelled. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'delivered_after_cancellation',
  },
} as const satisfies Readonly<Record<string, ExceptionState>>

export type ShipmentExceptionName = keyof typeof shipmentExceptions
