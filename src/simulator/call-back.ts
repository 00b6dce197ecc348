import { createHmac } from 'node:crypto'
import { testCarriers } from '../../registry/service/test-carriers.ts'
import { type CallbackManner, callbackMannerOf } from '../../registry/service/test-phones.ts'
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
const triesMax = 5

/** After the first try that failed; each later pause is twice the one before. */
const firstPauseMs = 10_000

/** A receiver that only puts the bytes aside needs a fraction of it. */
const deadlineMs = 5_000

/** Tells everything that is due at the moment. Several processes may do so at once: an order is one's at a time. */
export async function callBack(simulation: Simulation, nowMs: number): Promise<void> {
  const { database, send } = simulation
  if (send === undefined) return
  for (;;) {
    const orders = await claimSimulatedCallbacks(database, toTimestamp(nowMs))
    if (orders.length === 0) return
    await Promise.all(orders.map((order) => tell(simulation, send, { order, nowMs })))
  }
}

async function tell(
  { database }: Simulation,
  send: SafeFetch['fetch'],
  { order, nowMs }: { readonly order: CallbackOrder; readonly nowMs: number },
): Promise<void> {
  const tellings = callbacksOf(order)
  let told = order.callbacks_told
  let tries = order.callback_tries
  let pauseMs = 0
  for (let telling = tellings[told]; telling !== undefined && telling.dueMs <= nowMs; telling = tellings[told]) {
    const isHeard = await isTold(send, order, telling)
    tries = isHeard ? 0 : tries + 1
    if (!isHeard && tries < triesMax) {
      pauseMs = firstPauseMs * 2 ** (tries - 1)
      break
    }
    // Heard, or given up: what comes next is told either way.
    tries = 0
    told++
  }
  const next = tellings[told]
  const nextMs = next === undefined ? undefined : pauseMs === 0 ? next.dueMs : nowMs + pauseMs
  await recordSimulatedCallbacks(database, {
    company: order.company,
    number: order.number,
    told,
    tries,
    nextAt: nextMs === undefined ? null : toTimestamp(nextMs),
    cancelledAt: order.cancelled_at,
  })
}

async function isTold(send: SafeFetch['fetch'], order: CallbackOrder, { step }: SimulatedCallback): Promise<boolean> {
  if (order.callback_url === null) return true
  const { copies, signature } = callbackMannerOf(order.callback_digits)
  const body = JSON.stringify({ company: order.company, order: viewAt(order, step) })
  const request: OutboundRequest = {
    url: order.callback_url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders(order, body, signature) },
    body,
    deadlineMs,
    mayArriveTwice: true,
  }
  let isHeard = true
  for (let copy = copies === 'twice' ? 2 : 1; copy > 0; copy--) {
    const outcome = await send(request)
    isHeard = outcome.is === 'answered' && outcome.status >= 200 && outcome.status <= 299 && isHeard
  }
  return isHeard
}

/** HMAC-SHA256 of the raw body with the secret that came with the order, in hex. */
function signatureHeaders(
  { company, callback_secret: secret }: CallbackOrder,
  body: string,
  signature: CallbackManner['signature'],
): Readonly<Record<string, string>> {
  if (testCarriers[company].callbacks === 'unsigned' || signature === 'missing' || secret === null) return {}
  const key = signature === 'wrong' ? `not ${secret}` : secret
  return { 'simulator-signature': createHmac('sha256', key).update(body).digest('hex') }
}
