import { type Parcel, weightGramsOf } from '../../../registry/logistics/parcel.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { type ServiceLevel, type Vehicle, vehicles } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, MerchantId, OrderId, ReturnId } from '../../../registry/values/vocabulary.ts'
import { uncollectedKobo } from '../../commerce/orders/uncollected-cash.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findOrderToShip } from '../../store/orders/order-parcels.ts'
import { findReturn } from '../../store/returns/returns.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { type ImprecisePlace, imprecisePlaceOf, reachableLevels } from '../places/imprecise-place.ts'
import { findPlace, routeMeters } from '../places/places.ts'
import {
  type Contents,
  type ContentsInput,
  type ContentsRefusal,
  contentsOfOrder,
  contentsOfReturn,
  type ReturnedOrder,
} from './route-contents.ts'

/** The fields of a quote, dispatch or schedule request that describe the pickup, the dropoff and the parcels. */
export interface RouteInput extends ContentsInput {
  readonly serviceLevels: readonly ServiceLevel[] | undefined
  readonly vehicle: Vehicle | undefined
}

/**
 * A request with its missing values filled in: from the order or the return, and from the merchant's defaults. The
 * pickup and the dropoff have coordinates.
 */
export interface ResolvedRoute {
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  readonly orderId: OrderId | null
  /** The return whose units the parcels contain. Null for a shipment to a customer. */
  readonly returnId: ReturnId | null
  /**
   * The items of the shipment. If undefined, the shipment contains every unit that can be shipped when it is created.
   */
  readonly items: readonly ShipmentItem[] | undefined
  /** Null requests offers of all levels. */
  readonly serviceLevels: readonly ServiceLevel[] | null
  readonly vehicle: Vehicle
  readonly distanceMeters: number
  readonly warnings: readonly QuoteWarning[]
}

export type ResolveRouteOutcome =
  | {
      readonly is: 'resolved'
      readonly route: ResolvedRoute
      /** Maximum cash on delivery: the part of the order's amount due that no other shipment collects. Null without an order. */
      readonly cashMaxKobo: Kobo | null
    }
  | ContentsRefusal
  | { readonly is: 'outside_coverage'; readonly place: 'pickup' | 'dropoff' }
  /** The request asks only for on-demand delivery, and the address is too imprecise for this service level. */
  | ({ readonly is: 'address_imprecise' } & ImprecisePlace)

/** Fields that the request omits come from the order or the return, and from the merchant's defaults. */
export async function resolveRoute(
  context: LogisticsContext,
  { merchantId }: Tenant,
  input: RouteInput,
): Promise<ResolveRouteOutcome> {
  const { database } = context
  const { orderId, returnId } = input
  const [settings, order, returned] = await Promise.all([
    getMerchantSettings(database, merchantId),
    orderId === undefined ? undefined : findOrderToShip(database, { merchantId, id: orderId }),
    returnId === undefined ? undefined : findReturnedOrder(database, merchantId, returnId),
  ])
  const { defaultPickup, defaultState } = settings
  const contents =
    returnId === undefined
      ? contentsOfOrder(input, order, defaultPickup)
      : contentsOfReturn(input, returned, defaultPickup)
  if (contents.is !== 'contents') return contents
  const located = await locate({ context, defaultState }, input, contents)
  if (located.is !== 'located') return located
  const cashMaxKobo = order === undefined ? null : uncollectedKobo(order, order)
  return { is: 'resolved', route: located.route, cashMaxKobo }
}

async function findReturnedOrder(db: ReadDb, merchantId: MerchantId, id: ReturnId): Promise<ReturnedOrder | undefined> {
  const found = await findReturn(db, merchantId, id)
  const order = found && (await findOrderToShip(db, { merchantId, id: found.orderId }))
  return order && { found, order }
}

interface Gazetteer {
  readonly context: LogisticsContext
  readonly defaultState: Place['state']
}

type LocateOutcome =
  | { readonly is: 'located'; readonly route: ResolvedRoute }
  | Extract<ResolveRouteOutcome, { is: 'outside_coverage' | 'address_imprecise' }>

/** Determines the coordinates of the pickup and the dropoff, and the vehicle for the parcels. */
async function locate(
  { context, defaultState }: Gazetteer,
  input: RouteInput,
  contents: Contents,
): Promise<LocateOutcome> {
  const { parcels, items } = contents
  const [pickup, dropoff] = await Promise.all([
    findPlace(context, defaultState, contents.pickup),
    findPlace(context, defaultState, contents.dropoff),
  ])
  if (pickup.is === 'outside_coverage') return { is: 'outside_coverage', place: 'pickup' }
  if (dropoff.is === 'outside_coverage') return { is: 'outside_coverage', place: 'dropoff' }
  const levels = input.serviceLevels ?? null
  const ends = { pickup: pickup.place, dropoff: dropoff.place }
  const vague = imprecisePlaceOf(ends)
  if (vague !== undefined && reachableLevels(ends, levels).length === 0) return { is: 'address_imprecise', ...vague }
  return {
    is: 'located',
    route: {
      pickup: pickup.place,
      dropoff: dropoff.place,
      parcels,
      orderId: input.orderId ?? null,
      returnId: input.returnId ?? null,
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

/** The maximum load of each vehicle: the box of a bike, the boot of a car, a van. Larger loads need a truck. */
const loads: Readonly<Record<Exclude<Vehicle, 'truck'>, { readonly grams: number; readonly sideCm: number }>> = {
  bike: { grams: 15_000, sideCm: 50 },
  car: { grams: 30_000, sideCm: 100 },
  van: { grams: 50_000, sideCm: 200 },
}

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
