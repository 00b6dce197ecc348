import { type TestCarrierStatus, testLives } from '../../registry/service/test-carriers.ts'
import { toMs } from '../base/clock.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'

/**
 * An order's life cycle is a pure function of its row and the time: no job advances it, and every process sees the
 * same.
 *
 *   accepted ─ rider_found ─ rider_waiting ─ collected ─ on_the_road ─ at_the_door ─ handed_over
 *          └──── order_cancelled ───┘             parcel_lost, order_cancelled ┘  └ not_handed_over ─ coming_back ─ came_back
 */
export interface LifeStep {
  readonly status: TestCarrierStatus
  readonly atMs: number
}

type Living = Pick<SimulatedOrder, 'fault' | 'stepMs' | 'acceptedAt' | 'cancelledAt'>

/** Includes the future steps of the order. */
export function lifeOf(order: Living): readonly LifeStep[] {
  const acceptedMs = toMs(order.acceptedAt)
  const planned = planOf(order.fault).map(([status, step]) => ({ status, atMs: acceptedMs + step * order.stepMs }))
  if (order.cancelledAt === null) return planned
  const cancelledMs = toMs(order.cancelledAt)
  return [...planned.filter(({ atMs }) => atMs <= cancelledMs), { status: 'order_cancelled', atMs: cancelledMs }]
}

/** Empty before the order is accepted. */
export function lifeUntil(order: Living, nowMs: number): readonly LifeStep[] {
  return lifeOf(order).filter(({ atMs }) => atMs <= nowMs)
}

function planOf(fault: Living['fault']): readonly (readonly [TestCarrierStatus, number])[] {
  switch (fault) {
    case 'carrier_cancels':
    case 'never_assigned':
    case 'delivery_fails':
    case 'lost':
    case 'cancelled_in_transit':
      return testLives[fault]
    case 'none':
    case 'couriers_busy':
    case 'timeout_after_acceptance':
    case 'timeout_before_acceptance':
    case 'server_error':
    case 'malformed_answer':
    case 'late_acceptance':
    case 'price_doubled':
    case 'late_and_binding':
      return testLives.usual
  }
}
