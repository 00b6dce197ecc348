import type { StoredException } from '../../store/tables/shipment.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'

/** The words of an exception, built of its code and data whenever somebody reads it: nothing is decided by them. */
export function messageOf(exception: StoredException): string {
  // Stored before messages were built of data, or emptied of a person.
  if (exception.message !== undefined) return exception.message
  const name = exception.carrier === undefined ? 'Its carrier' : carrierNameOf(exception.carrier)
  return wordsOf(exception, name)
}

function wordsOf(exception: StoredException, name: string): string {
  const { allowedKobo, chargedKobo } = exception.amounts ?? { allowedKobo: 0, chargedKobo: 0 }
  const { carrierReference, dueAt, carrierStatus } = exception.facts ?? {}
  switch (exception.code) {
    case 'outcome_unknown':
      return `${name} has not said whether it took the shipment; ask it, or cancel.`
    case 'possible_duplicate':
      return possibleDuplicate(exception, name)
    case 'duplicate_dispatch':
      return `${name} has order ${carrierReference} too and does not let it be called off: call ${name}.`
    case 'carrier_wallet_low':
      return `The account with ${name} does not cover it: fund it there.`
    case 'carrier_not_connected':
      return `${name} has order ${carrierReference}, but can be asked for it no more: connect its account again, or call ${name}.`
    case 'carrier_account_blocked':
      return `${name} does not answer for order ${carrierReference}: renew the credentials of its account, or call ${name}.`
    case 'order_missing':
      return `${name} took order ${carrierReference}, and does not know it any more: call ${name}.`
    case 'order_not_moved':
      return notMovedMessage(exception)
    case 'order_cancelled':
      return orderCancelled(exception, name)
    case 'courier_late':
      return courierLate(exception, name)
    case 'pickup_late':
      return `${name} was to fetch it by ${dueAt}, and has not: call ${name}, or cancel the shipment.`
    case 'tracking_stalled':
      return exception.cause === 'cancellation_unconfirmed'
        ? `${name} has not said whether it let go of it: call ${name}.`
        : `${name} has told nothing new for long: call ${name}.`
    case 'unknown_carrier_status':
      return `${name} reports “${carrierStatus}”, which is not known here: ask ${name} what it means.`
    case 'price_above_ceiling':
      return `With ${name} it costs ${chargedKobo} kobo, and it may cost ${allowedKobo}: cancel it, or pay the difference.`
    case 'price_above_offer':
      return `${name} held a price of ${allowedKobo} kobo, and took it for ${chargedKobo}: ask ${name} for the difference.`
    case 'cancellation_fee_above_accepted':
      return `${name} charged ${chargedKobo} kobo for calling it off, and ${allowedKobo} were accepted: ask ${name} why.`
    case 'cancelled_after_pickup':
      return `${name} called it off after it was fetched.`
  }
}

function possibleDuplicate({ cause, facts = {} }: StoredException, name: string): string {
  switch (cause) {
    case 'never_answered':
      return `${name} never said whether it took the shipment as ${facts.reference}, and cannot be asked: call ${name}.`
    case 'cancellation_unconfirmed':
      return `${name} has order ${facts.carrierReference} too, and has not said whether it is called off: call ${name}.`
    default:
      return `${name} never said whether it took the shipment, and cannot be asked: call it, lest two riders come.`
  }
}

function orderCancelled({ cause, facts = {} }: StoredException, name: string): string {
  if (cause !== 'order_kept') {
    return 'Its order was cancelled while a carrier has it: cancel the shipment, or let it come back.'
  }
  const { carrierReference, holder } = facts
  const kept = `${name} has order ${carrierReference} though the shop’s order was cancelled, and does not let it be called off: call ${name}.`
  return holder === undefined
    ? kept
    : `${kept} ${carrierNameOf(holder)} has it too: cancel the shipment, or let it come back.`
}

function courierLate({ cause, facts = {} }: StoredException, name: string): string {
  switch (cause) {
    case 'nobody_left':
      return 'No rider was named in time, and nobody else is left to ask.'
    case 'not_released':
      return `No rider was named in time, and the carrier does not let go of it: ${facts.refusal}`
    default:
      return `${name} has not come to fetch it: call ${name}, or cancel.`
  }
}

/** Why an order did not follow its shipment. */
export function notMovedMessage({ cause, facts = {} }: Pick<StoredException, 'cause' | 'facts'>): string {
  const { orderStatus, wanted } = facts
  switch (cause) {
    case 'out_of_stock':
      return 'The order’s units are not in stock, so it could not be handed over.'
    case 'not_counted':
      return `The order is ${orderStatus}, so the units could not be counted.`
    default:
      return `The order is ${orderStatus} and could not become ${wanted}.`
  }
}
