import type { TestCarrierCode } from '../../registry/service/test-carriers.ts'
import type { Clock } from '../base/clock.ts'
import type { SafeFetch } from '../outbound/safe-fetch.ts'
import type { Database } from '../store/core/database.ts'
import type { RandomFaults } from './random-fault.ts'

/** What all three companies share. */
export interface Simulation {
  readonly database: Database
  readonly clock: Clock
  /** Undefined where nobody is called back. */
  readonly send: SafeFetch['fetch'] | undefined
  readonly stepMs: number
  readonly seed: string
  readonly faults: RandomFaults | undefined
  /** How callbacks go wrong of orders whose sender's number says nothing about it. */
  readonly callbackDigits: string
}

/** One request to one company. */
export interface SimulatedRequest {
  readonly company: TestCarrierCode
  readonly simulation: Simulation
  readonly nowMs: number
}
