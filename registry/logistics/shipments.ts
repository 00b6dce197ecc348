import { z } from 'zod'
import { read, write } from '../kit/endpoint.ts'
import { shipmentEvents } from '../kit/event.ts'
import { instant, kobo, Metadata, named, OfferId, OrderId, QuoteId, ShipmentId } from '../values/vocabulary.ts'
import { Failover } from './failover.ts'
import { parcelInputExample } from './parcel.ts'
import { ProofInput } from './proof.ts'
import { dropoffInputExample, pickupInputExample } from './quote-example.ts'
import { codAmount, parcelsFields, refuseOrderOfReturn, requireShipmentContents, routeRefusals } from './quotes.ts'
import { cancellationNote, Shipment, shipmentReference } from './shipment.ts'
import { shipmentExample } from './shipment-example.ts'
import { cancellationReasons, shipmentTransitions, undeliverableActions } from './shipment-states.ts'

/** Request fields that dispatches and schedules have in common. */
export const dispatchFields = {
  proof: ProofInput.optional(),
  undeliverableAction: z
    .enum(undeliverableActions)
    .default('return')
    .meta({ description: 'Action if the parcel cannot be delivered.', examples: ['return'], default: 'return' }),
  failover: Failover.optional(),
  allowAdditional: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to allow a shipment without order items while another shipment of the order is active. The field is not needed for a ' +
        'shipment of items that are in no other shipment.',
      examples: [false],
      default: false,
    }),
  confirmOrder: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to ship a `pending` order that is not paid. The order becomes `processing` when a carrier accepts the ' +
        'shipment, or at once if the shipment is scheduled. If no carrier accepts, the order stays `pending`. Orders that ' +
        'are paid or payable on delivery do not need this field.',
      examples: [false],
      default: false,
    }),
  metadata: Metadata.optional(),
}

const DispatchInput = named(
  'DispatchInput',
  z
    .strictObject({
      reference: shipmentReference,
      quoteId: QuoteId.optional().meta({
        description:
          'Identifier of the quote. Without a quote, send `orderId`, `returnId`, or `dropoff` and `parcels`.',
      }),
      offerId: OfferId.optional().meta({
        description:
          'Identifier of the offer whose carrier is requested first. When left out, the offer with the best value among those of the fastest service ' +
          'level, or among all offers if the quote has `serviceLevels`.',
      }),
      ...parcelsFields,
      serviceLevels: parcelsFields.serviceLevels.meta({
        description:
          'Allowed service levels. When left out, the fastest level offered on the route within `failover.maxPriceKobo`, ' +
          'and the next level if only one carrier offers the fastest.',
        examples: [['on_demand']],
      }),
      orderId: OrderId.optional().meta({
        description: 'Identifier of the order to ship. If the quote is for an order, send the same order.',
      }),
      returnId: parcelsFields.returnId.meta({
        description:
          'Identifier of an approved return whose units the shipment brings back. Send it instead of `orderId`. If the quote is for a return, send the same ' +
          'return.',
      }),
      codAmountKobo: codAmount.optional().meta({
        description:
          'Cash that the rider must collect from the recipient at the delivery, in kobo. For an order, at most its amount ' +
          'due minus the cash of its other shipments in progress. When left out, the amount of the quote, or no cash ' +
          'without a quote.',
      }),
      ...dispatchFields,
      scheduleAt: instant(
        'When to request the first carrier. When left out, the carrier is requested at once or, if the quote ' +
          'has a time window, in time for the rider to arrive at the start of the `pickupWindow`, or for a ' +
          'delivery in the middle of the `dropoffWindow`. A value ' +
          'overrides the windows of the quote.',
      ).optional(),
      dryRun: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Whether to return only the `plan`. No rider is requested and nothing is stored. Without a quote, prices are ' +
            'requested from the carriers.',
          default: false,
          examples: [false],
        }),
    })
    .superRefine(refuseOrderOfReturn)
    .superRefine((dispatch, context) => {
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({ code: 'custom', path: [name], message, params: { problem } })
      const { quoteId, offerId, parcels, vehicle, serviceLevels, carriers, proof, undeliverableAction } = dispatch
      if (quoteId === undefined) {
        if (offerId !== undefined) fault('quoteId', 'Is required with `offerId`.', 'required')
        requireShipmentContents(dispatch, context)
      } else {
        const settled = { parcels, vehicle, serviceLevels, carriers }
        for (const [name, value] of Object.entries(settled)) {
          if (value === undefined) continue
          const message = 'Must not be sent with `quoteId`, because the quote already defines this value.'
          const params = { problem: 'invalid_value', isExcluded: true }
          context.addIssue({ code: 'custom', path: [name], message, params })
        }
      }
      if (proof !== undefined && proof.pin !== 'none' && undeliverableAction === 'leave_at_door') {
        fault('undeliverableAction', 'Must not be `leave_at_door` if `proof.pin` is set.', 'invalid_value')
      }
    }),
)

export type DispatchInput = z.output<typeof DispatchInput>

