import { toTimestamp } from '../../src/base/clock.ts'
import { type Random, randomOf } from '../../src/demo/random.ts'
import { hourBucketOf } from '../../src/logistics/estimates/hour-bucket.ts'

/**
 * Simulated shops, carriers and travel times. They differ from each other and from the default estimates of the
 * service, so that the measurement shows whether the service adapts its estimates.
 */
const carriers = [
  { code: 'simulator-swift', weight: 5, slowness: 0.8 },
  { code: 'simulator-steady', weight: 3, slowness: 1 },
  { code: 'simulator-saver', weight: 2, slowness: 1.3 },
] as const

const zones = [
  { id: 'lag-island', leadMinutes: 14 },
  { id: 'lag-lekki-1', leadMinutes: 17 },
  { id: 'lag-ikeja', leadMinutes: 20 },
  { id: 'lag-yaba', leadMinutes: 16 },
  { id: 'lag-ajah', leadMinutes: 27 },
] as const

/**
 * Factors of the preparation time for the six periods of a day, starting with the night. Preparation takes longer at
 * order peaks, and riders are slower in rush hours.
 */
const prepByHour = [1.3, 1, 1.1, 1, 1.25, 1.15] as const
const leadByHour = [1.4, 0.9, 1, 1, 1.5, 1.1] as const
/** Speed of riders in km/h for each period of a day. */
const speedByHour = [40, 27, 26, 26, 17, 30] as const

export interface Shop {
  readonly index: number
  readonly zone: (typeof zones)[number]
  readonly opensOnDay: number
  readonly ordersPerDay: number
  readonly prepMinutes: number
  readonly prepSigma: number
  readonly optimizeFor: 'balanced' | 'speed' | 'rider_wait'
}

export function shopsOf(seed: number, count: number, days: number): readonly Shop[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomOf(seed, 'shop', index)
    return {
      index,
      zone: random.pick(zones),
      // Share of the shops that are open from the first day: 40 %. The others open later, when the service has no data
      // about them.
      opensOnDay: random.chance(40) ? 0 : Math.floor(random.fraction() * days * 0.85),
      ordersPerDay: 3 + random.fraction() * 22,
      prepMinutes: 38 * Math.exp(0.5 * normal(random)),
      prepSigma: 0.2 + random.fraction() * 0.4,
      optimizeFor: random.weighted([
        { objective: 'balanced', weight: 6 },
        { objective: 'speed', weight: 2 },
        { objective: 'rider_wait', weight: 2 },
      ] as const).objective,
    }
  })
}

export interface SimulatedOrder {
  readonly number: number
  readonly shop: Shop
  readonly confirmedMs: number
  readonly dropoffZone: string
  readonly distanceMeters: number
  /** Preparation time of the shop in seconds. It does not depend on the rider or the dispatch time. */
  readonly prepSeconds: number
}

const dayMs = 24 * 3_600_000

/** Opening hours of the shops in the time of Lagos, which is one hour ahead of UTC. */
const openHours = { from: 9, to: 21 } as const

export function ordersOf(
  seed: number,
  shops: readonly Shop[],
  days: number,
  startMs: number,
): readonly SimulatedOrder[] {
  const orders = shops.flatMap((shop) => {
    const created: Omit<SimulatedOrder, 'number'>[] = []
    for (let day = shop.opensOnDay; day < days; day++) {
      const random = randomOf(seed, 'day', shop.index, day)
      const count = Math.floor(shop.ordersPerDay * (0.5 + random.fraction()))
      for (let index = 0; index < count; index++) created.push(orderOf(random, shop, startMs + day * dayMs))
    }
    return created
  })
  return orders
    .sort((one, other) => one.confirmedMs - other.confirmedMs)
    .map((order, index) => ({ ...order, number: index + 1 }))
}

function orderOf(random: Random, shop: Shop, dayStartMs: number): Omit<SimulatedOrder, 'number'> {
  const hour = openHours.from - 1 + random.fraction() * (openHours.to - openHours.from)
  const confirmedMs = Math.round(dayStartMs + hour * 3_600_000)
  const slow = byHour(prepByHour, confirmedMs)
  return {
    shop,
    confirmedMs,
    dropoffZone: random.pick(zones).id,
    distanceMeters: Math.round(2000 + 14_000 * random.fraction()),
    prepSeconds: 60 * shop.prepMinutes * slow * Math.exp(shop.prepSigma * normal(random)),
  }
}

/**
 * Returns the carrier and the durations of a delivery that is dispatched at the given time. The random numbers depend
 * only on the seed and the order, so that all scheduling rules are compared on the same delivery.
 */
export function rideOf(seed: number, order: SimulatedOrder, dispatchedMs: number) {
  const random = randomOf(seed, 'ride', order.number)
  const carrier = random.weighted(carriers)
  const median = order.shop.zone.leadMinutes * carrier.slowness * byHour(leadByHour, dispatchedMs)
  // In 5 % of the dispatches, the first carrier has no rider, and the second attempt assigns one.
  const secondAttemptSeconds = random.chance(5) ? 300 + 300 * random.fraction() : 0
  return {
    carrier,
    // In 10 % of the deliveries, the rider does not report the arrival at the pickup.
    reportsArrival: !random.chance(10),
    leadSeconds: secondAttemptSeconds + 60 * median * Math.exp(0.4 * normal(random)),
    handoverSeconds: 30 + 120 * random.fraction(),
    travelSeconds: (fromMs: number) =>
      180 + (order.distanceMeters / 1000 / byHour(speedByHour, fromMs)) * 3600 * Math.exp(0.3 * normal(random)),
  }
}

function byHour(factors: readonly number[], ms: number): number {
  return factors[hourBucketOf(toTimestamp(Math.round(ms)))] ?? 1
}

/** Returns a normally distributed number (Box–Muller transform). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
}
