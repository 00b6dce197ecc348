import type { TestCarrierCode } from '../../registry/test-carriers.ts'
import type { DispatchFault } from '../../registry/test-phones.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../store/database.ts'
import type { SafeFetch } from '../webhooks/safe-fetch.ts'

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

/** Faults by chance, for runs of many orders: the same seed and reference have the same fault. */
export interface RandomFaults {
  readonly seed: string
  /** Shares of all orders, from 0 to 1; together at most 1. */
  readonly rates: Readonly<Partial<Record<DispatchFault, number>>>
}

/** One request to one company. */
export interface Asked {
  readonly company: TestCarrierCode
  readonly simulation: Simulation
  readonly nowMs: number
}
