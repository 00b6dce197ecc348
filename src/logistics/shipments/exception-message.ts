import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { nairaText } from '../../base/naira.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'

/** Returns the message of an exception, built from its code and data on each read. No decision depends on messages. */
export function messageOf(exception: StoredException): string {
  // Redacted exceptions and exceptions of earlier releases have a stored message, which is returned unchanged.
  if (exception.message !== undefined) return exception.message
  const name = exception.carrier === undefined ? 'The carrier' : carrierNameOf(exception.carrier)
  if (exception.cause === 'other_end') return messageOfOtherEnd(exception, name)
  return messageOfReturn(exception, name) ?? messageByCode(exception, name)
}

/** Returns the message of an exception about a parcel for which the carrier reported two different ends. */
function messageOfOtherEnd({ facts = {} }: StoredException, name: string): string {
  const { firstEnd, laterEnd } = facts
  return `${name} reported that the parcel ${endText(firstEnd)}, and later that it ${endText(laterEnd)}. Ask ${name} who has the units, and correct the stock, the order and its refunds.`
}

function endText(end: string | undefined): string {
  switch (end) {
    case 'delivered':
      return 'was delivered'
    case 'lost':
      return 'was lost'
    default:
      return 'came back'
  }
}

/** Returns the message of an exception whose meaning differs for a return shipment. */
function messageOfReturn({ code, cause }: StoredException, name: string): string | undefined {
  if (cause === 'return_ended') return messageOfEndedReturn(code, name)
  if (cause !== 'return_shipment') return undefined
  switch (code) {
    case 'dispatch_failed':
      return 'No carrier accepted a shipment of the units of the return. Dispatch the return again, or close it.'
    case 'delivery_failed':
      return `${name} could not hand over the parcel of the return at your address. Agree with ${name} on another attempt.`
    case 'parcel_returned':
      return 'The parcel of the return went back to the customer. Agree with the customer on another pickup, and dispatch the return again, or close it.'
    case 'parcel_lost':
      return `${name} lost the parcel of the return. Claim compensation from ${name}, refund the customer, and close the return.`
    default:
      return undefined
  }
}

/**
 * Returns the message of an exception that was raised when the return of the shipment had already been received or
 * closed.
 */
function messageOfEndedReturn(code: StoredException['code'], name: string): string | undefined {
  switch (code) {
    case 'parcel_returned':
      return `${name} reports that the parcel of the return went back to the customer, but the return was already received or closed. Ask ${name} and the customer who has the units, and correct the stock and the refund if the customer has them.`
    case 'parcel_lost':
      return `${name} lost the parcel of the return, which was already received or closed. If units were in the parcel, claim compensation from ${name}, and correct the stock.`
    default:
      return undefined
  }
}

