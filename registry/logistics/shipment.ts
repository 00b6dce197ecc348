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
  ShipmentId,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { DispatchAttempt } from './dispatch-attempt.ts'
import { CarriedParcel, parcelExample } from './parcel.ts'
import { dropoffExample, Place, pickupExample } from './place.ts'
import { PlannedOffer } from './planned-offer.ts'
import { CapturedProof } from './proof.ts'
import { ShipmentWarnings } from './quote-warnings.ts'
import { CarrierName, Estimate, ServiceLevelName, VehicleName } from './quotes.ts'
import { ShipmentException } from './shipment-exception.ts'
import { ShippedItems, shipmentItemsExample } from './shipment-item.ts'
import { shipmentStatuses, undeliverableActions } from './shipment-states.ts'
import { QuotedWindow } from './window.ts'

export const shipmentReference = impersonalText()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits, dots, hyphens and underscores.' })
  .meta({ maxLength: 64 })
  .meta({
    description: 'Your own name for the shipment, unique for ever. The same request with it is the same shipment.',
    examples: ['ORD-7K2M9QX4-1'],
  })

export const ShipmentStatusName = named(
  'ShipmentStatus',
  z.enum(shipmentStatuses).meta({ description: 'Where the shipment is. More values may be added.' }),
)

export const ShipmentEvent = named(
  'ShipmentEvent',
  z
    .object({
      status: nullable(ShipmentStatusName).meta({ description: 'The state it tells of; null where it tells of none.' }),
      description: personalText().meta({
        description: 'What happened, in words.',
        examples: ['A rider was assigned.'],
      }),
      source: z.enum(['request', 'callback', 'poll', 'service']).meta({
        description:
          'Where the news came from: a request of yours, the carrier by itself, the carrier when asked, or this service.',
        examples: ['callback'],
      }),
      carrierStatus: nullable(impersonalText()).meta({ description: 'The carrier’s own word.' }),
      attemptNumber: nullable(z.int()).meta({ description: 'The asking it belongs to.' }),
      applied: z
        .boolean()
        .meta({ description: 'False where it came too late, or did not fit, and moved nothing.', examples: [true] }),
      at: timestamp('When it happened, by the clock of whoever told.'),
      receivedAt: timestamp('When this service learnt of it.'),
    })
    .meta({ description: 'One piece of news of a shipment.' }),
)

export type ShipmentEvent = z.output<typeof ShipmentEvent>

export const CourierSeen = named(
  'Courier',
  z
    .object({
      name: personalText().meta({ description: 'What the rider is called.', examples: ['Musa'] }),
      vehicle: nullable(VehicleName).meta({ description: 'What the rider comes with.' }),
      phone: nullable(personalText()).meta({
        description: 'A number that the carrier masks; others are not passed on.',
      }),
      plateLastFour: nullable(personalText()).meta({ description: 'The end of the number plate.', examples: ['42KJ'] }),
    })
    .meta({ description: 'Who carries it.' }),
)

const flag = (description: string) => z.boolean().meta({ description, examples: [false] })

