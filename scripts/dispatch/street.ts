import { AsyncLocalStorage } from 'node:async_hooks'
import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { dispatchFaultOf } from '../../registry/service/test-phones.ts'
import type { Clock } from '../../src/base/clock.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { Carrier, Carriers, CreateRequest } from '../../src/partners/carriers/carrier.ts'
import { openSimulatorCarriers } from '../../src/partners/carriers/simulator.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import type { Database } from '../../src/store/core/database.ts'
import { isHanging } from './faults.ts'

/** The three companies of test mode behind HTTP, as one dispatcher meets them, and what their answers cost it in time. */
export interface Street {
  readonly carriers: Carriers
  /** How many were asked, and of how many askings nobody knew what came of them. */
  readonly asked: { creates: number; unknowns: number }
  close(): Promise<void>
}

/** A minute and a half until a rider is named, and six until it has the parcel, as on a day without rain. */
const stepSeconds = 90

/** How long a dispatcher waits for an answer, and how long one takes that comes. */
const waitsMs = 8_000
const answersMs = 1_000

/**
 * What does answer is waited for as long as a busy machine takes: its deadline is the dispatcher’s by the run’s clock alone,
 * or a machine that is short of time would be measured, and take carriers for silent that are not.
 */
const busyMs = 30_000

/** What no answer comes to is waited for only until the company has surely read it; the rest of the wait is reckoned. */
const hangMs = 300

/**
 * A clock that stands still until the run moves it on. What a dispatch waits for counts for that dispatch alone, so that
 * many go on at once and none is held up by this machine.
 */
export interface RunClock extends Clock {
  /** The same without anybody’s waits: the companies’ clock. */
  readonly plain: Clock
  moveTo(ms: number): void
  /** Runs what has a wait of its own; returns how long it waited. */
  apart<Result>(run: () => Promise<Result>): Promise<{ readonly result: Result; readonly waitedMs: number }>
  wait(ms: number): void
}

export function openRunClock(startMs: number): RunClock {
  let nowMs = startMs
  const own = new AsyncLocalStorage<{ ms: number }>()
  return {
    nowMs: () => nowMs + (own.getStore()?.ms ?? 0),
    plain: { nowMs: () => nowMs },
    moveTo: (ms) => {
      nowMs = Math.max(nowMs, ms)
    },
    apart: async (run) => {
      const waited = { ms: 0 }
      const result = await own.run(waited, run)
      return { result, waitedMs: waited.ms }
    },
    wait: (ms) => {
      const waited = own.getStore()
      if (waited !== undefined) waited.ms += ms
    },
  }
}

export async function openStreet(database: Database, clock: RunClock, seed: string): Promise<Street> {
  const outbound = openSafeFetch({ allowsLoopback: true })
  const simulator = await openSimulator({ database, clock: clock.plain, seed, stepSeconds })
  const companies = openSimulatorCarriers(outbound.fetch, simulator.url)
  const asked = { creates: 0, unknowns: 0 }
  return {
    carriers: new Map(testCarrierCodes.map((code) => [code, timed(companies[code], clock, asked)])),
    asked,
    close: async () => {
      await simulator.close()
      await outbound.close()
    },
  }
}

function timed(carrier: Carrier, clock: RunClock, asked: Street['asked']): Carrier {
  const before = new Set<string>()
  const { find } = carrier
  const busy = () => AbortSignal.timeout(busyMs)
  return {
    ...carrier,
    quote: (account, request) => carrier.quote(account, request, busy()),
    get: (account, order) => carrier.get(account, order, busy()),
    cancel: (account, order, reason) => carrier.cancel(account, order, reason, busy()),
    ...(find === undefined ? {} : { find: (account, sought) => find(account, sought, busy()) }),
    create: async (account, request) => {
      const isRepeated = before.has(request.reference)
      before.add(request.reference)
      const isHung = isHanging(faultOf(request), isRepeated)
      const outcome = await carrier.create(account, request, isHung ? AbortSignal.timeout(hangMs) : busy())
      clock.wait(isHung ? waitsMs : answersMs)
      if (!isRepeated) {
        asked.creates += 1
        if (outcome.is === 'unknown') asked.unknowns += 1
      }
      return outcome
    },
  }
}

function faultOf({ dropoff, reference }: CreateRequest) {
  return dispatchFaultOf(dropoff.phone ?? '', Number(/-(\d+)$/.exec(reference)?.[1] ?? 1))
}
