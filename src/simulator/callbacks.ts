import { callbackBehaviourOf } from '../../registry/service/test-phones.ts'
import type { SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { type LifeStep, lifeOf } from './life.ts'

/** What an order's callbacks tell, in the order they are sent. */
export interface SimulatedCallback {
  readonly step: LifeStep
  readonly dueMs: number
}

type Told = Pick<SimulatedOrder, 'fault' | 'step_ms' | 'accepted_at' | 'cancelled_at' | 'callback_digits'>

/**
 * One for each step of the life. Where callbacks are exchanged, the first of each pair waits for the second, which goes
 * before it; a step without a second is the last word of its life and is told in its turn, unless the order can still be
 * called off: then that is its second.
 */
export function callbacksOf(order: Told): readonly SimulatedCallback[] {
  const life = lifeOf(order)
  if (callbackBehaviourOf(order.callback_digits).sequence === 'in_order') {
    return life.map((step) => ({ step, dueMs: step.atMs }))
  }
  return life.flatMap((step, index) => {
    const partner = life[index % 2 === 0 ? index + 1 : index - 1]
    if (partner !== undefined) return [{ step: partner, dueMs: Math.max(step.atMs, partner.atMs) }]
    return step.status === 'accepted' ? [] : [{ step, dueMs: step.atMs }]
  })
}
