import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

const carrier = z.string().meta({ description: 'Code of the carrier.', examples: ['simulator-swift'] })

const nobodyTookIt = z.object({
  shipmentId: z.string().meta({ description: 'The shipment that nobody took.' }),
  attempts: z
    .array(
      z.object({
        carrier,
        state: z.string().meta({ description: 'What became of it.', examples: ['refused'] }),
        code: z.string().meta({ description: 'Why.', examples: ['couriers_busy'] }),
      }),
    )
    .meta({ description: 'Who was asked, and what came of it.' }),
})

/** What can keep a parcel from going. */
export const shipmentErrors = {
  order_not_shippable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The order does not say all it takes to send it: it is collected, or has more kinds of lines than a shipment.',
    fix: 'Send what `details.missing` names with the request.',
    details: z.object({
      missing: z.array(z.string()).meta({ description: 'The fields that are missing.', examples: [['dropoff']] }),
    }),
  },
  pickup_missing: {
    status: 409,
    type: 'state_error',
    meaning: 'The request does not say where the parcels are fetched, and the merchant has no default pickup.',
    fix: 'Send `pickup`, or set a default once: `commerce merchant set --default-pickup`.',
  },
  order_not_dispatchable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The order is cancelled, returned or on hold, or it is pending and neither paid nor to be paid on delivery.',
    fix:
      'Record the payment of a pending order, or send `confirmOrder` to send it unpaid; release one that is on hold; make a ' +
      'new order instead of one that is over.',
    details: z.object({ status: z.string().meta({ description: 'The status it has.', examples: ['cancelled'] }) }),
  },
  nothing_to_send: {
    status: 409,
    type: 'state_error',
    meaning: 'Every unit of the order has been sent or is in an active shipment.',
    fix: 'Name in `parcels` what is sent nevertheless, such as a replacement.',
  },
  order_items_unavailable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The request sends more units of an item than are in no active or delivered shipment, or restocks more than are in ' +
      'no active one.',
    fix:
      'Send or restock at most `details.items[].available` units of each item, or cancel the shipment that has them, or ' +
      'wait until it is over.',
    details: z.object({
      items: z
        .array(
          z.object({
            itemId: z.string().meta({ description: 'The order item.', examples: ['itm_01jd3f8q6hf5n8v1zr4c7e2m9k'] }),
            requested: z.int().meta({ description: 'Units the request sends or restocks.', examples: [2] }),
            available: z.int().meta({ description: 'Units that can be sent or restocked.', examples: [1] }),
          }),
        )
        .meta({ description: 'Each item with too few units left.' }),
    }),
  },
  outside_coverage: {
    status: 409,
    type: 'state_error',
    meaning: 'No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone.',
    fix: 'Check the coordinates of `details.place`; latitude and longitude may be swapped.',
    details: z.object({
      place: z.enum(['pickup', 'dropoff', 'point']).meta({ description: 'Which place it is.', examples: ['dropoff'] }),
    }),
  },
  address_imprecise: {
    status: 409,
    type: 'state_error',
    meaning:
      'The address of a place is known too vaguely for a rider on demand, and no other service level is asked for.',
    fix: 'Send `location`, a `plusCode`, or an `area` spelt as riders know it; or ask for another service level.',
    details: z.object({
      place: z.enum(['pickup', 'dropoff']).meta({ description: 'Which place it is.', examples: ['dropoff'] }),
      precisionMeters: z.int().meta({ description: 'How far off its point may be.', examples: [30000] }),
      precisionMaxMeters: z.int().meta({ description: 'How far off it may be at most.', examples: [5000] }),
    }),
  },
  contact_incomplete: {
    status: 400,
    type: 'request_error',
    meaning: 'A rider needs a name and a phone number at both ends.',
    fix: 'Send what `details.missing` names, in the quote or with the dispatch.',
    details: z.object({
      missing: z.array(z.string()).meta({ description: 'The fields that are missing.', examples: [['dropoff.phone']] }),
    }),
  },
  time_in_past: {
    status: 409,
    type: 'state_error',
    meaning: 'A time that has to lie ahead has passed, or lies further ahead than 30 days.',
    fix: 'Send a time between now and 30 days from now in `details.field`.',
    details: z.object({ field: z.string().meta({ description: 'Which it is.', examples: ['scheduleAt'] }) }),
  },
  quote_expired: {
    status: 409,
    type: 'state_error',
    meaning: 'The offer no longer holds.',
    fix: 'Dispatch with `details.quoteId`, a fresh quote of the same that costs no more than it may; without one, ask for a quote.',
    details: z.object({
      expiredAt: z.string().meta({ description: 'Since when.', examples: ['2026-11-21T08:40:00.000Z'] }),
      quoteId: nullable(z.string()).meta({
        description:
          'A fresh quote of the same. Null where no offer lies within the ceiling that the request sets for the old one, ' +
          'where a window of time has passed, of a quote that ended a week ago, and in a dry run, which keeps no quote.',
        examples: ['qte_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
      offerId: nullable(z.string()).meta({
        description: 'Its offer that would be asked for first.',
        examples: ['off_01jd3f8q6hf5n8v1zr4c7e2m9k'],
      }),
      priceKobo: nullable(z.int()).meta({ description: 'What that offer costs, in kobo.', examples: [260000] }),
    }),
  },
  quote_already_used: {
    status: 409,
    type: 'state_error',
    meaning: 'A shipment was made of this quote already.',
    fix: 'Read the shipment in `details.shipmentId`, or ask for a new quote for another shipment.',
    details: z.object({ shipmentId: z.string().meta({ description: 'The shipment that used it.' }) }),
  },
  quote_mismatch: {
    status: 409,
    type: 'state_error',
    meaning: 'The dispatch names a place, an order or items other than those that were quoted.',
    fix: 'Complete a quoted place with its contact, but do not move it; ask for a new quote for another place, order or items.',
    details: z.object({
      field: z
        .enum(['pickup', 'dropoff', 'orderId', 'items'])
        .meta({ description: 'What differs. More values may be added.', examples: ['dropoff'] }),
    }),
  },
  window_missed: {
    status: 409,
    type: 'state_error',
    meaning: 'By what their carriers say, none of the offers that may be asked for keeps the windows of the quote.',
    fix:
      'Quote again with a later or wider window. Or choose an offer by `offerId` though it comes late, or say with ' +
      '`scheduleAt` when to call a carrier.',
    details: z.object({
      windows: z
        .array(z.string())
        .meta({ description: 'The windows that would be missed.', examples: [['dropoffWindow']] }),
    }),
  },
  proof_not_offered: {
    status: 409,
    type: 'state_error',
    meaning:
      'The chosen offer’s carrier cannot give the proof asked for; or, without a choice, no carrier of the quote can.',
    fix: 'Choose an offer whose `capabilities` name all of `details.proof`, or ask for less.',
    details: z.object({
      proof: z.array(z.string()).meta({ description: 'The proof asked for.', examples: [['signature']] }),
    }),
  },
  reference_conflict: {
    status: 409,
    type: 'state_error',
    meaning: 'Another request used this reference before. A reference names one shipment for ever.',
    fix: 'Read the shipment in `details.shipmentId`, or use a new reference for a new shipment.',
    details: z.object({ shipmentId: z.string().meta({ description: 'The shipment that has it.' }) }),
  },
  order_already_dispatched: {
    status: 409,
    type: 'state_error',
    meaning: 'A shipment has every unit of the order already.',
    fix: 'Read the shipment in `details.shipmentId`. For one more with none of the items, send `parcels` and `allowAdditional`.',
    details: z.object({ shipmentId: z.string().meta({ description: 'The shipment under way.' }) }),
  },
  price_ceiling_too_low: {
    status: 409,
    type: 'state_error',
    meaning: 'Every offer costs more than the shipment may.',
    fix: 'Allow at least `details.cheapestKobo`, or choose other carriers.',
    details: z.object({
      cheapestKobo: z.int().meta({ description: 'The cheapest offer, in kobo.', examples: [250000] }),
    }),
  },
  shipment_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'The shipment is in somebody’s hands or over, or its carrier does not let it be called off.',
    fix: 'What is on its way can only come back: ask the carrier or the recipient to return it.',
    details: z.object({ status: z.string().meta({ description: 'Where it is.', examples: ['picked_up'] }) }),
  },
  cancellation_fee_required: {
    status: 409,
    type: 'state_error',
    meaning: 'The carrier would charge for cancelling, more than the request accepts.',
    fix: 'Send the request again with a `maxFeeKobo` of at least `details.feeKobo`, if it is worth that.',
    details: z.object({ feeKobo: z.int().meta({ description: 'What it would cost, in kobo.', examples: [50000] }) }),
  },
  carrier_wallet_insufficient: {
    status: 402,
    type: 'state_error',
    meaning:
      'Every carrier that was asked wants its account funded first. The shipment is kept as `failed`, with every attempt.',
    fix: 'Fund the account with one of the carriers in `details.attempts`, and dispatch anew with a new `reference`.',
    details: nobodyTookIt,
  },
  no_carrier_available: {
    status: 503,
    type: 'api_error',
    meaning: 'No carrier took the shipment. It is kept as `failed`, with every attempt.',
    // Riders come free within minutes, and surge is published every five.
    retryAfterSeconds: 120,
    fix:
      'Read the attempts in `details`: those with `price` were passed over because they cost more than `failover` allows. ' +
      'Allow more, or wait for `Retry-After`, and dispatch anew with a new `reference`.',
    details: nobodyTookIt,
  },
} as const satisfies Record<string, ErrorDeclaration>
