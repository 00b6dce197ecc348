import { z } from 'zod'
import type { ErrorDeclaration } from '../error.ts'
import { nullable } from '../vocabulary.ts'

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
    meaning: 'The order is cancelled or returned, so nothing of it is to be sent.',
    fix: 'Make a new order for what is to be sent after all.',
    details: z.object({ status: z.string().meta({ description: 'The status it has.', examples: ['cancelled'] }) }),
  },
  nothing_to_send: {
    status: 409,
    type: 'state_error',
    meaning: 'All that is left of the order has been sent already.',
    fix: 'Say in `parcels` what goes nevertheless, such as a replacement.',
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
    meaning: 'The dispatch names a place or an order that is not the one that was quoted.',
    fix: 'Complete a quoted place with its contact, but do not move it; ask for a new quote for another place or order.',
    details: z.object({
      field: z
        .enum(['pickup', 'dropoff', 'orderId'])
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
    meaning: 'The order has a shipment under way.',
    fix: 'Read the shipment in `details.shipmentId`; send `allowAdditional` for one more.',
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
