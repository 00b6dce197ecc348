import type { ServiceLevel, ShipmentStatus, Vehicle } from '../logistics/shipment-states.ts'
import type { State } from '../values/states.ts'

/**
 * The three simulated carriers of test mode. They transport and charge nothing. Their terms differ like those of real
 * carriers, so that tests cover the selection of offers and failover.
 */

export const testCarrierCodes = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
export type TestCarrierCode = (typeof testCarrierCodes)[number]

/**
 * Duration in seconds of a simulation step for a simulated carrier whose `pace` is 1: short enough to follow a
 * delivery, long enough to see each status.
 */
export const stepSeconds = 30

/** Simulated carriers round prices to multiples of 50 naira, like real carriers. */
export const priceStepKobo = 5_000

export interface TestService {
  readonly name: string
  readonly level: ServiceLevel
  /** Factor by which a simulated carrier multiplies `stepSeconds`, the duration of a simulation step. */
  readonly pace: number
  /** Price of a simulated carrier as a percentage of the carrier’s tariff. */
  readonly pricePercent: number
  readonly maxKm: number
}

interface TestCarrier {
  readonly name: string
  readonly character: string
  readonly services: readonly TestService[]
  readonly vehicles: readonly Vehicle[]
  /** States of Nigeria that the carrier serves. Undefined for all of Nigeria. */
  readonly states: readonly State[] | undefined
  readonly maxWeightGrams: number
  /** The highest amount that a rider of the carrier collects, in kobo. Undefined for a carrier that collects no cash. */
  readonly cashMaxKobo: number | undefined
  readonly tariff: { readonly baseKobo: number; readonly perKmKobo: number; readonly perKgKobo: number }
  /** Maximum increase of the carrier's tariff during rush hours, in percent. */
  readonly rushMaxPercent: number
  /** Minutes for which a quoted price is valid; undefined for a carrier without a price guarantee. */
  readonly quoteMinutes: number | undefined
  readonly lookup: 'reference' | 'list' | 'none'
  /** Delay after which an accepted order appears in the simulated carrier’s order list. */
  readonly listLagSeconds: number
  readonly callbacks: 'signed' | 'unsigned'
  /** Cancellation fee in kobo for each shipment status that allows a cancellation. */
  readonly cancellationFeesKobo: Readonly<Partial<Record<ShipmentStatus, number>>>
}

/**
 * Maximum distance of a delivery service within a city, in kilometres. In Lagos, 50 km by road already take one and a
 * half hours.
 */
const acrossTownKm = 60

/** Maximum distance in kilometres of a same-day service: a rider reaches a neighbouring city and returns in one day. */
const acrossStatesKm = 200

/** Maximum distance of a nationwide delivery service in kilometres, more than the extent of Nigeria. */
const anywhereKm = 2_000

export const testCarriers: Readonly<Record<TestCarrierCode, TestCarrier>> = {
  'simulator-swift': {
    name: 'Simulator Swift',
    character:
      'Fast and expensive carrier. It looks up orders by reference, and treats a repeated reference as the same order.',
    services: [{ name: 'now', level: 'on_demand', pace: 1, pricePercent: 100, maxKm: acrossTownKm }],
    vehicles: ['bike', 'car'],
    states: ['Lagos', 'FCT'],
    maxWeightGrams: 25_000,
    cashMaxKobo: 20_000_000,
    tariff: { baseKobo: 120_000, perKmKobo: 18_000, perKgKobo: 5_000 },
    rushMaxPercent: 30,
    quoteMinutes: 10,
    lookup: 'reference',
    listLagSeconds: 0,
    callbacks: 'signed',
    cancellationFeesKobo: { awaiting_courier: 0, courier_assigned: 50_000, at_pickup: 50_000 },
  },
  'simulator-steady': {
    name: 'Simulator Steady',
    character:
      'Carrier of average speed and price. It has no lookup by reference, only a list of orders, in which a new order appears after a delay. It treats a repeated order as a second ' +
      'order, and does not sign its callbacks.',
    services: [
      { name: 'direct', level: 'on_demand', pace: 2, pricePercent: 100, maxKm: acrossTownKm },
      { name: 'round', level: 'same_day', pace: 3, pricePercent: 85, maxKm: acrossStatesKm },
    ],
    vehicles: ['bike', 'car', 'van'],
    states: ['Lagos', 'FCT', 'Ogun', 'Oyo', 'Nasarawa', 'Niger', 'Kaduna', 'Rivers'],
    maxWeightGrams: 40_000,
    cashMaxKobo: 50_000_000,
    tariff: { baseKobo: 90_000, perKmKobo: 12_000, perKgKobo: 4_000 },
    rushMaxPercent: 12,
    quoteMinutes: 60,
    lookup: 'list',
    listLagSeconds: 15,
    callbacks: 'unsigned',
    cancellationFeesKobo: { awaiting_courier: 0, courier_assigned: 0 },
  },
  'simulator-saver': {
    name: 'Simulator Saver',
    character:
      'Cheap, slow and nationwide carrier. It has no operation to look up orders, and rejects every cancellation.',
    services: [
      { name: 'standard', level: 'same_day', pace: 4, pricePercent: 100, maxKm: acrossStatesKm },
      { name: 'economy', level: 'next_day', pace: 6, pricePercent: 80, maxKm: anywhereKm },
    ],
    vehicles: ['bike', 'car', 'van', 'truck'],
    states: undefined,
    maxWeightGrams: 50_000,
    cashMaxKobo: undefined,
    tariff: { baseKobo: 60_000, perKmKobo: 6_000, perKgKobo: 3_000 },
    rushMaxPercent: 5,
    quoteMinutes: undefined,
    lookup: 'none',
    listLagSeconds: 0,
    callbacks: 'signed',
    cancellationFeesKobo: {},
  },
}

