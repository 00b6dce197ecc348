import { z } from 'zod'
import { serviceLevels, vehicles } from '../../../registry/logistics/shipment-states.ts'
import { testCarrierStatuses } from '../../../registry/service/test-carriers.ts'
import { kobo, timestamp } from '../../../registry/values/vocabulary.ts'
import type { CarrierOrder, Tracking } from './carrier.ts'

/** Schemas of the simulated carriers' responses. Unknown fields are ignored. */

const orUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema, z.null()]).transform((value) => value ?? undefined)

const moment = timestamp('When.')
const span = z.object({ p50: z.number(), p90: z.number() })

export const OfferList = z.object({
  offers: z.array(
    z.object({
      token: z.string(),
      service: z.string(),
      serviceLevel: z.enum(serviceLevels),
      vehicle: z.enum(vehicles),
      priceKobo: kobo('Price.'),
      breakdown: z.array(z.object({ code: z.string(), label: z.string(), amountKobo: kobo('Part.') })),
      pickupMinutes: span,
      dropoffMinutes: span,
      expiresAt: orUndefined(moment),
    }),
  ),
})

const Summary = z.object({
  number: z.string(),
  reference: z.string(),
  priceKobo: kobo('Price.'),
  status: z.string(),
  statusAt: moment,
})

export const Order = Summary.extend({
  rider: orUndefined(z.object({ name: z.string(), plateLastFour: z.string(), vehicle: z.enum(vehicles) })),
  position: orUndefined(
    z.object({
      lat: z.number(),
      lng: z.number(),
      headingDegrees: orUndefined(z.number()),
      at: moment,
    }),
  ),
  dropoffAt: orUndefined(z.object({ p50: moment, p90: moment })),
  proof: orUndefined(z.object({ type: z.enum(['photo', 'pin']), at: moment })),
  cashCollectedKobo: orUndefined(kobo('Collected cash.')).optional(),
})

export const Cancelled = Order.extend({ cancellationFeeKobo: kobo('Fee.'), refundKobo: kobo('Refund.') })

export const OrderList = z.object({ orders: z.array(Order) })

export const OrderPage = z.object({ orders: z.array(Summary), next: z.union([z.string(), z.null()]) })

export function carrierOrderOf({ number, priceKobo, status }: z.output<typeof Summary>): CarrierOrder {
  return {
    carrierReference: number,
    priceKobo,
    trackingUrl: undefined,
    labelUrl: undefined,
    status: shipmentStatusOf(status),
  }
}

export function trackingOf(order: z.output<typeof Order>): Tracking {
  const { status, statusAt, priceKobo, rider, position, dropoffAt, proof, cashCollectedKobo } = order
  return {
    status: shipmentStatusOf(status),
    carrierStatus: status,
    priceKobo,
    at: statusAt,
    position: position && {
      lat: position.lat,
      lng: position.lng,
      headingDegrees: position.headingDegrees,
      recordedAt: position.at,
    },
    courier: rider && {
      name: rider.name,
      vehicle: rider.vehicle,
      phone: undefined,
      plateLastFour: rider.plateLastFour,
    },
    dropoffAt,
    cashKobo: cashCollectedKobo,
    proof: proof === undefined ? [] : [{ type: proof.type, url: undefined, capturedAt: proof.at }],
  }
}

const meanings: Readonly<Record<string, Tracking['status']>> = testCarrierStatuses

function shipmentStatusOf(word: string): Tracking['status'] {
  return Object.hasOwn(meanings, word) ? meanings[word] : undefined
}
