import { createServer } from 'node:http'
import { stepSeconds as usualStepSeconds } from '../../registry/service/test-carriers.ts'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import type { Database } from '../store/core/database.ts'
import { deleteSimulatedOrders } from '../store/simulator/simulated-orders.ts'
import { deleteSimulatedPayments } from '../store/simulator/simulated-payments.ts'
import type { RandomFaults } from './random-fault.ts'
import { answerRequest } from './requests.ts'
import { sendCallbacks } from './send-callbacks.ts'
import { sendPaymentCallbacks } from './send-payment-callbacks.ts'
import type { Simulation } from './simulation.ts'

/**
 * The carriers and the payment provider of test mode: an HTTP server that stands for three carriers and for Paystack. Orders are kept in the database, and all else
 * follows from them and the clock, so that any number of these servers on one database are the same three companies, and
 * one that starts anew goes on where the last one ended.
 */
export interface Simulator {
  readonly url: string
  readonly stepMs: number
  /** Calls back whoever asked for it, and forgets old orders. For a worker's pulse, or a test that has moved the clock. */
  tick(): Promise<void>
  /** Cuts all connections, also those that hang. */
  close(): Promise<void>
}

export interface SimulatorOptions {
  readonly database: Database
  readonly clock: Clock
  /** How callbacks are sent; without it nobody is called back. It must be allowed to reach this machine. */
  readonly send?: SafeFetch['fetch']
  readonly stepSeconds?: number
  /** Every process on one database needs the same: prices are worked out from it again when an order is placed. */
  readonly seed?: string
  readonly faults?: RandomFaults
  /** As behind the number that makes callbacks go wrong; for orders whose sender has no such number. */
  readonly callbackDigits?: string
}

/** Five weeks: whoever looks at last month's shipments still finds their orders. */
const keptMs = 35 * 24 * 3_600_000

/** An order may be an hour older than it should be. */
const cleaningPauseMs = 3_600_000

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { database, clock } = options
  const simulation: Simulation = {
    database,
    clock,
    send: options.send,
    stepMs: (options.stepSeconds ?? usualStepSeconds) * 1_000,
    seed: options.seed ?? 'lagos',
    faults: options.faults,
    callbackDigits: options.callbackDigits ?? '000',
  }
  const server = createServer((request, response) => answerRequest(simulation, request, response))
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    // Nobody but this machine: whoever reaches it may place orders.
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  let cleanedMs = Number.NEGATIVE_INFINITY
  return {
    url: `http://127.0.0.1:${port}`,
    stepMs: simulation.stepMs,
    tick: async () => {
      const nowMs = clock.nowMs()
      await sendCallbacks(simulation, nowMs)
      await sendPaymentCallbacks(simulation, nowMs)
      if (nowMs - cleanedMs < cleaningPauseMs) return
      await deleteSimulatedOrders(database, toTimestamp(nowMs - keptMs))
      await deleteSimulatedPayments(database, toTimestamp(nowMs - keptMs))
      cleanedMs = nowMs
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
