import type { Point } from '../../registry/logistics/place.ts'
import type { TestCarrierStatus } from '../../registry/service/test-carriers.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { fractionOf, pickBy } from './chance.ts'
import { headingDegrees, pointBetween, pointTowards } from './geometry.ts'
import { type LifeStep, lifeOf } from './life.ts'

export interface Rider {
  readonly name: string
  readonly plateLastFour: string
}

export interface RiderPosition extends Point {
  readonly headingDegrees: number | null
}

const firstNames = ['Bamidele', 'Chukwuemeka', 'Fatima', 'Hauwa', 'Ibrahim', 'Ngozi', 'Sunday', 'Tunde'] as const
const lastNames = ['Abubakar', 'Adeyemi', 'Bello', 'Danjuma', 'Eze', 'Nwosu', 'Ogunleye', 'Okoro'] as const

export function riderOf({ seed }: Pick<SimulatedOrder, 'seed'>): Rider {
  const draw = (what: string) => fractionOf(seed, what)
  return {
    name: `${pickBy(draw('first name'), firstNames)} ${pickBy(draw('last name'), lastNames)}`,
    plateLastFour: String(Math.floor(draw('plate') * 10_000)).padStart(4, '0'),
  }
}

/**
 * Minimum and maximum distance from the pickup at which simulated riders start. Riders usually wait near shops, so the
 * distances are short.
 */
const waitingMinKm = 0.5
const waitingMaxKm = 2.5

/** Undefined before a rider is assigned, and after the order has ended. */
export function positionOf(order: SimulatedOrder, nowMs: number): RiderPosition | undefined {
  const life = lifeOf(order)
  const index = life.findLastIndex(({ atMs }) => atMs <= nowMs)
  const step = life[index]
  if (step === undefined) return undefined
  const next = life[index + 1]
  const { from, to } = wayOf(order, step.status) ?? {}
  if (from === undefined || to === undefined) return undefined
  const point = pointBetween(from, to, next === undefined ? 1 : progress(step, next, nowMs))
  const isMoving = from !== to
  return { ...point, headingDegrees: isMoving ? headingDegrees(from, to) : null }
}

function progress(step: LifeStep, next: LifeStep, nowMs: number): number {
  return (nowMs - step.atMs) / (next.atMs - step.atMs)
}

/**
 * Returns the start and the end of the straight route on which the rider travels while the order has the given status.
 */
function wayOf(
  order: SimulatedOrder,
  status: TestCarrierStatus,
): { readonly from: Point; readonly to: Point } | undefined {
  const pickup = { lat: order.pickupLatitude, lng: order.pickupLongitude }
  const dropoff = { lat: order.dropoffLatitude, lng: order.dropoffLongitude }
  switch (status) {
    case 'rider_found':
      return { from: waitingPoint(order, pickup), to: pickup }
    case 'rider_waiting':
    case 'collected':
      return { from: pickup, to: pickup }
    case 'on_the_road':
      return { from: pickup, to: dropoff }
    case 'at_the_door':
    case 'not_handed_over':
      return { from: dropoff, to: dropoff }
    case 'coming_back':
      return { from: dropoff, to: pickup }
    case 'accepted':
    case 'handed_over':
    case 'came_back':
    case 'order_cancelled':
    case 'parcel_lost':
      return undefined
  }
}

function waitingPoint({ seed }: Pick<SimulatedOrder, 'seed'>, pickup: Point): Point {
  const km = waitingMinKm + fractionOf(seed, 'distance') * (waitingMaxKm - waitingMinKm)
  return pointTowards(pickup, fractionOf(seed, 'direction') * 360, km)
}
