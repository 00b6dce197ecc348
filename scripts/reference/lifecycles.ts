import type { EndpointId, Endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { operations } from './contract.ts'

/** The state machines of the registry, with a description of each status. */

/** Ids of the operations that declare a state machine for the status in their response. */
type DescribedId = {
  [Id in EndpointId]: Endpoints[Id] extends { readonly stateMachine: object } ? Id : never
}[EndpointId]

type StatusOf<Id extends DescribedId> = Extract<keyof Endpoints[Id]['stateMachine']['transitions'], string>

interface Text<Name extends string> {
  /** Name of the record, as in the path of the page. */
  readonly noun: string
  readonly start: readonly Name[]
  readonly meanings: Readonly<Record<Name, string>>
  /** Rules of the state machine that its table of transitions does not show. */
  readonly notes: string
}

/** The type makes the compiler reject a state machine without an entry, and a status without a description. */
const texts: { readonly [Id in DescribedId]: Text<StatusOf<Id>> } = {
  getOrder: {
    noun: 'order',
    start: ['pending', 'processing'],
    meanings: {
      pending: 'Created, with reserved stock. The order waits for payment or manual acceptance.',
      on_hold: 'Held for manual review. The stock stays reserved, and the order does not expire.',
      processing: 'Confirmed and being prepared.',
      shipped: 'Every unit is handed over for delivery.',
      delivered: 'Every unit is delivered or collected.',
      returned: 'Every unit that was handed over is returned.',
      cancelled: 'Cancelled before any unit was handed over. The reserved stock is released.',
    },
    notes:
      'An order starts as `pending`; or as `processing` if its total is zero, or if it is paid on delivery and the merchant confirms such orders automatically. An order on hold can be released only to its previous status. A partly fulfilled order cannot be cancelled, only returned. An order whose units were all cancelled by refunds cannot be handed over. `allowedTransitions` of each order lists the statuses allowed next.',
  },
  getPaymentLink: {
    noun: 'payment-link',
    start: ['pending'],
    meanings: {
      pending: 'The payment provider is creating the page.',
      open: 'The buyer can pay on the page, and the amount is the amount due of the order.',
      paid: 'A payment with the reference of the link was recorded.',
      void: 'The order is paid or cancelled, or its amount due is not the amount of the link. `voidReason` has the reason.',
      expired: 'The link was not paid in time.',
    },
    notes:
      'The status follows from the order, from its payments and from the time. A void link becomes open again if its amount is due again, for example after a payment was voided. A payment provider may accept a payment for a void or expired link. The payment is then recorded, and the link is `paid`. If a link stays `pending` for a minute, its creation was interrupted: create the link again.',
  },
  getProduct: {
    noun: 'product',
    start: ['draft', 'active'],
    meanings: {
      draft: 'In preparation. The product cannot be ordered yet.',
      active: 'For sale.',
      archived: 'No longer for sale. Existing orders keep the product, and its SKUs are free for other products.',
    },
    notes:
      'An active or archived product cannot become a draft again, because orders may refer to it. Only a draft can be deleted.',
  },
  getRefund: {
    noun: 'refund',
    start: ['pending', 'succeeded'],
    meanings: {
      pending: 'Created, and not yet submitted to the payment provider. The amount is no longer refundable.',
      processing: 'Submitted to the payment provider, which processes the refund.',
      needs_attention: 'The original payment method cannot be refunded. The payment provider waits for bank details.',
      succeeded: 'Refunded to the customer.',
      failed: 'Not refunded, or returned after a success. The amount is refundable again.',
      cancelled: 'Cancelled before its submission to the payment provider. The amount is refundable again.',
    },
    notes:
      'A refund of a manually recorded payment is paid manually, and starts as `succeeded`. A payment provider may skip a status or report it late. A succeeded refund fails only if the payment to the customer is returned.',
  },
  getReturn: {
    noun: 'return',
    start: ['requested'],
    meanings: {
      requested: 'The customer wants to return units. The merchant has not decided yet.',
      approved: 'The customer may send the units.',
      in_transit: 'The units are on the way to the shop.',
      received: 'Units came back. Each is restocked or written off.',
      closed: 'Nothing is left to do, or the units never came.',
      rejected: 'The merchant does not take the units back.',
    },
    notes:
      'While a return is requested, approved or in transit, its units cannot be part of another return. Units that did not come can be part of a new return once the return is received, closed or rejected. A return moves no money; refunds are separate.',
  },
  getShipment: {
    noun: 'shipment',
    start: ['scheduled', 'dispatching'],
    meanings: {
      scheduled: 'Waiting for `dispatchAt`, when the first carrier is requested.',
      dispatching: 'Requesting carriers, one after the other.',
      awaiting_courier: 'Accepted by a carrier, which assigns a rider.',
      courier_assigned: 'A rider is assigned and on the way to the pickup.',
      at_pickup: 'The rider is at the pickup.',
      picked_up: 'The rider has the parcel. From now on the shipment can be returned but not cancelled.',
      in_transit: 'On the way to the dropoff.',
      at_dropoff: 'The rider is at the dropoff.',
      delivered: 'Delivered to the recipient.',
      delivery_failed: 'The delivery failed. The carrier tries again or returns the parcel.',
      returning: 'On the way back to the pickup.',
      returned: 'Returned to the pickup.',
      cancelling: 'A cancellation is requested, and the carrier has not confirmed it yet.',
      cancelled: 'Cancelled before the pickup.',
      failed: 'No carrier accepted the shipment, or none could fulfil it.',
      lost: 'Lost by the carrier.',
    },
    notes:
      'Carriers skip statuses, so a later status may follow directly. Stale and repeated tracking updates do not change the status; they are listed in the `timeline` of the shipment. While a shipment is `cancelling`, the carrier may still reject the cancellation or deliver the parcel.',
  },
}

export interface Lifecycle {
  /** The operation that returns the record to which the status belongs. */
  readonly id: EndpointId
  readonly noun: string
  readonly path: string
  readonly title: string
  readonly field: string
  readonly statuses: readonly Status[]
  readonly start: readonly string[]
  readonly transitions: Readonly<Record<string, readonly string[]>>
  readonly notes: string
}

interface Status {
  readonly name: string
  readonly meaning: string
  readonly next: readonly string[]
}

export const lifecycles: readonly Lifecycle[] = operations.flatMap((endpoint) => {
  const { stateMachine } = endpoint
  return stateMachine === undefined ? [] : [lifecycleFrom(endpoint.id, stateMachine)]
})

function lifecycleFrom(id: EndpointId, { field, transitions }: NonNullable<Endpoint['stateMachine']>): Lifecycle {
  const text = hasText(id) ? texts[id] : undefined
  if (text === undefined) throw new Error(`scripts/reference/lifecycles.ts must describe the statuses of ${id}.`)
  const meanings = new Map(Object.entries<string>(text.meanings))
  const statuses = Object.entries(transitions).map(([name, next]) => ({
    name,
    next,
    meaning: meanings.get(name) ?? '',
  }))
  const { noun, start, notes } = text
  return {
    id,
    noun,
    start,
    notes,
    field,
    transitions,
    statuses,
    path: `lifecycles/${noun}`,
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} lifecycle`,
  }
}

function hasText(id: EndpointId): id is DescribedId {
  return Object.hasOwn(texts, id)
}

/** Returns the state machine of the record that an operation returns, if the record has one. */
export function lifecycleOf(endpoint: Endpoint): Lifecycle | undefined {
  return lifecycles.find(({ id }) =>
    operations.some((each) => each.id === id && each.reply.body === endpoint.reply.body),
  )
}