export const dispatchShipment = write({
  id: 'dispatchShipment',
  path: '/logistics/dispatch',
  tag: 'Logistics',
  summary: 'Dispatch a shipment',
  description:
    'Requests carriers one after the other, never two at once, until one accepts the shipment. The response arrives ' +
    'within 25 seconds: 201 when a carrier has accepted, 202 when the dispatch continues in the background. If ' +
    'the outcome of a request is unknown, the service determines the outcome before it requests the next carrier. ' +
    'By default, the plan contains every carrier that offers the fastest service level of the route, and the ' +
    'price ceiling admits at least two carriers if two make an offer. The response has `plan` and ' +
    '`priceCeilingKobo`. `reference` makes a repeated request safe: the same request returns the same shipment ' +
    'with 200. If no carrier accepts, the response is 503 `no_carrier_available`, or 402 ' +
    '`carrier_wallet_insufficient` if all of them require funds first; the shipment is then `failed` and shows ' +
    'every attempt, and a repeated request has the same response. With a quote, its places, parcels and offers ' +
    'apply, and `failover` selects among its carriers. A quote whose window is in the future creates a ' +
    '`scheduled` shipment: each carrier is requested early enough for its rider to arrive in time. Offers that ' +
    'miss a window are not used, except the offer of `offerId`. Without a quote and `pickup`, the default pickup ' +
    'address of the merchant is used. Cancelling the order cancels a shipment that no carrier has accepted. With ' +
    '`returnId`, the shipment goes from the customer to the merchant, and the status of the return follows it.',
  access: 'logistics:dispatch',
  priority: 'high',
  body: {
    schema: DispatchInput,
    example: {
      reference: 'ORD-7K2M9QX4-1',
      pickup: pickupInputExample,
      dropoff: dropoffInputExample,
      parcels: [parcelInputExample],
      proof: { photo: true },
    },
  },
  reply: {
    status: 201,
    body: Shipment,
    meaning: 'The shipment. A carrier has accepted it, or it is scheduled.',
    example: shipmentExample,
    location: '/logistics/shipments/{id}',
    further: [
      { status: 200, meaning: 'The existing shipment of a repeated request, or the plan of a dry run.' },
      {
        status: 202,
        meaning: 'The shipment. No carrier has accepted it yet, and the dispatch continues. Read the shipment again.',
      },
    ],
  },
  refusals: [
    'quote_not_found',
    ...routeRefusals,
    'contact_incomplete',
    'quote_expired',
    'quote_already_used',
    'quote_mismatch',
    'proof_not_offered',
    'window_missed',
    'reference_conflict',
    'order_already_dispatched',
    'cod_exceeds_due',
    'customer_anonymised',
    'price_ceiling_too_low',
    'time_in_past',
    'carrier_wallet_insufficient',
    'no_carrier_available',
  ],
  callsPartners: true,
  emits: shipmentEvents,
  audits: { action: 'shipment.dispatch', resourceType: 'shipment' },
})

export const getShipment = read({
  id: 'getShipment',
  path: '/logistics/shipments/{id}',
  tag: 'Logistics',
  summary: 'Get a shipment',
  description: 'Returns a shipment with every dispatch attempt and tracking event.',
  access: 'logistics:read',
  params: z.strictObject({ id: ShipmentId }),
  refusals: ['shipment_not_found'],
  reply: { body: Shipment, meaning: 'The shipment.', example: shipmentExample },
  stateMachine: { field: 'status', transitions: shipmentTransitions },
})

const CancelShipmentInput = named(
  'CancelShipmentInput',
  z.strictObject({
    reason: z
      .enum(cancellationReasons)
      .meta({ description: 'Reason for the cancellation.', examples: ['customer_request'] }),
    note: cancellationNote.optional(),
    maxFeeKobo: kobo('Maximum cancellation fee to accept. When left out, 0.', { example: 0 }).optional(),
  }),
)

export type CancelShipmentInput = z.output<typeof CancelShipmentInput>

export const cancelShipment = write({
  id: 'cancelShipment',
  path: '/logistics/shipments/{id}/cancel',
  tag: 'Logistics',
  summary: 'Cancel a shipment',
  description:
    'Cancels a shipment that was not picked up. If the carrier charges for the cancellation, the first response is ' +
    '409 `cancellation_fee_required` with the fee; repeat the request with `maxFeeKobo` to accept it. Cancelling ' +
    'a cancelled shipment changes nothing. A parcel that was picked up can only be returned. After the cancellation, the status of the order is derived from its units, unless the order has ' +
    'another shipment in progress.',
  access: 'logistics:dispatch',
  params: z.strictObject({ id: ShipmentId }),
  body: { schema: CancelShipmentInput, example: { reason: 'customer_request', note: 'Wrong size packed.' } },
  reply: {
    status: 200,
    body: Shipment,
    meaning: 'The cancelled shipment.',
    example: {
      ...shipmentExample,
      status: 'cancelled',
      version: 4,
      cancellation: {
        allowed: false,
        estimatedFeeKobo: null,
        status: 'cancelled',
        requestedAt: '2026-11-21T08:35:00.000Z',
        confirmedAt: '2026-11-21T08:35:01.204Z',
        reason: 'customer_request',
        note: 'Wrong size packed.',
        feeKobo: 0,
        refundKobo: 250000,
      },
    },
    further: [
      {
        status: 202,
        meaning:
          'The shipment. Its `cancellation.status` is `cancelling`, because the carrier has not confirmed the cancellation yet.',
      },
    ],
  },
  refusals: ['shipment_not_found', 'shipment_not_cancellable', 'cancellation_fee_required'],
  ifMatch: 'honoured',
  callsPartners: true,
  emits: shipmentEvents,
  audits: { action: 'shipment.cancel', resourceType: 'shipment' },
})
