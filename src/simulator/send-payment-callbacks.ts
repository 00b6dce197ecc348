import { createHmac } from 'node:crypto'
import { toTimestamp } from '../base/clock.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import {
  claimSimulatedPaymentCallbacks,
  type DueSimulatedCallback,
  finishSimulatedCallback,
} from '../store/simulator/simulated-payments.ts'
import type { Simulation } from './simulation.ts'

/** Five, with the pauses below a little over two minutes: longer than a receiver takes to start again. */
const attemptsMax = 5

/** After the first try that failed; each later pause is twice the one before. */
const firstPauseMs = 10_000

/** A receiver that only stores the bytes needs a fraction of it. */
const deadlineMs = 5_000

/** Sends what the simulated payment provider has due, signed as Paystack signs. */
export async function sendPaymentCallbacks({ database, send }: Simulation, nowMs: number): Promise<void> {
  if (send === undefined) return
  for (;;) {
    const due = await claimSimulatedPaymentCallbacks(database, toTimestamp(nowMs))
    if (due.length === 0) return
    // One after the other: they tell of moves that have an order.
    for (const callback of due) {
      const isReceived = await isSent(send, callback)
      const isOver = isReceived || callback.attempts >= attemptsMax
      const retryAt = isOver ? null : toTimestamp(nowMs + firstPauseMs * 2 ** (callback.attempts - 1))
      await finishSimulatedCallback(database, { id: callback.id, retryAt })
    }
  }
}

async function isSent(send: SafeFetch['fetch'], { url, key, body }: DueSimulatedCallback): Promise<boolean> {
  const signature = createHmac('sha512', key).update(body).digest('hex')
  const outcome = await send({
    ...{ url, method: 'POST', body, deadlineMs, isIdempotent: true },
    headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
  })
  return outcome.is === 'answered' && outcome.status >= 200 && outcome.status <= 299
}
