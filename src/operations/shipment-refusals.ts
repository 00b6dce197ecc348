import type { OrderStatus } from '../../registry/orders/order-states.ts'
import { onDemandPrecisionMeters } from '../../registry/values/limits.ts'
import type { Kobo, OrderId, ReturnId } from '../../registry/values/vocabulary.ts'
import { counted } from '../base/counted.ts'
import { nairaText } from '../base/naira.ts'
import type { ResolveRouteOutcome } from '../logistics/parcels/resolve-route.ts'
import { Refusal, type Refuse } from './execute/refusal.ts'
import { refuseUnknownItems } from './item-refusals.ts'

/**
 * Refusals that quotes, dispatches and schedules share: the order, the return, the route or the time of the request is
 * invalid or not allowed.
 */

type Code =
  | 'order_not_found'
  | 'order_not_dispatchable'
  | 'return_not_found'
  | 'return_not_dispatchable'
  | 'nothing_to_ship'
  | 'item_not_found'
  | 'order_items_unavailable'
  | 'order_not_shippable'
  | 'pickup_missing'
  | 'outside_coverage'
  | 'address_imprecise'
  | 'customer_anonymised'
  | 'time_in_past'

type ShipmentRefusal =
  | Exclude<ResolveRouteOutcome, { is: 'resolved' }>
  | { readonly is: 'order_on_hold' | 'order_unpaid'; readonly status: OrderStatus }
  | { readonly is: 'time_in_past'; readonly field: string }

interface RequestedRecord {
  readonly orderId?: OrderId | undefined
  readonly returnId?: ReturnId | undefined
}

export function refuseShipment(
  refuse: Refuse<Code>,
  { orderId, returnId }: RequestedRecord,
  outcome: ShipmentRefusal,
): never {
  switch (outcome.is) {
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${orderId}.`)
    case 'order_ended': {
      const { status } = outcome
      return refuse('order_not_dispatchable', `The order is ${status} and cannot be shipped.`, { status })
    }
    case 'order_on_hold': {
      const { status } = outcome
      return refuse('order_not_dispatchable', 'The order is on hold. Release the order first.', { status })
    }
    case 'order_unpaid': {
      const { status } = outcome
      const message = 'The order is pending and unpaid. Record its payment, or send `confirmOrder`.'
      return refuse('order_not_dispatchable', message, { status })
    }
    case 'return_unknown':
      return refuse('return_not_found', `No return has the id ${returnId}.`)
    case 'return_not_dispatchable': {
      const { status, shipmentId } = outcome
      const next = shipmentId === null ? 'Only an approved return can be shipped.' : `Its shipment is ${shipmentId}.`
      return refuse('return_not_dispatchable', `The return is ${status}. ${next}`, { status, shipmentId })
    }
    case 'nothing_to_ship':
      return refuse(
        'nothing_to_ship',
        `Every unit of order ${orderId} was handed over by the merchant, is in a shipment, or is refunded.`,
      )
    case 'items_unknown':
      return refuseUnknownItems(refuse, outcome)
    case 'items_unavailable': {
      const items = [...outcome.items]
      const message = items
        .map(({ itemId, available }) => `${counted(available, 'unit')} of ${itemId} can be shipped.`)
        .join(' ')
      return refuse('order_items_unavailable', message, { items })
    }
    case 'order_incomplete': {
      const missing = [...outcome.missing]
      return refuse(
        'order_not_shippable',
        `The order does not have ${missing.join(' and ')}. Send the missing fields with the request.`,
        { missing },
      )
    }
    case 'pickup_missing':
      return refuse(
        'pickup_missing',
        `The request has no \`${outcome.field}\`, and the merchant has no default pickup address.`,
      )
    case 'outside_coverage': {
      const { place } = outcome
      return refuse('outside_coverage', `The ${place} is at sea or outside Nigeria.`, { place })
    }
    case 'address_imprecise': {
      const { place, precisionMeters } = outcome
      const message = `The location of the ${place} may be wrong by ${precisionMeters} m. On-demand riders need a precision of ${onDemandPrecisionMeters} m: send \`location\`.`
      return refuse('address_imprecise', message, {
        place,
        precisionMeters,
        precisionMaxMeters: onDemandPrecisionMeters,
      })
    }
    case 'customer_anonymised':
      return refuse('customer_anonymised', 'The customer of the order is anonymised.')
    case 'time_in_past': {
      const { field } = outcome
      return refuse('time_in_past', `${field} is in the past, or more than 30 days in the future.`, { field })
    }
  }
}

/**
 * Refuses cash on delivery that exceeds the collectable amount: the order's amount due minus the cash that its other
 * shipments collect.
 */
export function refuseCash(refuse: Refuse<'cod_exceeds_due'>, { dueKobo }: { readonly dueKobo: Kobo }): never {
  const message = `The cash on delivery exceeds the ${nairaText(dueKobo)} that are left to collect for the order.`
  return refuse('cod_exceeds_due', message, { dueKobo })
}

/** Refusals that can occur for a dispatch or a schedule, but not for a quote, because a quote creates no shipment. */
type CreationRefusal =
  | { readonly is: 'reference_conflict' | 'order_already_dispatched'; readonly shipmentId: string }
  | { readonly is: 'contact_incomplete'; readonly missing: readonly string[] }

export function refuseCreation(
  refuse: Refuse<Code | CreationRefusal['is']>,
  body: RequestedRecord & { readonly reference?: string | undefined },
  outcome: ShipmentRefusal | CreationRefusal | { readonly is: 'address_changed' },
): never {
  switch (outcome.is) {
    case 'reference_conflict': {
      const { shipmentId } = outcome
      const message = `A different request created shipment ${shipmentId} with the reference ${body.reference}.`
      return refuse('reference_conflict', message, { shipmentId })
    }
    case 'order_already_dispatched': {
      const { shipmentId } = outcome
      const message = `No unit of the order is left to ship. Its last shipment is ${shipmentId}.`
      return refuse('order_already_dispatched', message, { shipmentId })
    }
    case 'contact_incomplete': {
      const missing = [...outcome.missing]
      return refuse('contact_incomplete', `These contact fields are missing: ${missing.join(', ')}.`, { missing })
    }
    case 'address_changed':
      // Every write declares this error, so it is not among the refusals of the operation.
      throw new Refusal('concurrent_update', 'The address of the order changed during the request.')
    default:
      return refuseShipment(refuse, body, outcome)
  }
}