/** Price of a simulated delivery with each type of vehicle, as a percentage of the carrier's tariff. */
export const vehiclePricePercent: Readonly<Record<Vehicle, number>> = { bike: 100, car: 150, van: 250, truck: 400 }

/** Raw statuses of the simulated carriers, and the corresponding shipment statuses. */
export const testCarrierStatuses = {
  accepted: 'awaiting_courier',
  rider_found: 'courier_assigned',
  rider_waiting: 'at_pickup',
  collected: 'picked_up',
  on_the_road: 'in_transit',
  at_the_door: 'at_dropoff',
  handed_over: 'delivered',
  not_handed_over: 'delivery_failed',
  coming_back: 'returning',
  came_back: 'returned',
  parcel_lost: 'lost',
  order_cancelled: 'cancelled',
} as const satisfies Record<string, ShipmentStatus>

export type TestCarrierStatus = keyof typeof testCarrierStatuses

/** The statuses that a simulated order passes through, with times in simulation steps after its acceptance. */
export const testLives = {
  usual: [
    ['accepted', 0],
    ['rider_found', 1],
    ['rider_waiting', 2],
    ['collected', 3],
    ['on_the_road', 4],
    ['at_the_door', 6],
    ['handed_over', 7],
  ],
  carrier_cancels: [
    ['accepted', 0],
    ['rider_found', 1],
    ['order_cancelled', 2],
  ],
  never_assigned: [['accepted', 0]],
  delivery_fails: [
    ['accepted', 0],
    ['rider_found', 1],
    ['rider_waiting', 2],
    ['collected', 3],
    ['on_the_road', 4],
    ['at_the_door', 6],
    ['not_handed_over', 7],
    ['coming_back', 8],
    ['came_back', 10],
  ],
  lost: [
    ['accepted', 0],
    ['rider_found', 1],
    ['rider_waiting', 2],
    ['collected', 3],
    ['on_the_road', 4],
    ['parcel_lost', 7],
  ],
  cancelled_in_transit: [
    ['accepted', 0],
    ['rider_found', 1],
    ['rider_waiting', 2],
    ['collected', 3],
    ['on_the_road', 4],
    ['order_cancelled', 5],
  ],
} as const satisfies Record<string, readonly (readonly [TestCarrierStatus, number])[]>

/**
 * Number of simulation steps from the acceptance of an order to the rider's arrival at the pickup (`stepsToPickup`),
 * and to the delivery (`stepsToDropoff`).
 */
export const stepsToPickup = 2
export const stepsToDropoff = 7

/** Returns a simulated carrier's cancellation fee in kobo. Undefined if the carrier rejects the cancellation. */
export function cancellationFeeKobo(carrier: TestCarrierCode, status: TestCarrierStatus): number | undefined {
  return testCarriers[carrier].cancellationFeesKobo[testCarrierStatuses[status]]
}
