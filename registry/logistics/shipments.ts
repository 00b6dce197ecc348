import { z } from 'zod'
import { read, write } from '../kit/endpoint.ts'
import { dispatchAttemptsMax } from '../values/limits.ts'
import { instant, kobo, Metadata, named, OfferId, OrderId, QuoteId, ShipmentId } from '../values/vocabulary.ts'
import { parcelInputExample } from './parcel.ts'
import { ProofInput } from './proof.ts'
import {
  CarrierName,
  dropoffInputExample,
  parcelsFields,
  pickupInputExample,
  refuseNothingToCarry,
  wantedRefusals,
} from './quotes.ts'
import { cancellationNote, Shipment, shipmentExample, shipmentReference } from './shipment.ts'
import {
  cancellationReasons,
  dispatchStrategies,
  shipmentTransitions,
  undeliverableActions,
} from './shipment-states.ts'

/** Long enough for any carrier’s rider to answer, short enough that a parcel is not forgotten. */
const assignTimeoutSeconds = { min: 60, max: 24 * 3600 } as const

const carriers = (description: string) =>
  z
    .array(CarrierName)
    .min(1)
    .max(20)
    .optional()
    .meta({ description, examples: [['simulator-swift']] })

export const Failover = named(
  'Failover',
  z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .meta({ description: 'False asks one carrier only.', examples: [true], default: true }),
      strategy: z
        .enum(dispatchStrategies)
        .default('best_value')
        .meta({
          description:
            'In which order carriers are asked; `preferred` is the order of `carriers`. Without `serviceLevels`, `best_value` ' +
            'keeps to the fastest service level that is offered; the other strategies rank the offers of all levels.',
          examples: ['best_value'],
          default: 'best_value',
        }),
      maxAttempts: z
        .int()
        .min(1)
        .max(dispatchAttemptsMax)
        .default(3)
        .meta({ description: 'How many carriers are asked at most.', examples: [3], default: 3 }),
      maxPriceKobo: kobo('What it may cost at most, whoever takes it, surge and all.').optional(),
      maxPriceIncreaseKobo: kobo(
        'How much more than the first offer it may cost. When this and `maxPriceKobo` are left out, the ceiling is the ' +
          'higher of 1.5 times the first offer and the price of the next carrier.',
      ).optional(),
      carriers: carriers('Ask only these.'),
      excludeCarriers: carriers('Never ask these.'),
      assignTimeoutSeconds: z
        .int()
        .min(assignTimeoutSeconds.min)
        .max(assignTimeoutSeconds.max)
        .optional()
        .meta({
          description:
            'How long a carrier has to name a rider. When left out, as long as it has needed in that zone in 95 of a ' +
            'hundred cases, once thirty are known; until then ten minutes on demand and four hours else. It does not hold ' +
            'for carriers that never name one: their parcels are waited for until they are fetched.',
          examples: [600],
        }),
      onUnknown: z
        .enum(['wait', 'proceed_guarded'])
        .optional()
        .meta({
          description:
            'What to do when a carrier does not say whether it took the shipment: wait, or ask the next one and call the ' +
            'first off should it turn up. Left out, it is what suits the carrier.',
          examples: ['proceed_guarded'],
        }),
    })
    .meta({ description: 'What happens when a carrier does not take it.' }),
)

export type Failover = z.output<typeof Failover>