export const Shipment = named(
  'Shipment',
  z
    .object({
      id: ShipmentId,
      reference: shipmentReference,
      orderId: nullable(OrderId).meta({ description: 'The order that is sent.' }),
      items: ShippedItems,
      quoteId: nullable(QuoteId).meta({ description: 'The quote it was made of.' }),
      status: ShipmentStatusName,
      statusReason: nullable(
        z
          .object({
            code: impersonalText().meta({ description: 'Why, as a code.', examples: ['no_carrier_available'] }),
            message: personalText().meta({ description: 'The same in words.' }),
          })
          .meta({ description: 'Why it is there.' }),
      ).meta({ description: 'Why it is there, where there is something to say.' }),
      carrier: nullable(
        z
          .object({
            code: CarrierName,
            name: impersonalText().meta({ description: 'Its name.', examples: ['Simulator Swift'] }),
          })
          .meta({ description: 'Who has it.' }),
      ).meta({ description: 'Who took it; null while nobody has.' }),
      service: nullable(impersonalText()).meta({ description: 'The carrier’s name for the service.' }),
      serviceLevel: nullable(ServiceLevelName).meta({ description: 'How soon it arrives.' }),
      vehicle: VehicleName,
      carrierReference: nullable(impersonalText()).meta({ description: 'The carrier’s name for the order.' }),
      trackingUrl: nullable(personalText()).meta({ description: 'The carrier’s own page about it.' }),
      labelUrl: nullable(personalText()).meta({ description: 'Where the carrier’s label is, where it has one.' }),
      currency: Currency,
      quotedPriceKobo: kobo(
        'The price of the offer it began with, surge and all. Of one that is scheduled without a quote it is that of the offer ' +
          'that would have been asked for first when it was made, until its time comes; 0 where nobody offered anything then.',
        { example: 250000 },
      ),
      priceKobo: nullable(kobo('What it costs with the carrier that took it.', { example: 250000 })).meta({
        description:
          'What it costs with the carrier that took it, in kobo; null while nobody has. It is what the carrier charges, as ' +
          '`priceKobo` of its attempt says, and `surgeKobo`.',
      }),
      surgeKobo: kobo(
        'The part of `priceKobo` that this service adds to a rate card; nothing where the price is the carrier’s own of the moment.',
        { example: 0 },
      ),
      priceCeilingKobo: kobo(
        'What it may cost at most, surge and all: `failover.maxPriceKobo`, or the first offer and `failover.maxPriceIncreaseKobo`, ' +
          'or the higher of 1.5 times the first offer and the price of the next carrier. No carrier is asked that wants more; one that takes it and then charges ' +
          'more has the exception `price_above_ceiling`. Of one that is scheduled it is settled when it is made, and by the prices ' +
          'of then where `failover` names none; 0 where nobody offered anything then, until its time comes.',
        { example: 375000 },
      ),
      pickup: Place,
      dropoff: Place,
      parcels: z.array(CarriedParcel).meta({ description: 'What is carried.' }),
      distanceMeters: z
        .int()
        .min(0)
        .meta({ description: 'Estimated way by road, in metres.', examples: [9400] }),
      proof: z
        .object({
          photo: flag('Whether the rider takes a picture.'),
          signature: flag('Whether the recipient signs.'),
          pin: nullable(personalText()).meta({
            description: 'What the recipient tells the rider.',
            examples: ['4821'],
          }),
          captured: z.array(CapturedProof).meta({ description: 'What was taken.' }),
        })
        .meta({ description: 'How the handover is proven.' }),
      undeliverableAction: z
        .enum(undeliverableActions)
        .meta({ description: 'What happens when nobody is there.', examples: ['return'] }),
      courier: nullable(CourierSeen).meta({
        description: 'Who carries it; null while nobody is named, and once it is over.',
      }),
      pickupEta: nullable(Estimate).meta({
        description:
          'When it is expected to be fetched, as the carrier that has it said when it took it; null while nobody has it, ' +
          'and where the carrier says nothing of that. Half an hour after `p90` without a pickup it has the exception ' +
          '`pickup_late`.',
      }),
      deliveryEta: nullable(Estimate).meta({ description: 'When it is expected to arrive.' }),
      pickupWindow: nullable(QuotedWindow).meta({
        description: 'When it was to be fetched, if its quote said so. One that lies ahead is waited for.',
      }),
      dropoffWindow: nullable(QuotedWindow).meta({
        description: 'When it was to arrive, if its quote said so. Offers that come later are not asked for.',
      }),
      dispatchAt: nullable(timestamp('When a carrier is first called.')).meta({
        description: 'When a carrier is first called, or was; null while that is not known.',
      }),
      scheduledPickupAt: nullable(timestamp('When the rider is expected.')).meta({
        description:
          'When the rider is expected, of one that is scheduled by what is foretold or for a window of its quote; null else.',
      }),
      plan: z.array(PlannedOffer).meta({
        description:
          'The offers that are asked for, in this order, as long as `failover` allows: one carrier after the other. Without ' +
          'other preferences these are all offers of the fastest service level, and of the next level where one carrier alone ' +
          'offers that. Offers above `priceCeilingKobo` come last and are passed over. Of one that is scheduled without a quote ' +
          'it is empty until its time comes.',
      }),
      attempts: z.array(DispatchAttempt).meta({ description: 'Every asking of a carrier, oldest first.' }),
      timeline: z.array(ShipmentEvent).max(100).meta({ description: 'Its last hundred events, newest first.' }),
      exceptions: z.array(ShipmentException).meta({ description: 'What a person should look at, beside the status.' }),
      warnings: ShipmentWarnings,
      cancellation: z
        .object({
          allowed: flag('Whether it can still be called off.'),
          estimatedFeeKobo: nullable(kobo('What the carrier would charge for that now.', { example: 0 })).meta({
            description: 'What the carrier would charge for that now, in kobo; null where it cannot be called off.',
          }),
          status: nullable(z.enum(['cancelling', 'cancelled'])).meta({
            description:
              '`cancelling` until its carrier confirms, then `cancelled`; null where it was not asked for, or its carrier refused.',
            examples: ['cancelled'],
          }),
          requestedAt: nullable(timestamp('When it was asked for.')).meta({ description: 'When it was asked for.' }),
          confirmedAt: nullable(timestamp('When it was done.')).meta({ description: 'When it was done.' }),
          reason: nullable(impersonalText()).meta({ description: 'The reason given.', examples: ['customer_request'] }),
          note: nullable(personalText()).meta({ description: 'The note given.', examples: ['Wrong size packed.'] }),
          feeKobo: nullable(kobo('What it cost.', { example: 0 })).meta({
            description:
              'What it cost, in kobo, once it is done: the carrier’s fee, or what it did not give back of its price; null ' +
              'where it says neither. More than was accepted is the exception `cancellation_fee_above_accepted`.',
          }),
          refundKobo: nullable(kobo('What the carrier gave back.', { example: 0 })).meta({
            description: 'What the carrier gave back, in kobo, where it says so.',
          }),
        })
        .meta({ description: 'Whether it can be called off, and what that costs or cost.' }),
      metadata: Metadata,
      mode: z
        .enum(['live', 'test'])
        .meta({ description: 'Which side of the merchant it belongs to.', examples: ['live'] }),
      version: z
        .int()
        .min(1)
        .meta({ description: 'Counts its changes; it is its ETag, too.', examples: [3] }),
      createdAt: timestamp('When it was made.'),
      updatedAt: timestamp('When it last changed.'),
      assignedAt: nullable(timestamp('When a rider was named.')).meta({ description: 'When a rider was named.' }),
      pickedUpAt: nullable(timestamp('When it was fetched.')).meta({ description: 'When it was fetched.' }),
      deliveredAt: nullable(timestamp('When it arrived.')).meta({ description: 'When it arrived.' }),
    })
    .meta({ description: 'Parcels on the way from one place to another.' }),
)

