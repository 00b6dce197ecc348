import { createHmac } from 'node:crypto'
import { toTimestamp } from '../base/clock.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import {
  claimSimulatedPaymentCallbacks,
  type DueSimulatedCallback,
  finishSimulatedCallback,
} from '../store/simulator/simulated-payments.ts'
import { attemptsMax, deadlineMs, firstDelayMs } from './send-callbacks.ts'
import type { Simulation } from './simulation.ts'

/** Sends the simulated payment provider's due callbacks, signed as Paystack signs. */
export async function sendPaymentCallbacks({ database, send }: Simulation, nowMs: number): Promise<void> {
  if (send === undefined) return
  for (;;) {
    const due = await claimSimulatedPaymentCallbacks(database, toTimestamp(nowMs))
    if (due.length === 0) return
    // Callbacks are sent one after another, because the order of the events matters.
    for (const callback of due) {
      const isDelivered = await deliver(send, callback)
      const isOver = isDelivered || callback.attempts >= attemptsMax
      const retryAt = isOver ? null : toTimestamp(nowMs + firstDelayMs * 2 ** (callback.attempts - 1))
      await finishSimulatedCallback(database, { id: callback.id, retryAt })
    }
  }
}

async function deliver(send: SafeFetch['fetch'], { url, key, body }: DueSimulatedCallback): Promise<boolean> {
  const signature = createHmac('sha512', key).update(body).digest('hex')
  const outcome = await send({
    ...{ url, method: 'POST', body, deadlineMs, isIdempotent: true },
    headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
  })
  return outcome.is === 'answered' && outcome.status >= 200 && outcome.status <= 299
}
