import { z } from 'zod'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { NairaAmount } from './amounts.ts'
import type { CarrierOrder, Tracking } from './carrier.ts'
import { lagosMoment } from './moments.ts'
import { shipbubbleStatus } from './shipbubble-texts.ts'

/** An order as Shipbubble returns it: in the response to a label request, in lists and in callbacks. */

const maybeText = z.string().nullish().catch(null)

const End = z.looseObject({ phone: maybeText, address: maybeText }).nullish().catch(null)

/**
 * A label of Shipbubble. Only id and status are required, because Shipbubble's own SDK notes that its OpenAPI document
 * lacks keys.
 */
export const Label = z.looseObject({
  order_id: z.string().min(1).max(100),
  status: z.string().min(1),
  tracking_url: maybeText,
  waybill_document: maybeText,
  date: maybeText,
  payment: z
    .looseObject({ shipping_fee: NairaAmount.optional().catch(undefined) })
    .nullish()
    .catch(null),
  ship_to: End,
  courier: z
    .looseObject({
      rider_info: z
        .looseObject({ name: z.string().min(1) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  package_status: z.array(z.looseObject({ status: z.string().catch(''), datetime: maybeText })).catch([]),
})

export type Label = z.output<typeof Label>

export function orderOfLabel(label: Label): CarrierOrder {
  return {
    carrierReference: label.order_id,
    priceKobo: label.payment?.shipping_fee,
    trackingUrl: label.tracking_url ?? undefined,
    labelUrl: label.waybill_document ?? undefined,
    status: shipbubbleStatus(label.status),
  }
}

export function trackingOfLabel(label: Label): Tracking {
  const rider = label.courier?.rider_info
  return {
    status: shipbubbleStatus(label.status),
    carrierStatus: label.status,
    priceKobo: label.payment?.shipping_fee,
    at: momentsOf(label).at(-1),
    position: undefined,
    // The rider's phone number is omitted, because Shipbubble possibly does not mask it.
    courier: rider ? { name: rider.name, vehicle: undefined, phone: undefined, plateLastFour: undefined } : undefined,
    dropoffAt: undefined,
    proof: [],
  }
}

/** Undefined if the label has no timestamp. */
export function labelMadeAt(label: Label): Timestamp | undefined {
  return lagosMoment(label.date) ?? momentsOf(label)[0]
}

/** The timestamps are sorted here, because Shipbubble does not document the order of its list. */
function momentsOf({ package_status }: Label): readonly Timestamp[] {
  return package_status.flatMap(({ datetime }) => lagosMoment(datetime) ?? []).toSorted()
}