export type Shipment = z.output<typeof Shipment>

export const cancellationNote = text('More about the reason, for staff.', {
  isPersonal: true,
  max: 280,
  lines: 'many',
  example: 'Wrong size packed.',
})

export const shipmentExample = {
  id: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
  reference: 'ORD-7K2M9QX4-1',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  items: [...shipmentItemsExample],
  quoteId: 'qte_01jd3f8q6hf5n8v1zr4c7e2m9k',
  status: 'awaiting_courier',
  statusReason: null,
  carrier: { code: 'simulator-swift', name: 'Simulator Swift' },
  service: 'Bike express',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  carrierReference: 'SW-7F2KQ9',
  trackingUrl: null,
  labelUrl: null,
  currency: 'NGN',
  quotedPriceKobo: 250000,
  priceKobo: 250000,
  surgeKobo: 0,
  priceCeilingKobo: 375000,
  pickup: pickupExample,
  dropoff: dropoffExample,
  parcels: [parcelExample],
  distanceMeters: 9400,
  proof: { photo: true, signature: false, pin: null, captured: [] },
  undeliverableAction: 'return',
  courier: null,
  pickupEta: { p50: '2026-11-21T08:45:00.000Z', p90: '2026-11-21T08:55:00.000Z' },
  deliveryEta: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:40:00.000Z' },
  pickupWindow: null,
  dropoffWindow: null,
  dispatchAt: '2026-11-21T08:31:00.000Z',
  scheduledPickupAt: null,
  plan: [
    {
      offerId: 'off_01jd3f8q6hf5n8v1zr4c7e2m9k',
      carrier: 'simulator-swift',
      carrierName: 'Simulator Swift',
      service: 'Bike express',
      serviceLevel: 'on_demand',
      vehicle: 'bike',
      priceKobo: 250000,
      expectedCostKobo: 357267,
      pickupEta: { p50: '2026-11-21T08:48:00.000Z', p90: '2026-11-21T09:02:00.000Z' },
      dropoffEta: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:40:00.000Z' },
      reliability: 0.94,
    },
  ],
  attempts: [
    {
      id: 'att_01jd3f8q6hf5n8v1zr4c7e2m9k',
      number: 1,
      carrier: 'simulator-swift',
      service: 'Bike express',
      state: 'accepted',
      outcome: { code: 'accepted', message: 'The carrier took it.' },
      priceKobo: 250000,
      carrierReference: 'SW-7F2KQ9',
      cancellationFeeKobo: null,
      duplicateCostKobo: null,
      superseded: false,
      latencyMs: 611,
      startedAt: '2026-11-21T08:31:00.000Z',
      endedAt: '2026-11-21T08:31:00.611Z',
    },
  ],
  timeline: [
    {
      status: 'awaiting_courier',
      description: 'Simulator Swift took it.',
      source: 'service',
      carrierStatus: null,
      attemptNumber: 1,
      applied: true,
      at: '2026-11-21T08:31:00.611Z',
      receivedAt: '2026-11-21T08:31:00.611Z',
    },
  ],
  exceptions: [],
  warnings: [],
  cancellation: {
    allowed: true,
    estimatedFeeKobo: 0,
    status: null,
    requestedAt: null,
    confirmedAt: null,
    reason: null,
    note: null,
    feeKobo: null,
    refundKobo: null,
  },
  metadata: {},
  mode: 'live',
  version: 2,
  createdAt: '2026-11-21T08:31:00.000Z',
  updatedAt: '2026-11-21T08:31:00.611Z',
  assignedAt: null,
  pickedUpAt: null,
  deliveredAt: null,
} as const satisfies z.input<typeof Shipment>
