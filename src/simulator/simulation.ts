import type { IncomingMessage } from 'node:http'
import type { TestCarrierCode } from '../../registry/service/test-carriers.ts'
import type { Clock } from '../base/clock.ts'
import type { SigningKey } from '../base/signed-text.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import type { Database } from '../store/core/database.ts'
import type { RandomFaults } from './random-fault.ts'

/** State shared by the three simulated carriers. */
export interface Simulation {
  readonly database: Database
  readonly clock: Clock
  /** Sends callbacks to this service; undefined if callbacks are disabled. */
  readonly send: SafeFetch['fetch'] | undefined
  readonly stepMs: number
  /** The keys that sign the URLs of checkout pages, newest first. */
  readonly keys: readonly SigningKey[]
  readonly seed: string
  readonly faults: RandomFaults | undefined
  /**
   * The digits that select the callback faults of an order. Callback digits in the phone number of the order's sender
   * take precedence.
   */
  readonly callbackDigits: string
  /** Called with each request that deliberately gets no response. */
  readonly onUnanswered: (request: IncomingMessage) => void
}

export interface SimulatedRequest {
  readonly company: TestCarrierCode
  readonly simulation: Simulation
  readonly nowMs: number
}
