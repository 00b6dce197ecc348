import { testCarrierStatuses } from '../../registry/service/test-carriers.ts'
import { toTimestamp } from '../base/clock.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { type LifeStep, lifeOf, lifeUntil } from './life.ts'
import { positionOf, riderOf } from './rider.ts'

export function viewOf(order: SimulatedOrder, nowMs: number): object {
  return view(order, lifeUntil(order, nowMs), nowMs)
}

/**
 * Returns a simulated order as it is at the start of a step. Later steps are left out, even if they have the same time.
 */
export function viewAt(order: SimulatedOrder, step: LifeStep): object {
  const life = lifeOf(order)
  const index = life.findIndex(({ status }) => status === step.status)
  return view(order, life.slice(0, index + 1), step.atMs)
}

function view(order: SimulatedOrder, life: readonly LifeStep[], nowMs: number): object {
  const position = positionOf(order, nowMs)
  const hasRider = life.some(({ status }) => status === 'rider_found')
  const delivered = life.find(({ status }) => status === 'handed_over')
  return {
    ...summary(order, life.at(-1)),
    history: life.map(({ status, atMs }) => ({ status, at: toTimestamp(atMs) })),
    rider: hasRider ? { ...riderOf(order), vehicle: order.vehicle } : null,
    position: position === undefined ? null : { ...position, at: toTimestamp(nowMs) },
    dropoffAt: expectationOf(order, life.at(-1)),
    proof: delivered === undefined ? null : { type: order.hasPin ? 'pin' : 'photo', at: toTimestamp(delivered.atMs) },
    cashCollectedKobo: delivered === undefined ? null : order.cashCollectedKobo,
    cancellationFeeKobo: order.cancellationFeeKobo,
  }
}

export function summaryOf(order: SimulatedOrder, nowMs: number): object {
  return summary(order, lifeUntil(order, nowMs).at(-1))
}

function summary(order: SimulatedOrder, step: LifeStep | undefined): object {
  return {
    number: order.number,
    reference: order.reference,
    service: order.service,
    priceKobo: order.priceKobo,
    createdAt: order.createdAt,
    status: step?.status ?? null,
    statusAt: step === undefined ? null : toTimestamp(step.atMs),
  }
}

/**
 * Returns the expected time of delivery. The median is the time of delivery without a fault; the 90th percentile is one
 * step later.
 */
function expectationOf(order: SimulatedOrder, step: LifeStep | undefined): object | null {
  const usual = lifeOf({ ...order, fault: 'none' }).find(({ status }) => status === 'handed_over')
  if (usual === undefined || step === undefined || isSettled(step.status)) return null
  return { p50: toTimestamp(usual.atMs), p90: toTimestamp(usual.atMs + order.stepMs) }
}

function isSettled(status: keyof typeof testCarrierStatuses): boolean {
  const settled: readonly string[] = ['delivered', 'delivery_failed', 'returning', 'returned', 'lost', 'cancelled']
  return settled.includes(testCarrierStatuses[status])
}
