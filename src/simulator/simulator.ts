import { createServer } from 'node:http'
import { stepSeconds as usualStepSeconds } from '../../registry/service/test-carriers.ts'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { SigningKey } from '../base/signed-text.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import type { Database } from '../store/core/database.ts'
import { deleteSimulatedOrders } from '../store/simulator/simulated-orders.ts'
import { deleteSimulatedPayments } from '../store/simulator/simulated-payments.ts'
import { type Checkout, openCheckout } from './checkout.ts'
import type { RandomFaults } from './random-fault.ts'
import { answerRequest } from './requests.ts'
import { sendCarrierCallbacks } from './send-callbacks.ts'
import { sendPaymentCallbacks } from './send-payment-callbacks.ts'
import type { Simulation } from './simulation.ts'

/**
 * The carriers and the payment provider of test mode: an HTTP server that simulates three carriers and Paystack. Orders
 * are stored in the database; everything else is derived from them and the clock. Any number of servers on one database
 * therefore act as the same carriers, and a restarted server continues where it stopped.
 */
export interface Simulator {
  readonly url: string
  readonly stepMs: number
  openCheckout(senderOf: Parameters<typeof openCheckout>[1]): Checkout
  /**
   * Sends the due callbacks of simulated carriers and deletes their old orders. The worker's sweeper calls this
   * function regularly. A test calls it after moving the clock.
   */
  tick(): Promise<void>
  /** Closes all connections of the server, including those whose request got no response. */
  close(): Promise<void>
}

export interface SimulatorOptions {
  readonly database: Database
  readonly clock: Clock
  /**
   * Without this function, no callbacks are sent. The address policy of the function must allow connections to this
   * machine.
   */
  readonly send?: SafeFetch['fetch']
  readonly stepSeconds?: number
  /** The keys that sign the URLs of checkout pages, newest first. Without keys, no checkout page can be created. */
  readonly keys?: readonly SigningKey[]
  /**
   * Seed of the simulated prices. All processes that share a database must use the same seed, because a price is
   * recomputed from the seed when an order is created.
   */
  readonly seed?: string
  readonly faults?: RandomFaults
  /**
   * Digits that select the callback faults of an order if the phone number of its sender selects none. The digits have
   * the same meaning as the last digits of the sender's phone number.
   */
  readonly callbackDigits?: string
  /**
   * Called with each request that deliberately gets no response. A test can then make the request time out as soon as
   * the simulated carrier has received it.
   */
  readonly onUnanswered?: Simulation['onUnanswered']
}

/** Retention of simulated orders: five weeks, so that the orders of last month's shipments still exist. */
const retentionMs = 35 * 24 * 3_600_000

const cleanupIntervalMs = 3_600_000

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { database, clock } = options
  const simulation: Simulation = {
    database,
    clock,
    send: options.send,
    stepMs: (options.stepSeconds ?? usualStepSeconds) * 1_000,
    keys: options.keys ?? [],
    seed: options.seed ?? 'lagos',
    faults: options.faults,
    callbackDigits: options.callbackDigits ?? '000',
    onUnanswered: options.onUnanswered ?? (() => undefined),
  }
  const server = createServer((request, response) => answerRequest(simulation, request, response))
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    // The server listens on loopback only, because a client needs no authentication to create orders.
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  let lastCleanupMs = Number.NEGATIVE_INFINITY
  return {
    url: `http://127.0.0.1:${port}`,
    stepMs: simulation.stepMs,
    openCheckout: (senderOf) => openCheckout(simulation, senderOf),
    tick: async () => {
      const nowMs = clock.nowMs()
      await sendCarrierCallbacks(simulation, nowMs)
      await sendPaymentCallbacks(simulation, nowMs)
      if (nowMs - lastCleanupMs < cleanupIntervalMs) return
      await deleteSimulatedOrders(database, toTimestamp(nowMs - retentionMs))
      await deleteSimulatedPayments(database, { before: toTimestamp(nowMs - retentionMs) })
      lastCleanupMs = nowMs
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
