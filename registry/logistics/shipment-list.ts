import { z } from 'zod'
import { list } from '../kit/endpoint.ts'
import { queryChoices } from '../kit/query.ts'
import { anySpelling } from '../values/phone.ts'
import { instant, named, OrderId, ReturnId, text } from '../values/vocabulary.ts'
import { Place } from './place.ts'
import { CarrierName } from './quote.ts'
import { Shipment, shipmentReference } from './shipment.ts'
import { shipmentExample } from './shipment-example.ts'
import { ShipmentException } from './shipment-exception.ts'
import { shipmentExceptionCodes, shipmentStatuses } from './shipment-states.ts'

/**
 * A shipment in the list, with the fields by which a person recognises the shipment and sees whether it needs manual
 * action.
 */
export const ShipmentSummary = named(
  'ShipmentSummary',
  z
    .object({
      id: Shipment.shape.id,
      reference: Shipment.shape.reference,
      orderId: Shipment.shape.orderId,
      returnId: Shipment.shape.returnId,
      status: Shipment.shape.status,
      carrier: Shipment.shape.carrier,
      carrierReference: Shipment.shape.carrierReference,
      trackingUrl: Shipment.shape.trackingUrl,
      currency: Shipment.shape.currency,
      priceKobo: Shipment.shape.priceKobo,
      codAmountKobo: Shipment.shape.codAmountKobo,
      codCollectedKobo: Shipment.shape.codCollectedKobo,
      codCollectedAt: Shipment.shape.codCollectedAt,
      attemptCount: z
        .int()
        .min(0)
        .meta({ description: 'Number of dispatch attempts of the shipment.', examples: [1] }),
      recipient: z
        .object({
          name: Place.shape.name,
          area: Place.shape.area,
          lga: Place.shape.lga,
          state: Place.shape.state,
        })
        .meta({
          description:
            'Name of the recipient, with the area and the state of the dropoff. `GET /logistics/shipments/{id}` returns the full address.',
        }),
      openExceptions: z.array(ShipmentException.shape.code).meta({
        description: 'Types of the open exceptions of the shipment. Empty if the shipment has none.',
        examples: [['courier_late']],
      }),
      createdAt: Shipment.shape.createdAt,
      updatedAt: Shipment.shape.updatedAt,
      deliveredAt: Shipment.shape.deliveredAt,
    })
    .meta({ description: 'Shipment in a list.' }),
)

export type ShipmentSummary = z.output<typeof ShipmentSummary>

const {
  id,
  reference,
  orderId,
  returnId,
  status,
  carrier,
  carrierReference,
  trackingUrl,
  currency,
  priceKobo,
  ...more
} = shipmentExample
const { name, area, lga, state } = more.dropoff

export const listShipments = list({
  id: 'listShipments',
  path: '/logistics/shipments',
  tag: 'Logistics',
  summary: 'List shipments',
  description:
    'Returns shipments, newest first. With `exception=any`, returns the shipments that need manual action. The ' +
    'list has the main fields of each shipment: `GET /logistics/shipments/{id}` returns all fields.',
  access: 'logistics:read',
  filters: z.strictObject({
    status: queryChoices(shipmentStatuses, 'Returns only shipments with one of these statuses.').optional(),
    orderId: OrderId.optional().meta({
      description: 'Returns only shipments of this order, without the shipments of its returns.',
    }),
    returnId: ReturnId.optional().meta({ description: 'Returns only shipments of this return.' }),
    reference: shipmentReference
      .optional()
      .meta({ description: 'Returns only the shipment with this reference.', examples: ['ORD-7K2M9QX4-1'] }),
    carrier: CarrierName.optional().meta({
      description: 'Returns only shipments that this carrier accepted.',
      examples: ['simulator-swift'],
    }),
    exception: queryChoices(
      ['any', ...shipmentExceptionCodes],
      'Returns only shipments with an open exception of one of these types. `any` returns the shipments with any open exception.',
    ).optional(),
    q: text(`Search text: part of the reference, or of the name or phone number of the customer. ${anySpelling}`, {
      isPersonal: true,
      min: 2,
      max: 100,
      example: 'adaeze',
    }).optional(),
    deliveredFrom: instant('Returns only shipments delivered at or after this time.').optional(),
    createdFrom: instant('Returns only shipments created at or after this time.').optional(),
    createdTo: instant('Returns only shipments created before this time.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: ShipmentSummary,
  pageName: 'ShipmentPage',
  example: {
    ...{ id, reference, orderId, returnId, status, carrier, carrierReference, trackingUrl, currency, priceKobo },
    codAmountKobo: more.codAmountKobo,
    codCollectedKobo: more.codCollectedKobo,
    codCollectedAt: more.codCollectedAt,
    attemptCount: 1,
    recipient: { name, area, lga, state },
    openExceptions: [],
    createdAt: more.createdAt,
    updatedAt: more.updatedAt,
    deliveredAt: more.deliveredAt,
  },
})
