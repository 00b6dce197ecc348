import type { ServiceLevel, ShipmentStatus, Vehicle } from '../logistics/shipment-states.ts'
import type { State } from '../values/vocabulary.ts'

/**
 * The three companies of test mode. They carry nothing and cost nothing; their terms are as different as those of real
 * ones, so that there is something to choose from and something to fail over to.
 */

export const testCarrierCodes = ['simulator-swift', 'simulator-steady', 'simulator-saver'] as const
export type TestCarrierCode = (typeof testCarrierCodes)[number]

/** A step of a rider’s life at a pace of 1: short enough to watch a whole delivery, long enough to see each step. */
export const stepSeconds = 30

/** Every price is a multiple of this: fifty naira, as riders’ prices are. */
export const priceStepKobo = 5_000

export interface TestService {
  readonly name: string
  readonly level: ServiceLevel
  /** How many steps of time each step of the rider’s life takes. */
  readonly pace: number
  /** Of the company’s tariff. */
  readonly pricePercent: number
  readonly maxKm: number
}

interface TestCarrier {
  readonly name: string
  readonly character: string
  readonly services: readonly TestService[]
  readonly vehicles: readonly Vehicle[]
  /** Undefined means all of Nigeria. */
  readonly states: readonly State[] | undefined
  readonly maxWeightGrams: number
  readonly tariff: { readonly baseKobo: number; readonly perKmKobo: number; readonly perKgKobo: number }
  /** How much dearer than the tariff an hour can be. */
  readonly rushMaxPercent: number
  /** How long a price holds; undefined where the company promises nothing. */
  readonly quoteMinutes: number | undefined
  readonly lookup: 'reference' | 'list' | 'none'
  /** How long an accepted order is missing from the company’s list. */
  readonly listLagSeconds: number
  readonly callbacks: 'signed' | 'unsigned'
  /** What calling an order off costs in each state in which it can be. */
  readonly cancellationFeesKobo: Readonly<Partial<Record<ShipmentStatus, number>>>
}

/** Fifty kilometres of road are an hour and a half of Lagos: no rider is sent further for one parcel. */
const acrossTownKm = 60

/** From one city to the next, and back before the evening. */
const acrossStatesKm = 200

/** Nigeria from corner to corner is shorter. */
const anywhereKm = 2_000

export const testCarriers: Readonly<Record<TestCarrierCode, TestCarrier>> = {
  'simulator-swift': {
    name: 'Simulator Swift',
    character: 'Fast and dear. It answers for a reference it was given, and repeats its answer.',
    services: [{ name: 'now', level: 'on_demand', pace: 1, pricePercent: 100, maxKm: acrossTownKm }],
    vehicles: ['bike', 'car'],
    states: ['Lagos', 'FCT'],
    maxWeightGrams: 25_000,
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
      'In the middle. It can only list its orders, new ones late, takes a repeated order for a second one, and does not sign.',
    services: [
      { name: 'direct', level: 'on_demand', pace: 2, pricePercent: 100, maxKm: acrossTownKm },
      { name: 'round', level: 'same_day', pace: 3, pricePercent: 85, maxKm: acrossStatesKm },
    ],
    vehicles: ['bike', 'car', 'van'],
    states: ['Lagos', 'FCT', 'Ogun', 'Oyo', 'Nasarawa', 'Niger', 'Kaduna', 'Rivers'],
    maxWeightGrams: 40_000,
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
      'Cheap and slow, and goes everywhere. It finds no order again, and once it has accepted one it keeps it.',
    services: [
      { name: 'today', level: 'same_day', pace: 4, pricePercent: 100, maxKm: acrossStatesKm },
      { name: 'tomorrow', level: 'next_day', pace: 6, pricePercent: 80, maxKm: anywhereKm },
    ],
    vehicles: ['bike', 'car', 'van', 'truck'],
    states: undefined,
    maxWeightGrams: 50_000,
    tariff: { baseKobo: 60_000, perKmKobo: 6_000, perKgKobo: 3_000 },
    rushMaxPercent: 5,
    quoteMinutes: undefined,
    lookup: 'none',
    listLagSeconds: 0,
    callbacks: 'signed',
    cancellationFeesKobo: {},
  },
}

/** Of the tariff: a car costs more than a bike, and what is hired by the load costs most. */
export const vehiclePricePercent: Readonly<Record<Vehicle, number>> = { bike: 100, car: 150, van: 250, truck: 400 }

/** What a rider of test mode can be doing, in the companies’ own words, and what each means for a shipment. */
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
  called_off: 'cancelled',
} as const satisfies Record<string, ShipmentStatus>

export type TestCarrierStatus = keyof typeof testCarrierStatuses

/** When each step of a life begins, in steps after the acceptance. */
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
    ['called_off', 2],
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
} as const satisfies Record<string, readonly (readonly [TestCarrierStatus, number])[]>

/** After so many steps a rider waits at the pickup, and after so many the parcel is handed over. */
export const stepsToPickup = 2
export const stepsToDropoff = 7

/** What calling off costs in that state; undefined where the company does not let it happen. */
export function cancellationFeeKobo(company: TestCarrierCode, status: TestCarrierStatus): number | undefined {
  return testCarriers[company].cancellationFeesKobo[testCarrierStatuses[status]]
}
