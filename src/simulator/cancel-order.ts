import { cancellationFeeKobo } from '../../registry/service/test-carriers.ts'
import { toTimestamp } from '../base/clock.ts'
import { cancelSimulatedOrder, findSimulatedOrder, type SimulatedOrder } from '../store/simulator/simulated-orders.ts'
import { answer, type Reply, refusal } from './contract.ts'
import { isVisible } from './create-order.ts'
import { lifeUntil } from './life.ts'
import { viewOf } from './order-view.ts'
import type { SimulatedRequest } from './simulation.ts'

/** Cancels a simulated order by the carrier's terms. Idempotent. */
export async function cancelOrder({ company, simulation, nowMs }: SimulatedRequest, number: string): Promise<Reply> {
  const { database } = simulation
  const order = await findSimulatedOrder(database, { company, number })
  if (order === undefined || !isVisible(order, nowMs)) return refusal('not_found', 'No such order.')
  if (order.cancelledAt !== null) return cancelledReply(order, nowMs)
  const status = lifeUntil(order, nowMs).at(-1)?.status
  const feeKobo = status === undefined ? undefined : cancellationFeeKobo(company, status)
  if (feeKobo === undefined || order.fault === 'late_and_binding') {
    return refusal('not_cancellable', `An order that is ${status} can no longer be cancelled.`)
  }
  const cancelled =
    (await cancelSimulatedOrder(database, { company, number, feeKobo, now: toTimestamp(nowMs) })) ??
    (await findSimulatedOrder(database, { company, number }))
  return cancelled === undefined ? refusal('not_found', 'No such order.') : cancelledReply(cancelled, nowMs)
}

function cancelledReply(order: SimulatedOrder, nowMs: number): Reply {
  const feeKobo = order.cancellationFeeKobo ?? 0
  return answer(200, { ...viewOf(order, nowMs), refundKobo: Math.max(0, order.priceKobo - feeKobo) })
}
