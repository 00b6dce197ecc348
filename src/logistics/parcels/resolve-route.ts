import { type Parcel, weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { Place, PlaceInput } from '../../../registry/logistics/place.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { type ServiceLevel, type Vehicle, vehicles } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findOrderToShip, type OrderToShip } from '../../store/orders/order-parcels.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { type ImprecisePlace, imprecisePlaceOf, reachableLevels } from '../places/imprecise-place.ts'
import { findPlace, wayMeters } from '../places/places.ts'
import { activeShipmentOf, openItemsOf, type UnavailableItem, unavailableItemsOf } from './open-items.ts'
import { dropoffOfOrder, parcelsOfItems } from './parcels-of-order.ts'

/** What a client says about what goes where, in a quote, a dispatch or a schedule. */
export interface Wanted {
  readonly pickup: PlaceInput | undefined
  readonly dropoff: PlaceInput | undefined
  readonly parcels: readonly Parcel[] | undefined
  readonly orderId: OrderId | undefined
  readonly items: readonly ShipmentItem[] | undefined
  readonly serviceLevels: readonly ServiceLevel[] | undefined
  readonly vehicle: Vehicle | undefined
}

/** The same, understood: places found on the map, an order’s address and lines filled in. */
export interface Understood {
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  readonly orderId: OrderId | null
  /** Undefined for every unit that is open when the shipment is made. */
  readonly items: readonly ShipmentItem[] | undefined
  /** The levels the request names; null asks for offers of all of them. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  readonly vehicle: Vehicle
  readonly distanceMeters: number
  readonly warnings: readonly QuoteWarning[]
}

export type ResolveRouteOutcome =
  | { readonly is: 'understood'; readonly wanted: Understood }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_over'; readonly status: OrderStatus }
  /** Every unit of the order was sent or is in a shipment, and the request names no parcels. */
  | { readonly is: 'nothing_to_send'; readonly shipmentId: ShipmentId | undefined }
  | ItemsRefusal
  /** The request names none, and the merchant has no default. */
  | { readonly is: 'pickup_missing' }
  /** It is collected, or has more kinds of lines than a shipment takes: the request must say what goes where. */
  | { readonly is: 'order_says_too_little'; readonly missing: readonly string[] }
  | { readonly is: 'outside_coverage'; readonly place: 'pickup' | 'dropoff' }
  /** Only a rider on demand is wanted, who would not find it. */
  | ({ readonly is: 'address_imprecise' } & ImprecisePlace)

export async function resolveRoute(
  context: LogisticsContext,
  { merchantId }: Tenant,
  wanted: Wanted,
): Promise<ResolveRouteOutcome> {
  const { database } = context
  const [settings, order] = await Promise.all([
    getMerchantSettings(database, merchantId),
    wanted.orderId === undefined ? undefined : findOrderToShip(database, merchantId, wanted.orderId),
  ])
  if (wanted.orderId !== undefined && order === undefined) return { is: 'order_unknown' }
  if (order !== undefined && isOrderOver(order.status)) return { is: 'order_over', status: order.status }
  const dropoffInput = wanted.dropoff ?? (order && dropoffOfOrder(order))
  const items = wanted.items ?? (order === undefined ? [] : openItemsOf(order))
  const refused = order && refusalOfItems(order, items)
  if (refused !== undefined) return refused
  const parcels = wanted.parcels ?? (order && parcelsOfItems(order, items))
  if (order !== undefined && parcels?.length === 0)
    return { is: 'nothing_to_send', shipmentId: activeShipmentOf(order) }
  if (dropoffInput === undefined || parcels === undefined) {
    const all = { dropoff: dropoffInput, parcels }
    const missing = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [name] : []))
    return { is: 'order_says_too_little', missing }
  }
  const pickupInput = wanted.pickup ?? settings.defaultPickup
  if (pickupInput === null) return { is: 'pickup_missing' }
  const [pickup, dropoff] = await Promise.all([
    findPlace(context, settings.defaultState, pickupInput),
    findPlace(context, settings.defaultState, dropoffInput),
  ])
  if (pickup.is === 'outside_coverage') return { is: 'outside_coverage', place: 'pickup' }
  if (dropoff.is === 'outside_coverage') return { is: 'outside_coverage', place: 'dropoff' }
  const levels = wanted.serviceLevels ?? null
  const ends = { pickup: pickup.place, dropoff: dropoff.place }
  const vague = imprecisePlaceOf(ends)
  if (vague !== undefined && reachableLevels(ends, levels).length === 0) return { is: 'address_imprecise', ...vague }
  return {
    is: 'understood',
    wanted: {
      pickup: pickup.place,
      dropoff: dropoff.place,
      parcels,
      orderId: wanted.orderId ?? null,
      items,
      serviceLevels: levels,
      vehicle: wanted.vehicle ?? vehicleFor(parcels),
      distanceMeters: wayMeters(pickup.place, dropoff.place),
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

/** Why the order cannot give a shipment these items. */
export function refusalOfItems(order: OrderToShip, items: readonly ShipmentItem[]): ItemsRefusal | undefined {
  const known = new Set(order.lines.map(({ itemId }) => itemId))
  const itemIds = items.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId)
  if (itemIds.length > 0) return { is: 'items_unknown', itemIds }
  const unavailable = unavailableItemsOf(order, items)
  return unavailable.length > 0 ? { is: 'items_unavailable', items: unavailable } : undefined
}

/** What comes back, or was called off, goes to nobody. */
export function isOrderOver(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'returned'
}

/** What each takes: a box behind a bike’s rider, a boot, a van; what is more goes by truck. */
const loads: Readonly<Record<Exclude<Vehicle, 'truck'>, { readonly grams: number; readonly sideCm: number }>> = {
  bike: { grams: 15_000, sideCm: 50 },
  car: { grams: 30_000, sideCm: 100 },
  van: { grams: 50_000, sideCm: 200 },
}

/** The smallest that takes them all. */
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
