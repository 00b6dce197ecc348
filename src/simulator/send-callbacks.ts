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

/** Five, with the pauses below a little over two minutes: longer than a receiver takes to start again. */
const attemptsMax = 5

/** After the first try that failed; each later pause is twice the one before. */
const firstPauseMs = 10_000

/** A receiver that only puts the bytes aside needs a fraction of it. */
const deadlineMs = 5_000

/** Tells everything that is due at the moment. Several processes may do so at once: an order is one's at a time. */
export async function sendCallbacks(simulation: Simulation, nowMs: number): Promise<void> {
  const { database, send } = simulation
  if (send === undefined) return
  for (;;) {
    const orders = await claimSimulatedCallbacks(database, toTimestamp(nowMs))
    if (orders.length === 0) return
    await Promise.all(orders.map((order) => sendDue(simulation, send, { order, nowMs })))
  }
}

async function sendDue(
  { database }: Simulation,
  send: SafeFetch['fetch'],
  { order, nowMs }: { readonly order: CallbackOrder; readonly nowMs: number },
): Promise<void> {
  const callbacks = callbacksOf(order)
  let sent = order.callbacks_sent
  let attempts = order.callback_attempts
  let pauseMs = 0
  for (let callback = callbacks[sent]; callback !== undefined && callback.dueMs <= nowMs; callback = callbacks[sent]) {
    const isReceived = await isDelivered(send, order, callback)
    attempts = isReceived ? 0 : attempts + 1
    if (!isReceived && attempts < attemptsMax) {
      pauseMs = firstPauseMs * 2 ** (attempts - 1)
      break
    }
    // Heard, or given up: what comes next is told either way.
    attempts = 0
    sent++
  }
  const next = callbacks[sent]
  const nextMs = next === undefined ? undefined : pauseMs === 0 ? next.dueMs : nowMs + pauseMs
  await recordSimulatedCallbacks(database, {
    company: order.company,
    number: order.number,
    sent,
    attempts,
    nextAt: nextMs === undefined ? null : toTimestamp(nextMs),
    cancelledAt: order.cancelled_at,
  })
}

async function isDelivered(
  send: SafeFetch['fetch'],
  order: CallbackOrder,
  { step }: SimulatedCallback,
): Promise<boolean> {
  if (order.callback_url === null) return true
  const { copies, signature } = callbackBehaviourOf(order.callback_digits)
  const body = JSON.stringify({ company: order.company, order: viewAt(order, step) })
  const request: OutboundRequest = {
    url: order.callback_url,
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

/** HMAC-SHA256 of the raw body with the secret that came with the order, in hex. */
function signatureHeaders(
  { company, callback_secret: secret }: CallbackOrder,
  body: string,
  signature: CallbackBehaviour['signature'],
): Readonly<Record<string, string>> {
  if (testCarriers[company].callbacks === 'unsigned' || signature === 'missing' || secret === null) return {}
  const key = signature === 'wrong' ? `not ${secret}` : secret
  return { 'simulator-signature': createHmac('sha256', key).update(body).digest('hex') }
}
