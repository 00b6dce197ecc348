import { callbackBehaviourOf } from '../../registry/service/test-phones.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { type LifeStep, lifeOf } from './life.ts'

export interface SimulatedCallback {
  readonly step: LifeStep
  readonly dueMs: number
}

type CallbackSource = Pick<SimulatedOrder, 'fault' | 'stepMs' | 'acceptedAt' | 'cancelledAt' | 'callbackDigits'>

/**
 * Returns the callbacks of a simulated order in the order in which they are sent, one for each step of its life cycle.
 * The fault that swaps callbacks groups the steps into pairs, and reverses the callbacks of each pair. If the number of
 * steps is odd, the callback of the last step is sent at its own time. There is one exception: with this fault, the
 * callback of `accepted` is not sent while `accepted` is the last step. The callback of a cancellation may still
 * follow, and must then be sent first.
 */
export function callbacksOf(order: CallbackSource): readonly SimulatedCallback[] {
  const steps = lifeOf(order)
  if (callbackBehaviourOf(order.callbackDigits).sequence === 'in_order') {
    return steps.map((step) => ({ step, dueMs: step.atMs }))
  }
  return steps.flatMap((step, index) => {
    const partner = steps[index % 2 === 0 ? index + 1 : index - 1]
    if (partner !== undefined) return [{ step: partner, dueMs: Math.max(step.atMs, partner.atMs) }]
    return step.status === 'accepted' ? [] : [{ step, dueMs: step.atMs }]
  })
}
