import { testCarrierStatuses } from '../../registry/test-carriers.ts'
import { toTimestamp } from '../clock.ts'
import type { SimulatedOrder } from '../store/simulated-orders.ts'
import { lifeOf, lifeUntil } from './life.ts'
import { positionOf, riderOf } from './rider.ts'

/** An order as its company tells it at a moment: in an answer, and in the callback of a step. */
export function viewOf(order: SimulatedOrder, nowMs: number): object {
  const life = lifeUntil(order, nowMs)
  const position = positionOf(order, nowMs)
  const hasRider = life.some(({ status }) => status === 'rider_found')
  const delivered = life.find(({ status }) => status === 'handed_over')
  return {
    ...summaryOf(order, nowMs),
    history: life.map(({ status, atMs }) => ({ status, at: toTimestamp(atMs) })),
    rider: hasRider ? { ...riderOf(order), vehicle: order.vehicle } : null,
    position: position === undefined ? null : { ...position, at: toTimestamp(nowMs) },
    dropoffAt: expectationOf(order, nowMs),
    proof: delivered === undefined ? null : { type: order.has_pin ? 'pin' : 'photo', at: toTimestamp(delivered.atMs) },
    cancellationFeeKobo: order.cancellation_fee_kobo,
  }
}

export function summaryOf(order: SimulatedOrder, nowMs: number): object {
  const step = lifeUntil(order, nowMs).at(-1)
  return {
    number: order.number,
    reference: order.reference,
    service: order.service,
    priceKobo: order.price_kobo,
    createdAt: order.created_at,
    status: step?.status ?? null,
    statusAt: step === undefined ? null : toTimestamp(step.atMs),
  }
}

/** The company believes in the usual life until it knows better. A step of its pace more is how far it has been wrong. */
function expectationOf(order: SimulatedOrder, nowMs: number): object | null {
  const usual = lifeOf({ ...order, fault: 'none' }).find(({ status }) => status === 'handed_over')
  const now = lifeUntil(order, nowMs).at(-1)?.status
  if (usual === undefined || now === undefined || isSettled(now)) return null
  return { p50: toTimestamp(usual.atMs), p90: toTimestamp(usual.atMs + order.step_ms) }
}

function isSettled(status: keyof typeof testCarrierStatuses): boolean {
  const settled: readonly string[] = ['delivered', 'delivery_failed', 'returning', 'returned', 'cancelled']
  return settled.includes(testCarrierStatuses[status])
}
