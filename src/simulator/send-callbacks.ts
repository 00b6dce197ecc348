import { createHmac } from 'node:crypto'
import { testCarriers } from '../../registry/service/test-carriers.ts'
import { type CallbackBehaviour, callbackBehaviourOf } from '../../registry/service/test-phones.ts'
import { toTimestamp } from '../base/clock.ts'
import type { OutboundRequest, SafeFetch } from '../outbound/safe-fetch.ts'
import {
  type CallbackOrder,
  claimSimulatedCallbacks,
  recordSimulatedCallbacks,
} from '../store/simulator/simulated-orders.ts'
import { callbacksOf, type SimulatedCallback } from './callbacks.ts'
import { viewAt } from './order-view.ts'
import type { Simulation } from './simulation.ts'

/**
 * Maximum number of attempts to send a callback. The delays double, so five attempts take a little over two minutes. A
 * receiver restarts in less time.
 */
export const attemptsMax = 5

/** Delay after the first failed attempt to send a callback. The delay doubles with each further failure. */
export const firstDelayMs = 10_000

/** Time limit of an attempt to send a callback. A receiver that only stores the body responds in a fraction of this. */
export const deadlineMs = 5_000

/** Several processes may run this function concurrently, because only one process claims each order. */
export async function sendCarrierCallbacks(simulation: Simulation, nowMs: number): Promise<void> {
  const { database, send } = simulation
  if (send === undefined) return
  for (;;) {
    const orders = await claimSimulatedCallbacks(database, toTimestamp(nowMs))
    if (orders.length === 0) return
    await Promise.all(orders.map((order) => sendDueCallbacks(simulation, send, { order, nowMs })))
  }
}

async function sendDueCallbacks(
  { database }: Simulation,
  send: SafeFetch['fetch'],
  { order, nowMs }: { readonly order: CallbackOrder; readonly nowMs: number },
): Promise<void> {
  const callbacks = callbacksOf(order)
  let sentCount = order.callbacksSent
  let attempts = order.callbackAttempts
  let delayMs = 0
  for (
    let callback = callbacks[sentCount];
    callback !== undefined && callback.dueMs <= nowMs;
    callback = callbacks[sentCount]
  ) {
    const isDelivered = await deliver(send, order, callback)
    attempts = isDelivered ? 0 : attempts + 1
    if (!isDelivered && attempts < attemptsMax) {
      delayMs = firstDelayMs * 2 ** (attempts - 1)
      break
    }
    // After a delivered or an abandoned callback, the attempts of the next callback are counted from zero.
    attempts = 0
    sentCount++
  }
  const next = callbacks[sentCount]
  const nextMs = next === undefined ? undefined : delayMs === 0 ? next.dueMs : nowMs + delayMs
  await recordSimulatedCallbacks(database, {
    company: order.company,
    number: order.number,
    sent: sentCount,
    attempts,
    nextAt: nextMs === undefined ? null : toTimestamp(nextMs),
    cancelledAt: order.cancelledAt,
  })
}

async function deliver(send: SafeFetch['fetch'], order: CallbackOrder, { step }: SimulatedCallback): Promise<boolean> {
  if (order.callbackUrl === null) return true
  const { copies, signature } = callbackBehaviourOf(order.callbackDigits)
  const body = JSON.stringify({ company: order.company, order: viewAt(order, step) })
  const request: OutboundRequest = {
    url: order.callbackUrl,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders(order, body, signature) },
    body,
    deadlineMs,
    isIdempotent: true,
  }
  let isReceived = true
  for (let copy = copies === 'twice' ? 2 : 1; copy > 0; copy--) {
    const outcome = await send(request)
    isReceived = outcome.is === 'answered' && outcome.status >= 200 && outcome.status <= 299 && isReceived
  }
  return isReceived
}

/** Signs the raw body with HMAC-SHA256, in hex. The key is the callback secret that is stored with the order. */
function signatureHeaders(
  { company, callbackSecret: secret }: CallbackOrder,
  body: string,
  signature: CallbackBehaviour['signature'],
): Readonly<Record<string, string>> {
  if (testCarriers[company].callbacks === 'unsigned' || signature === 'missing' || secret === null) return {}
  const key = signature === 'wrong' ? `not ${secret}` : secret
  return { 'simulator-signature': createHmac('sha256', key).update(body).digest('hex') }
}
