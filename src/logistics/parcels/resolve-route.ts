import { type Parcel, weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { Place, PlaceInput } from '../../../registry/logistics/place.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { type ServiceLevel, type Vehicle, vehicles } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import {
  activeShipmentOf,
  isUnshippable,
  openItemsOf,
  type UnavailableItem,
  unavailableItemsOf,
} from '../../commerce/orders/open-items.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findOrderToShip, type OrderToShip } from '../../store/orders/order-parcels.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { type ImprecisePlace, imprecisePlaceOf, reachableLevels } from '../places/imprecise-place.ts'
import { findPlace, routeMeters } from '../places/places.ts'
import { dropoffOfOrder, parcelsOfItems } from './parcels-of-order.ts'

/** The fields of a quote, dispatch or schedule request that describe the pickup, the dropoff and the parcels. */
export interface RouteInput {
  readonly pickup: PlaceInput | undefined
  readonly dropoff: PlaceInput | undefined
  readonly parcels: readonly Parcel[] | undefined
  readonly orderId: OrderId | undefined
  readonly items: readonly ShipmentItem[] | undefined
  readonly serviceLevels: readonly ServiceLevel[] | undefined
  readonly vehicle: Vehicle | undefined
}

/**
 * The completed request. Its pickup and dropoff have coordinates. If the request omitted the address or the items, they
 * are those of the order.
 */
export interface ResolvedRoute {
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  readonly orderId: OrderId | null
  /**
   * The items of the shipment. If undefined, the shipment contains every unit that can be shipped when it is created.
   */
  readonly items: readonly ShipmentItem[] | undefined
  /** The requested service levels. Null requests offers of all levels. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  readonly vehicle: Vehicle
  readonly distanceMeters: number
  readonly warnings: readonly QuoteWarning[]
}

export type ResolveRouteOutcome =
  | { readonly is: 'resolved'; readonly route: ResolvedRoute }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_ended'; readonly status: OrderStatus }
  /** Every unit was sent or is in a shipment, and the request names no parcels; or no unit may be shipped at all. */
  | { readonly is: 'nothing_to_ship'; readonly shipmentId: ShipmentId | undefined }
  | ItemsRefusal
  /** The request has no pickup, and the merchant has no default pickup address. */
  | { readonly is: 'pickup_missing' }
  /**
   * The customer collects the order, or the order exceeds the limits of a shipment. The request must therefore contain
   * the missing fields.
   */
  | { readonly is: 'order_incomplete'; readonly missing: readonly string[] }
  | { readonly is: 'outside_coverage'; readonly place: 'pickup' | 'dropoff' }
  /** Only on-demand delivery is requested, and the address is too imprecise for it. */
  | ({ readonly is: 'address_imprecise' } & ImprecisePlace)

/**
 * Determines the pickup, the dropoff and the parcels of a request. Fields that the request omits come from the order
 * and the merchant's defaults.
 */
export async function resolveRoute(
  context: LogisticsContext,
  { merchantId }: Tenant,
  input: RouteInput,
): Promise<ResolveRouteOutcome> {
  const { database } = context
  const [settings, order] = await Promise.all([
    getMerchantSettings(database, merchantId),
    input.orderId === undefined ? undefined : findOrderToShip(database, { merchantId, id: input.orderId }),
  ])
  if (input.orderId !== undefined && order === undefined) return { is: 'order_unknown' }
  if (order !== undefined && isOrderEnded(order.status)) return { is: 'order_ended', status: order.status }
  if (order !== undefined && isUnshippable(order)) return { is: 'nothing_to_ship', shipmentId: undefined }
  const dropoffInput = input.dropoff ?? (order && dropoffOfOrder(order))
  const items = input.items ?? (order === undefined ? [] : openItemsOf(order))
  const refused = order && itemsRefusal(order, items)
  if (refused !== undefined) return refused
  const parcels = input.parcels ?? (order && parcelsOfItems(order, items))
  if (order !== undefined && parcels?.length === 0)
    return { is: 'nothing_to_ship', shipmentId: activeShipmentOf(order) }
  if (dropoffInput === undefined || parcels === undefined) {
    const all = { dropoff: dropoffInput, parcels }
    const missing = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [name] : []))
    return { is: 'order_incomplete', missing }
  }
  const pickupInput = input.pickup ?? settings.defaultPickup
  if (pickupInput === null) return { is: 'pickup_missing' }
  const [pickup, dropoff] = await Promise.all([
    findPlace(context, settings.defaultState, pickupInput),
    findPlace(context, settings.defaultState, dropoffInput),
  ])
  if (pickup.is === 'outside_coverage') return { is: 'outside_coverage', place: 'pickup' }
  if (dropoff.is === 'outside_coverage') return { is: 'outside_coverage', place: 'dropoff' }
  const levels = input.serviceLevels ?? null
  const ends = { pickup: pickup.place, dropoff: dropoff.place }
  const vague = imprecisePlaceOf(ends)
  if (vague !== undefined && reachableLevels(ends, levels).length === 0) return { is: 'address_imprecise', ...vague }
  return {
    is: 'resolved',
    route: {
      pickup: pickup.place,
      dropoff: dropoff.place,
      parcels,
      orderId: input.orderId ?? null,
      items,
      serviceLevels: levels,
      vehicle: input.vehicle ?? vehicleFor(parcels),
      distanceMeters: routeMeters(pickup.place, dropoff.place),
      warnings: [
        ...pickup.warnings.map((warning) => `pickup_${warning}` as const),
        ...dropoff.warnings.map((warning) => `dropoff_${warning}` as const),
        ...(vague !== undefined && (levels?.includes('on_demand') ?? true) ? (['on_demand_unavailable'] as const) : []),
      ],
    },
  }
}

export type ItemsRefusal =
  | { readonly is: 'items_unknown'; readonly itemIds: readonly string[] }
  | { readonly is: 'items_unavailable'; readonly items: readonly UnavailableItem[] }

/** Returns why a shipment cannot contain the requested items of the order. Undefined if it can. */
export function itemsRefusal(order: OrderToShip, items: readonly ShipmentItem[]): ItemsRefusal | undefined {
  const known = new Set(order.lines.map(({ itemId }) => itemId))
  const itemIds = items.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId)
  if (itemIds.length > 0) return { is: 'items_unknown', itemIds }
  const unavailable = unavailableItemsOf(order, items)
  return unavailable.length > 0 ? { is: 'items_unavailable', items: unavailable } : undefined
}

/** Whether an order is cancelled or returned. Such an order cannot be shipped. */
export function isOrderEnded(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'returned'
}

/** The maximum load of each vehicle: the box of a bike, the boot of a car, a van. Larger loads need a truck. */
const loads: Readonly<Record<Exclude<Vehicle, 'truck'>, { readonly grams: number; readonly sideCm: number }>> = {
  bike: { grams: 15_000, sideCm: 50 },
  car: { grams: 30_000, sideCm: 100 },
  van: { grams: 50_000, sideCm: 200 },
}

/** Returns the smallest vehicle that can carry all parcels. */
export function vehicleFor(parcels: readonly Parcel[]): Vehicle {
  const grams = weightGramsOf(parcels)
  const sideCm = Math.max(
    ...parcels.map(({ lengthCm = 0, widthCm = 0, heightCm = 0 }) => Math.max(lengthCm, widthCm, heightCm)),
  )
  const fits = vehicles.find(
    (vehicle) => vehicle !== 'truck' && loads[vehicle].grams >= grams && loads[vehicle].sideCm >= sideCm,
  )
  return fits ?? 'truck'
}