function messageByCode(exception: StoredException, name: string): string {
  const { allowedKobo, chargedKobo } = exception.amounts ?? { allowedKobo: 0, chargedKobo: 0 }
  const { carrierReference, dueAt, carrierStatus } = exception.facts ?? {}
  switch (exception.code) {
    case 'outcome_unknown':
      return `${name} has not confirmed whether it accepted the shipment. Contact ${name}, or cancel the shipment.`
    case 'possible_duplicate':
      return possibleDuplicate(exception, name)
    case 'duplicate_dispatch':
      return `${name} also has order ${carrierReference} and rejected the cancellation of this order. Contact ${name}.`
    case 'carrier_wallet_low':
      return `The account with ${name} has insufficient funds. Fund the account.`
    case 'carrier_not_connected':
      return `${name} has order ${carrierReference}, but its account is no longer connected. Connect the account again, or contact ${name}.`
    case 'carrier_account_blocked':
      return `${name} rejects requests about order ${carrierReference}. Renew the credentials of its account, or contact ${name}.`
    case 'order_missing':
      return `${name} accepted order ${carrierReference}, but no longer finds it. Contact ${name}.`
    case 'order_not_moved':
      return notMovedMessage(exception)
    case 'order_cancelled':
      return orderCancelled(exception, name)
    case 'courier_late':
      return courierLate(exception, name)
    case 'pickup_late':
      return `${name} has not picked up the parcel by ${dueAt}. Contact ${name}, or cancel the shipment.`
    case 'tracking_stalled':
      return exception.cause === 'cancellation_unconfirmed'
        ? `${name} has not confirmed the cancellation. Contact ${name}.`
        : `${name} has sent no tracking update for hours. Contact ${name}.`
    case 'unknown_carrier_status':
      return `${name} reports the unknown status “${carrierStatus}”. Ask ${name} for its meaning.`
    case 'price_above_ceiling':
      return `${name} charges ${nairaText(chargedKobo)}, but the price ceiling is ${nairaText(allowedKobo)}. Cancel the shipment, or accept the difference.`
    case 'price_above_offer':
      return `${name} guaranteed a price of ${nairaText(allowedKobo)}, but charged ${nairaText(chargedKobo)}. Ask ${name} to refund the difference.`
    case 'cancellation_fee_above_accepted':
      if (exception.cause === 'order_kept') {
        return `${name} accepted the shipment after its cancellation, as order ${carrierReference}. Cancelling this order would cost ${nairaText(chargedKobo)}, but the accepted maximum is ${nairaText(allowedKobo)}, so the order continues. Cancel it at ${name}, or have the parcel returned.`
      }
      if (exception.cause === 'not_requested') {
        return `${name} would charge a cancellation fee of ${nairaText(chargedKobo)}, but the accepted maximum is ${nairaText(allowedKobo)}. The shipment continues: cancel it with a higher \`maxFeeKobo\`, or have it returned.`
      }
      return `${name} charged a cancellation fee of ${nairaText(chargedKobo)}, but the accepted maximum was ${nairaText(allowedKobo)}. Ask ${name} why.`
    case 'cancelled_after_pickup':
      return `${name} cancelled the shipment after the pickup. Contact ${name}.`
    case 'dispatch_failed':
      return 'No carrier accepted a shipment of the units of the order. Dispatch the order again.'
    case 'delivery_failed':
      return `${name} could not hand over the parcel. Call the recipient, then agree with ${name} on another attempt or on the return.`
    case 'parcel_returned':
      return 'The parcel came back. Inspect the units, then send them again or restock them.'
    case 'parcel_lost':
      return `${name} lost the parcel, whose units are written off. Claim compensation from ${name}, and refund the customer.`
    case 'units_refunded':
      return 'The parcel contains units that were refunded after the request to a carrier. Cancel the shipment, have it returned, or agree with the customer on the payment.'
    case 'units_not_shipped':
      return 'Units of the shipment were not sent because of a refund, but the refund then failed or was cancelled. Dispatch these units again, or refund them again.'
    case 'cod_amount_mismatch': {
      if (exception.cause === 'not_recorded') return unrecordedCash(exception, name)
      const [dueKobo, collectedKobo] = [Number(exception.facts?.dueKobo), Number(exception.facts?.collectedKobo)]
      const next =
        collectedKobo < dueKobo
          ? `Collect the rest from ${name} or from the customer.`
          : 'Refund the difference to the customer.'
      return `${name} collected ${nairaText(collectedKobo)} instead of ${nairaText(dueKobo)} in cash. ${next}`
    }
    case 'delivered_after_cancellation':
      return 'The parcel was delivered although its order was cancelled. Agree with the customer on the payment or on a return.'
  }
}

function unrecordedCash({ facts = {} }: StoredException, name: string): string {
  const collected = nairaText(Number(facts.collectedKobo))
  return `${name} collected ${collected} in cash, which is not recorded as a payment, because the payments of the order would exceed ${nairaText(amountMaxKobo)}. Void the payments that were recorded by mistake, then record the cash with the reference ${facts.reference}.`
}

function possibleDuplicate({ cause, facts = {} }: StoredException, name: string): string {
  switch (cause) {
    case 'never_answered':
      return `${name} never confirmed whether it accepted the shipment as ${facts.reference}, and its API cannot look up orders. Contact ${name}.`
    case 'cancellation_unconfirmed':
      return `${name} also has order ${facts.carrierReference}, and has not confirmed the cancellation of this order. Contact ${name}.`
    default:
      return `${name} never confirmed whether it accepted the shipment, and its API cannot look up orders. Contact ${name} to avoid two riders.`
  }
}

function orderCancelled({ cause, facts = {} }: StoredException, name: string): string {
  if (cause !== 'order_kept') {
    return 'The order was cancelled after a carrier had accepted the shipment. Cancel the shipment, or have it returned.'
  }
  const { carrierReference, holder } = facts
  const retained = `${name} has order ${carrierReference} for a cancelled order, and rejected the cancellation. Contact ${name}.`
  return holder === undefined
    ? retained
    : `${retained} ${carrierNameOf(holder)} also has the shipment: cancel it, or have it returned.`
}

function courierLate({ cause, facts = {} }: StoredException, name: string): string {
  switch (cause) {
    case 'no_carrier_left':
      return 'No rider was assigned in time, and no other carrier is available.'
    case 'not_released':
      return `No rider was assigned in time, and the carrier rejected the cancellation: ${facts.refusal}`
    default:
      return `${name} has not picked up the parcel. Contact ${name}, or cancel the shipment.`
  }
}

/** Returns the message that explains why a shipment could not change the status of its order. */
export function notMovedMessage({ cause, facts = {} }: Pick<StoredException, 'cause' | 'facts'>): string {
  const { orderStatus, wanted } = facts
  switch (cause) {
    case 'out_of_stock':
      return 'The units of the order are not in stock, so the order could not be handed over.'
    case 'not_counted':
      return `The order is ${orderStatus}, so its quantities could not be updated from the shipment.`
    default:
      return `The order is ${orderStatus} and could not become ${wanted}.`
  }
}