/** What a dispatch and a schedule say alike. */
export const dispatchFields = {
  proof: ProofInput.optional(),
  undeliverableAction: z
    .enum(undeliverableActions)
    .default('return')
    .meta({ description: 'What happens when nobody is there.', examples: ['return'], default: 'return' }),
  failover: Failover.optional(),
  allowAdditional: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether a shipment may be made that carries none of the order’s items while another is active. A shipment of ' +
        'items that are in no other shipment needs no permission.',
      examples: [false],
      default: false,
    }),
  confirmOrder: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to send an order that is `pending` and not paid. It becomes `processing` when a carrier takes the ' +
        'shipment, or at once where that is scheduled, as a paid one or one that is paid on delivery does without this. One that ' +
        'no carrier takes leaves it `pending`.',
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
      quoteId: QuoteId.optional().meta({ description: 'The quote to use; without one, say what goes where.' }),
      offerId: OfferId.optional().meta({
        description:
          'Which offer of the quote to begin with. When left out, the offer of best value among those of the fastest service ' +
          'level, or among all offers where the quote names `serviceLevels`.',
      }),
      ...parcelsFields,
      serviceLevels: parcelsFields.serviceLevels.meta({
        description:
          'Only these. When left out, the fastest level that is offered on the route and within `failover.maxPriceKobo`; ' +
          'where one carrier alone offers that level, the next level as well.',
        examples: [['on_demand']],
      }),
      orderId: OrderId.optional().meta({
        description: 'The order that is sent: that of the quote, or any where the quote names none.',
      }),
      ...dispatchFields,
      scheduleAt: instant(
        'When to call a carrier. When left out it is at once, or so that the rider comes as the `pickupWindow` of the quote ' +
          'begins, or arrives in the middle of its `dropoffWindow`. It sets the windows of a quote aside.',
      ).optional(),
      dryRun: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Whether only to say, in `plan`, what would be tried. No carrier is asked for a rider and nothing is kept; without ' +
            'a quote, carriers are asked for their prices.',
          default: false,
          examples: [false],
        }),
    })
    .superRefine((dispatch, context) => {
      const fault = (name: string, message: string, problem: string) =>
        context.addIssue({ code: 'custom', path: [name], message, params: { problem } })
      const { quoteId, offerId, parcels, vehicle, serviceLevels, carriers, proof, undeliverableAction } = dispatch
      if (quoteId === undefined) {
        if (offerId !== undefined) fault('quoteId', 'Say which quote the offer is of.', 'required')
        refuseNothingToCarry(dispatch, context)
      } else {
        const settled = { parcels, vehicle, serviceLevels, carriers }
        for (const [name, value] of Object.entries(settled)) {
          if (value !== undefined) fault(name, 'The quote has settled this; leave it out.', 'invalid_value')
        }
      }
      if (proof !== undefined && proof.pin !== 'none' && undeliverableAction === 'leave_at_door') {
        fault('undeliverableAction', 'With a PIN it cannot be left at the door.', 'invalid_value')
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
    'within 25 seconds: 201 when a carrier has accepted, 202 when the dispatch continues in the background. If the ' +
    'outcome of a request is unknown, it is resolved before the next carrier is requested. By default the plan ' +
    'contains every carrier that offers the fastest service level of the route, and the price ceiling leaves an ' +
    'alternative wherever two carriers offer; the response shows both as `plan` and `priceCeilingKobo`. `reference` ' +
    'makes a repeated request safe: the same request returns the same shipment with 200. If no carrier accepts, the ' +
    'response is 503 `no_carrier_available`, or 402 `carrier_wallet_insufficient` if all of them require funds first; ' +
    'the shipment is then `failed` and shows every attempt. With a quote, its places, parcels and offers apply, and ' +
    '`failover` selects among its carriers. A quote whose window is in the future creates a `scheduled` shipment: ' +
    'each carrier is requested as early as its rider needs. Offers that arrive too late for a window are not used, ' +
    'except the offer of `offerId`. Without a quote and `pickup`, the default pickup address of the merchant is used. ' +
    'Cancelling the order cancels a shipment that no carrier has accepted.',
  access: 'logistics:dispatch',
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
    meaning: 'A carrier took it, or it is scheduled, as it is for a window that lies ahead.',
    example: shipmentExample,
    location: '/logistics/shipments/{id}',
    further: [
      { status: 200, meaning: 'The shipment that this very request has made before, or the plan of a dry run.' },
      { status: 202, meaning: 'Nobody has taken it yet, and the work goes on. Read the shipment again.' },
    ],
  },
  refusals: [
    'quote_not_found',
    ...wantedRefusals,
    'contact_incomplete',
    'quote_expired',
    'quote_already_used',
    'quote_mismatch',
    'proof_not_offered',
    'window_missed',
    'reference_conflict',
    'order_already_dispatched',
    'customer_anonymised',
    'price_ceiling_too_low',
    'time_in_past',
    'carrier_wallet_insufficient',
    'no_carrier_available',
  ],
  asksPartners: true,
  emits: ['shipment.status_changed', 'order.status_changed'],
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
    reason: z.enum(cancellationReasons).meta({ description: 'Why.', examples: ['customer_request'] }),
    note: cancellationNote.optional(),
    maxFeeKobo: kobo('What it may cost; nothing when left out.', { example: 0 }).optional(),
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
    '409 `cancellation_fee_required` with the fee; repeat the request with `maxFeeKobo` to accept it. Cancelling a ' +
    'cancelled shipment changes nothing. A parcel that was picked up can only be returned. If the order waited for ' +
    'this shipment only, the status of the order changes with it.',
  access: 'logistics:dispatch',
  params: z.strictObject({ id: ShipmentId }),
  body: { schema: CancelShipmentInput, example: { reason: 'customer_request', note: 'Wrong size packed.' } },
  reply: {
    status: 200,
    body: Shipment,
    meaning: 'It is cancelled.',
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
    further: [{ status: 202, meaning: 'The carrier has been asked and has not confirmed yet: it is `cancelling`.' }],
  },
  refusals: ['shipment_not_found', 'shipment_not_cancellable', 'cancellation_fee_required'],
  ifMatch: 'honoured',
  asksPartners: true,
  emits: ['shipment.status_changed', 'order.status_changed'],
  audits: { action: 'shipment.cancel', resourceType: 'shipment' },
})
