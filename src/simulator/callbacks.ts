import { callbackBehaviourOf } from '../../registry/service/test-phones.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { type LifeStep, lifeOf } from './life.ts'

/** A callback of a simulated order. */
export interface SimulatedCallback {
  readonly step: LifeStep
  readonly dueMs: number
}

type CallbackSource = Pick<SimulatedOrder, 'fault' | 'step_ms' | 'accepted_at' | 'cancelled_at' | 'callback_digits'>

/**
 * Returns an order's callbacks in the order in which they are sent: one for each step of its life cycle. The fault that
 * swaps callbacks exchanges each two consecutive ones, so that the first step's callback is sent after the second's. If
 * the last step has no second step, its callback is sent at its time, unless the order can still be cancelled: then the
 * cancellation is the second step.
 */
export function callbacksOf(order: CallbackSource): readonly SimulatedCallback[] {
  const steps = lifeOf(order)
  if (callbackBehaviourOf(order.callback_digits).sequence === 'in_order') {
    return steps.map((step) => ({ step, dueMs: step.atMs }))
  }
  return steps.flatMap((step, index) => {
    const partner = steps[index % 2 === 0 ? index + 1 : index - 1]
    if (partner !== undefined) return [{ step: partner, dueMs: Math.max(step.atMs, partner.atMs) }]
    return step.status === 'accepted' ? [] : [{ step, dueMs: step.atMs }]
  })
}
