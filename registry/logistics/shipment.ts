import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import {
  Currency,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  QuoteId,
  ReturnId,
  ShipmentId,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { DispatchAttempt } from './dispatch-attempt.ts'
import { CarriedParcel } from './parcel.ts'
import { Place } from './place.ts'
import { PlannedOffer } from './planned-offer.ts'
import { CapturedProof } from './proof.ts'
import { CarrierName, Estimate, ServiceLevelName, VehicleName } from './quote.ts'
import { ShipmentWarnings } from './quote-warnings.ts'
import { ShipmentException } from './shipment-exception.ts'
import { ShippedItems } from './shipment-item.ts'
import { shipmentStatuses, undeliverableActions } from './shipment-states.ts'
import { QuotedWindow } from './window.ts'

export const shipmentReference = impersonalText()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits, dots, hyphens and underscores.' })
  .meta({ maxLength: 64 })
  .meta({
    description:
      'Your own reference for the shipment. It is permanently unique per merchant. A repeated request with the same reference ' +
      'returns the same shipment.',
    examples: ['ORD-7K2M9QX4-1'],
  })

export const ShipmentStatusName = named(
  'ShipmentStatus',
  z.enum(shipmentStatuses).meta({ description: 'Status of the shipment. More values may be added.' }),
)

export const ShipmentEvent = named(
  'ShipmentEvent',
  z
    .object({
      status: nullable(ShipmentStatusName).meta({
        description: 'Shipment status that the event reports. Null if the event reports no status.',
      }),
      description: personalText().meta({
        description: 'Description of the shipment event.',
        examples: ['A rider was assigned.'],
      }),
      source: z.enum(['request', 'callback', 'poll', 'service']).meta({
        description:
          'Source of the event: your `request`, a `callback` of the carrier, a `poll` of the carrier, or this `service`.',
        examples: ['callback'],
      }),
      carrierStatus: nullable(impersonalText()).meta({
        description: 'Raw carrier status. Null if the event is not from a carrier.',
      }),
      attemptNumber: nullable(z.int()).meta({
        description: 'Number of the dispatch attempt to which the event belongs. Null if it belongs to no attempt.',
      }),
      applied: z.boolean().meta({
        description: 'Whether the event changed the shipment. False for a stale or unexpected tracking update.',
        examples: [true],
      }),
      at: timestamp('When the event happened, according to the source of the event.'),
      receivedAt: timestamp('When this service received the event.'),
    })
    .meta({ description: 'Event of a shipment.' }),
)

export type ShipmentEvent = z.output<typeof ShipmentEvent>

export const CourierSeen = named(
  'Courier',
  z
    .object({
      name: personalText().meta({ description: 'Name of the rider.', examples: ['Musa'] }),
      vehicle: nullable(VehicleName).meta({ description: 'Vehicle of the rider. Null if unknown.' }),
      phone: nullable(personalText()).meta({
        description:
          'Masked phone number of the rider, as provided by the carrier. Null if the carrier provides none; unmasked numbers are not returned.',
      }),
      plateLastFour: nullable(personalText()).meta({
        description: 'Last four characters of the number plate. Null if unknown.',
        examples: ['42KJ'],
      }),
    })
    .meta({ description: 'Rider of the shipment.' }),
)

const flag = (description: string) => z.boolean().meta({ description, examples: [false] })

export const Shipment = named(
  'Shipment',
  z
    .object({
      id: ShipmentId,
      reference: shipmentReference,
      orderId: nullable(OrderId).meta({
        description:
          'Identifier of the order to which the parcels belong. Null without an order, and for a return shipment.',
      }),
      returnId: nullable(ReturnId).meta({
        description: 'Identifier of the return whose units the shipment brings back. Null for any other shipment.',
      }),
      items: ShippedItems,
      quoteId: nullable(QuoteId).meta({
        description: 'Identifier of the quote with which the shipment was created. Null without a quote.',
      }),
      status: ShipmentStatusName,
      statusReason: nullable(
        z
          .object({
            code: impersonalText().meta({ description: 'Reason code.', examples: ['no_carrier_available'] }),
            message: personalText().meta({ description: 'Reason for the status of the shipment, as text.' }),
          })
          .meta({ description: 'Reason for the status of the shipment.' }),
      ).meta({ description: 'Reason for the status of the shipment. Null if there is no reason.' }),
      carrier: nullable(
        z
          .object({
            code: CarrierName,
            name: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
          })
          .meta({ description: 'Carrier that accepted the shipment.' }),
      ).meta({ description: 'Carrier that accepted the shipment. Null until a carrier has accepted it.' }),
      service: nullable(impersonalText()).meta({
        description:
          'Name that the carrier uses for the delivery service. Null until a carrier has accepted the shipment.',
      }),
      serviceLevel: nullable(ServiceLevelName).meta({
        description: 'Service level of the shipment. Null until a carrier has accepted it.',
      }),
      vehicle: VehicleName,
      carrierReference: nullable(impersonalText()).meta({
        description:
          'Identifier that the carrier gave to its order for the shipment. Null until the carrier has given one.',
      }),
      trackingUrl: nullable(personalText()).meta({
        description: 'URL of the tracking page of the carrier. Null if there is none.',
      }),
      labelUrl: nullable(personalText()).meta({
        description: 'URL of the shipping label of the carrier. Null if there is none.',
      }),
      currency: Currency,
      quotedPriceKobo: kobo(
        'Price of the first offer of the plan, including surge. Until its dispatch starts, a shipment that was scheduled without a quote has the price that was ' +
          'estimated when it was scheduled, or 0 if there was no offer.',
        { example: 250000 },
      ),
      priceKobo: nullable(kobo('Price that the accepting carrier charges, including surge.', { example: 250000 })).meta(
        {
          description:
            'Price of the carrier that accepted the shipment, in kobo: the sum of `priceKobo` of its attempt and ' +
            '`surgeKobo`. Null until a carrier has accepted.',
        },
      ),
      surgeKobo: kobo(
        'Part of `priceKobo` that this service adds to a rate card price. 0 if the carrier sets its own dynamic price.',
        { example: 0 },
      ),
      priceCeilingKobo: kobo(
        'Price ceiling, including surge. It is `failover.maxPriceKobo`, or the price of the first offer plus ' +
          '`failover.maxPriceIncreaseKobo`. Without both fields, it is the higher of 1.5 times the first offer ' +
          'and the price of the next carrier. Carriers above the ceiling are not requested. A carrier that ' +
          'charges more after accepting causes the exception `price_above_ceiling`. For a scheduled shipment, the ' +
          'ceiling is set at its creation; it is 0 until the dispatch if there was no offer and `failover` sets ' +
          'no ceiling.',
        { example: 375000 },
      ),
      codAmountKobo: nullable(kobo('Cash that the rider must collect at the delivery.', { example: 3250000 })).meta({
        description:
          'Cash that the rider must collect at the delivery, in kobo. Lower than requested if the order was paid before a carrier ' +
          'was requested. Null without cash on delivery.',
      }),
      codCollectedKobo: nullable(kobo('Cash that the rider collected.', { example: 3250000 })).meta({
        description:
          'Cash that the rider collected, in kobo: the amount that the carrier reports with the delivery, or ' +
          '`codAmountKobo` if it reports none. For an order, it is recorded as a payment whose `reference` is the id of ' +
          'the shipment. Null until the delivery, and without cash on delivery.',
      }),
      codCollectedAt: nullable(timestamp('When the rider collected the cash.')).meta({
        description: 'When the rider collected the cash. Null until then, and without cash on delivery.',
      }),
      pickup: Place,
      dropoff: Place,
      parcels: z.array(CarriedParcel).meta({ description: 'Parcels of the shipment.' }),
      distanceMeters: z
        .int()
        .min(0)
        .meta({ description: 'Estimated distance by road, in metres.', examples: [9400] }),
      proof: z
        .object({
          photo: flag('Whether the rider must take a photo as proof of delivery.'),
          signature: flag('Whether the recipient must sign as proof of delivery.'),
          pin: nullable(personalText()).meta({
            description: 'PIN that the recipient tells the rider. Null without a PIN.',
            examples: ['4821'],
          }),
          captured: z.array(CapturedProof).meta({ description: 'Captured proofs of delivery.' }),
        })
        .meta({ description: 'Required and captured proof of delivery.' }),
      undeliverableAction: z
        .enum(undeliverableActions)
        .meta({ description: 'Action if the parcel cannot be delivered.', examples: ['return'] }),
      courier: nullable(CourierSeen).meta({
        description: 'Rider of the shipment. Null before a rider is assigned and after the shipment has ended.',
      }),
      pickupEta: nullable(Estimate).meta({
        description:
          'Estimated pickup time, as stated by the carrier when it accepted the shipment. Null until a carrier has accepted, and if the ' +
          'carrier states none. If the parcel is not picked up within 30 minutes after `p90` of this estimate, the shipment gets the exception `pickup_late`.',
      }),
      deliveryEta: nullable(Estimate).meta({ description: 'Estimated delivery time. Null if unknown.' }),
      pickupWindow: nullable(QuotedWindow).meta({
        description:
          'Pickup window of the quote. Null if the quote has none. If the window is in the future, the carrier is requested later, in time for its rider to arrive in the window.',
      }),
      dropoffWindow: nullable(QuotedWindow).meta({
        description:
          'Dropoff window of the quote. Null if the quote has none. Offers that would miss the window are not requested.',
      }),
      dispatchAt: nullable(timestamp('When the first carrier will be requested.')).meta({
        description: 'When the first carrier will be, or was, requested. Null while unknown.',
      }),
      scheduledPickupAt: nullable(timestamp('Estimated arrival of the rider at the pickup.')).meta({
        description:
          'Estimated arrival of the rider at the pickup, for a shipment that has a predictive schedule or that ' +
          'waits for a time window of its quote. Null for any other shipment.',
      }),
      plan: z.array(PlannedOffer).meta({
        description:
          'Offers in the order in which their carriers are requested, one after the other, within the limits of `failover`. ' +
          'Without other preferences, the plan has all offers of the fastest service level, and those of the next level if ' +
          'only one carrier offers the fastest. Offers above `priceCeilingKobo` are listed last, but their carriers are not requested. For a shipment ' +
          'scheduled without a quote, the plan is empty until the dispatch starts.',
      }),
      attempts: z.array(DispatchAttempt).meta({ description: 'Dispatch attempts, oldest first.' }),
      timeline: z
        .array(ShipmentEvent)
        .max(100)
        .meta({ description: 'Events of the shipment, newest first. At most 100.' }),
      exceptions: z
        .array(ShipmentException)
        .meta({ description: 'Exceptions of the shipment: conditions that need manual action, open or resolved.' }),
      warnings: ShipmentWarnings,
      cancellation: z
        .object({
          allowed: flag('Whether the shipment can be cancelled now.'),
          estimatedFeeKobo: nullable(kobo('Estimated cancellation fee of the carrier.', { example: 0 })).meta({
            description: 'Current cancellation fee of the carrier, in kobo. Null if the shipment cannot be cancelled.',
          }),
          status: nullable(z.enum(['cancelling', 'cancelled'])).meta({
            description:
              'Status of the cancellation: `cancelling` until the carrier confirms it, then `cancelled`. Null if no cancellation was ' +
              'requested, or the carrier rejected it.',
            examples: ['cancelled'],
          }),
          requestedAt: nullable(timestamp('When the cancellation was requested.')).meta({
            description: 'When the cancellation was requested. Null if no cancellation was requested.',
          }),
          confirmedAt: nullable(timestamp('When the cancellation was confirmed.')).meta({
            description: 'When the cancellation was confirmed. Null until then.',
          }),
          reason: nullable(impersonalText()).meta({
            description: 'Reason given for the cancellation. Null without a cancellation.',
            examples: ['customer_request'],
          }),
          note: nullable(personalText()).meta({
            description: 'Note about the cancellation, for staff. Null without a note.',
            examples: ['Wrong size packed.'],
          }),
          feeKobo: nullable(kobo('Cancellation fee that the carrier charged.', { example: 0 })).meta({
            description:
              'Charged cancellation fee, in kobo: the fee stated by the carrier, or the part of the price that it did not ' +
              'refund. Null until the cancellation is confirmed, and if the carrier states neither amount. A fee above the accepted ' +
              'fee causes the exception `cancellation_fee_above_accepted`.',
          }),
          refundKobo: nullable(
            kobo('Amount that the carrier refunded for the cancelled shipment.', { example: 0 }),
          ).meta({
            description:
              'Amount that the carrier refunded for the cancelled shipment, in kobo. Null if the carrier states no amount.',
          }),
        })
        .meta({ description: 'Cancellation of the shipment, and its cost.' }),
      metadata: Metadata,
      mode: z
        .enum(['live', 'test'])
        .meta({ description: 'Mode of the shipment: `live` or `test`.', examples: ['live'] }),
      version: z
        .int()
        .min(1)
        .meta({
          description: 'Version of the shipment, incremented with each change. The version is part of the ETag.',
          examples: [3],
        }),
      createdAt: timestamp('When the shipment was created.'),
      updatedAt: timestamp('When the shipment last changed.'),
      assignedAt: nullable(timestamp('When a rider was assigned.')).meta({
        description: 'When a rider was assigned. Null until then.',
      }),
      pickedUpAt: nullable(timestamp('When the parcels were picked up.')).meta({
        description: 'When the parcels were picked up. Null until then.',
      }),
      deliveredAt: nullable(timestamp('When the parcels were delivered.')).meta({
        description: 'When the parcels were delivered. Null until then.',
      }),
    })
    .meta({ description: 'Shipment: parcels that a carrier transports from a pickup to a dropoff.' }),
)

export type Shipment = z.output<typeof Shipment>

export const cancellationNote = text('Note about the cancellation, for staff.', {
  isPersonal: true,
  max: 280,
  lines: 'many',
  example: 'Wrong size packed.',
})
