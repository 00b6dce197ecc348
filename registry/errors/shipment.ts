import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

const carrier = z.string().meta({ description: 'Code of the carrier.', examples: ['simulator-swift'] })

const failedDispatch = z.object({
  shipmentId: z.string().meta({ description: 'Identifier of the failed shipment.' }),
  attempts: z
    .array(
      z.object({
        carrier,
        state: z.string().meta({ description: 'State of the dispatch attempt.', examples: ['refused'] }),
        code: z.string().meta({
          description: 'Code that explains the outcome of the dispatch attempt.',
          examples: ['couriers_busy'],
        }),
      }),
    )
    .meta({ description: 'Dispatch attempts of the shipment.' }),
})

export const shipmentErrors = {
  order_not_shippable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The order lacks data for a shipment: it has no shipping address, or it has more items than a shipment can have parcels.',
    fix: 'Send the missing fields with the request; `details.missing` names them.',
    details: z.object({
      missing: z.array(z.string()).meta({ description: 'Missing fields.', examples: [['dropoff']] }),
    }),
  },
  pickup_missing: {
    status: 409,
    type: 'state_error',
    meaning:
      'The request has no `pickup` (for a return: no `dropoff`), and the merchant has no default pickup address.',
    fix: 'Send `pickup` (for a return: `dropoff`), or set the default pickup address with `commerce merchant set --default-pickup`.',
  },
  order_not_dispatchable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The order is cancelled, returned or on hold, or it is pending. A pending order needs `confirmOrder`, unless it is paid or payable on delivery.',
    fix:
      'Record the payment of a pending order, or send `confirmOrder` to ship it unpaid. Release an order that is on hold. ' +
      'Create a new order in place of a cancelled or returned one.',
    details: z.object({ status: z.string().meta({ description: 'Status of the order.', examples: ['cancelled'] }) }),
  },
  return_not_dispatchable: {
    status: 409,
    type: 'state_error',
    meaning: 'The return is not approved, or a shipment already transports its units.',
    fix:
      'If the return is `requested`, approve it first. If `details.shipmentId` is set, this shipment ' +
      'transports or delivered the units: to create another shipment, cancel this one before its pickup. A ' +
      'return that is in transit or has ended needs no shipment.',
    details: z.object({
      status: z.string().meta({ description: 'Status of the return.', examples: ['requested'] }),
      shipmentId: nullable(z.string()).meta({
        description:
          'Identifier of the shipment that transports or delivered the units of the return. Null if there is no such shipment.',
        examples: ['shp_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
    }),
  },
  nothing_to_ship: {
    status: 409,
    type: 'state_error',
    meaning:
      'Every unit of the order was handed over by the merchant, is in an active or delivered shipment, or is refunded.',
    fix:
      'Send `parcels` to ship something else for the order, such as a replacement. For an order that is refunded in ' +
      'full, or of which every unit is refunded, create a new order.',
  },
  order_items_unavailable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The request ships, restocks or receives more units of an item than are available. Units in an active shipment and ' +
      'units in a return under way are unavailable; units in a delivered shipment cannot be shipped again.',
    fix:
      'Send at most `details.items[].available` units of each item, or cancel the shipment that contains the units, or wait ' +
      'until the shipment or the return has ended.',
    details: z.object({
      items: z
        .array(
          z.object({
            itemId: z
              .string()
              .meta({ description: 'Identifier of the order item.', examples: ['itm_01jd3f8q6hf5n8v1zr4c7e2m9k'] }),
            requested: z.int().meta({ description: 'Requested units.', examples: [2] }),
            available: z
              .int()
              .meta({ description: 'Number of units of the item that can be shipped or restocked.', examples: [1] }),
          }),
        )
        .meta({ description: 'Items with too few available units.' }),
    }),
  },
  outside_coverage: {
    status: 409,
    type: 'state_error',
    meaning:
      'The place is at sea or outside Nigeria. For a request that reads the surge of a place, the place is outside all delivery zones.',
    fix: 'Check the coordinates of `details.place`. Latitude and longitude may be swapped.',
    details: z.object({
      place: z
        .enum(['pickup', 'dropoff', 'point'])
        .meta({ description: 'Place outside Nigeria, at sea, or outside all delivery zones.', examples: ['dropoff'] }),
    }),
  },
  address_imprecise: {
    status: 409,
    type: 'state_error',
    meaning:
      'The pickup or dropoff location is too imprecise for `on_demand`, and the request allows no other service level.',
    fix: 'Send `location`, a `plusCode` or a more precise `area`, or add another service level to `serviceLevels`.',
    details: z.object({
      place: z.enum(['pickup', 'dropoff']).meta({ description: 'Imprecise place.', examples: ['dropoff'] }),
      precisionMeters: z.int().meta({
        description: 'Precision of the location: its possible distance from the address, in metres.',
        examples: [30000],
      }),
      precisionMaxMeters: z
        .int()
        .meta({ description: 'Maximum of `precisionMeters` for `on_demand`, in metres.', examples: [5000] }),
    }),
  },
  contact_incomplete: {
    status: 400,
    type: 'request_error',
    meaning: 'Pickup and dropoff must each have a name and a phone number.',
    fix: 'Send the missing fields with the quote or the dispatch; `details.missing` names them.',
    details: z.object({
      missing: z.array(z.string()).meta({ description: 'Missing fields.', examples: [['dropoff.phone']] }),
    }),
  },
  time_in_past: {
    status: 409,
    type: 'state_error',
    meaning: 'A time in the request is in the past, or more than 30 days in the future.',
    fix: 'Set the request field that `details.field` names to a time between now and 30 days from now.',
    details: z.object({
      field: z
        .string()
        .meta({ description: 'Name of the request field that contains the invalid time.', examples: ['scheduleAt'] }),
    }),
  },
  quote_expired: {
    status: 409,
    type: 'state_error',
    meaning: 'The offer has expired.',
    fix: 'Dispatch with the new quote in `details.quoteId`, which has an offer within the price ceiling of the request. If `details.quoteId` is null, create a quote.',
    details: z.object({
      expiredAt: z.string().meta({ description: 'When the offer expired.', examples: ['2026-11-21T08:40:00.000Z'] }),
      quoteId: nullable(z.string()).meta({
        description:
          'Identifier of a new quote for the same parcels and places. Null if no new offer is within the price ceiling of ' +
          'the request, if a time window has passed, if the old quote expired more than a week ago, or in a dry run.',
        examples: ['qte_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
      offerId: nullable(z.string()).meta({
        description: 'Identifier of the first offer of the new quote. Null if there is no new quote.',
        examples: ['off_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
      priceKobo: nullable(z.int()).meta({
        description: 'Price of the first offer of the new quote, in kobo. Null if there is no new quote.',
        examples: [260000],
      }),
    }),
  },
  quote_already_used: {
    status: 409,
    type: 'state_error',
    meaning: 'Another shipment was created with this quote.',
    fix: 'Read the shipment with the id `details.shipmentId`. For another shipment, create a new quote.',
    details: z.object({
      shipmentId: z.string().meta({ description: 'Identifier of the shipment that was created with the quote.' }),
    }),
  },
  quote_mismatch: {
    status: 409,
    type: 'state_error',
    meaning:
      'At least one value of the dispatch differs from the quote: the pickup, the dropoff, the order, the return, the items or the cash on delivery.',
    fix: 'A dispatch can only add contact data to the places of its quote. For another place or order, another return, other items or another amount of cash on delivery, create a new quote.',
    details: z.object({
      field: z.enum(['pickup', 'dropoff', 'orderId', 'returnId', 'items', 'codAmountKobo']).meta({
        description: 'Field of the dispatch that differs from the quote. More values may be added.',
        examples: ['dropoff'],
      }),
    }),
  },
  cod_exceeds_due: {
    status: 409,
    type: 'state_error',
    meaning: 'The cash on delivery is more than the amount that is still to be collected for the order.',
    fix:
      'Send at most `details.dueKobo` as `codAmountKobo`. If it is 0, the order is paid, or its other shipments in progress ' +
      'collect the rest: dispatch without `codAmountKobo`.',
    details: z.object({
      dueKobo: z.int().meta({
        description:
          'Amount due of the order minus the cash of its other shipments in progress, in kobo. 0 if nothing is left to collect.',
        examples: [3250000],
      }),
    }),
  },
  remittance_already_voided: {
    status: 409,
    type: 'state_error',
    meaning: 'The remittance is already voided.',
    fix: 'Nothing is left to do: the remittance was voided at `details.voidedAt`.',
    details: z.object({
      voidedAt: z
        .string()
        .meta({ description: 'When the remittance was voided.', examples: ['2026-11-23T11:00:00.000Z'] }),
    }),
  },
  remittance_exceeds_outstanding: {
    status: 409,
    type: 'state_error',
    meaning: 'The remittance is larger than the collected cash that the carrier still owes.',
    fix:
      'Check the carrier and the amount. Send at most `details.outstandingKobo`: money that a carrier transfers for ' +
      'anything else, such as a lost parcel, is not a remittance.',
    details: z.object({
      outstandingKobo: z.int().meta({
        description: 'Collected cash that the carrier still owes, in kobo. 0 if it has collected none.',
        examples: [6500000],
      }),
    }),
  },
  received_at_out_of_range: {
    status: 409,
    type: 'state_error',
    meaning: 'The time of the remittance is before the creation of the merchant, or in the future.',
    fix: 'Send a `receivedAt` between `details.earliest` and `details.latest`, or leave it out if the transfer was received now.',
    details: z.object({
      earliest: z.string().meta({
        description: 'Earliest `receivedAt` that is accepted.',
        examples: ['2026-11-21T08:30:00.000Z'],
      }),
      latest: z.string().meta({
        description: 'Latest `receivedAt` that is accepted.',
        examples: ['2026-11-23T10:20:00.000Z'],
      }),
    }),
  },
  window_missed: {
    status: 409,
    type: 'state_error',
    meaning: 'Every offer that the request allows is estimated to miss a time window of the quote.',
    fix:
      'Create a quote with a later or wider window. To accept a late arrival, choose an offer by `offerId`, or set the ' +
      'time of the carrier request with `scheduleAt`.',
    details: z.object({
      windows: z.array(z.string()).meta({
        description: 'Names of the time windows that the shipment would miss.',
        examples: [['dropoffWindow']],
      }),
    }),
  },
  proof_not_offered: {
    status: 409,
    type: 'state_error',
    meaning:
      'The carrier of the offer in `offerId` does not support the requested proof of delivery. If the ' +
      'request has no `offerId`, no carrier of the quote supports this proof.',
    fix: 'Choose an offer whose `capabilities` contain all values of `details.proof`, or request less proof.',
    details: z.object({
      proof: z.array(z.string()).meta({ description: 'Requested proof of delivery.', examples: [['signature']] }),
    }),
  },
  reference_conflict: {
    status: 409,
    type: 'state_error',
    meaning: 'A different request already used this `reference`. A reference can never be reused.',
    fix: 'Read the shipment with the id `details.shipmentId`. For a new shipment, send a new reference.',
    details: z.object({
      shipmentId: z.string().meta({ description: 'Identifier of the shipment with this reference.' }),
    }),
  },
  order_already_dispatched: {
    status: 409,
    type: 'state_error',
    meaning:
      'No unit of the order is left to ship, the order has an active or delivered shipment, and the request does not set `allowAdditional`.',
    fix: 'Read the shipment in `details.shipmentId`. To create a further shipment that contains no order items, send `parcels` and `allowAdditional`.',
    details: z.object({
      shipmentId: z.string().meta({ description: 'Identifier of the existing shipment of the order.' }),
    }),
  },
  price_ceiling_too_low: {
    status: 409,
    type: 'state_error',
    meaning: 'Every offer is above the price ceiling of the request.',
    fix: 'Raise the price ceiling to at least `details.cheapestKobo`, or allow other carriers.',
    details: z.object({
      cheapestKobo: z
        .int()
        .meta({ description: 'Price of the cheapest offer of the quote, in kobo.', examples: [250000] }),
    }),
  },
  shipment_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'The shipment cannot be cancelled: it was picked up, has ended, or its carrier accepts no cancellation.',
    fix: 'A parcel that was picked up can no longer be cancelled. Ask the carrier or the recipient to return it.',
    details: z.object({ status: z.string().meta({ description: 'Status of the shipment.', examples: ['picked_up'] }) }),
  },
  cancellation_fee_required: {
    status: 409,
    type: 'state_error',
    meaning: 'The cancellation fee of the carrier is higher than `maxFeeKobo`.',
    fix: 'To accept the cancellation fee, repeat the request with a `maxFeeKobo` of at least `details.feeKobo`.',
    details: z.object({
      feeKobo: z.int().meta({ description: 'Cancellation fee of the carrier, in kobo.', examples: [50000] }),
    }),
  },
  carrier_wallet_insufficient: {
    status: 402,
    type: 'state_error',
    meaning:
      'Every requested carrier rejected the shipment because the merchant’s account with it has insufficient funds. The ' +
      'shipment is stored as `failed`, with every attempt.',
    fix: 'Fund the merchant’s account with one of the carriers in `details.attempts`, and dispatch again with a new `reference`.',
    details: failedDispatch,
  },
  no_carrier_available: {
    status: 503,
    type: 'api_error',
    meaning: 'No carrier accepted the shipment. The shipment is stored as `failed`, with every attempt.',
    // Clients should retry after two minutes, because riders become available within minutes, and surge prices are
    // published every five minutes.
    retryAfterSeconds: 120,
    fix:
      'Read `message` and `details.attempts`. If each carrier names a limit or a place that it does not serve, change the request, because the same request would fail again. Attempts with the code `price` were skipped because their price is above the ceiling of ' +
      '`failover`: raise the ceiling. Attempts with the code `window_missed` were skipped because their riders would come after a time window of the quote: create a quote with a later ' +
      'window. Otherwise wait for the seconds in `Retry-After`. Then dispatch again with a new `reference`.',
    details: failedDispatch,
  },
} as const satisfies Record<string, ErrorDeclaration>
