import { AsyncLocalStorage } from 'node:async_hooks'
import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { dispatchFaultOf } from '../../registry/service/test-phones.ts'
import type { Clock } from '../../src/base/clock.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { Carrier, Carriers, CreateRequest } from '../../src/partners/carriers/carrier.ts'
import { openSimulatorCarriers } from '../../src/partners/carriers/simulator.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import type { Database } from '../../src/store/core/database.ts'
import { hangs } from './faults.ts'

/** The three simulated carriers of test mode, reached over HTTP, with simulated response times. */
export interface SimulatedCarriers {
  readonly carriers: Carriers
  /** Number of requests to create an order at a carrier, and number of those whose outcome was unknown. */
  readonly requests: { creates: number; unknowns: number }
  close(): Promise<void>
}

/**
 * Duration of a step of a simulated delivery: the carrier assigns a rider after 1.5 minutes, and the rider collects the
 * parcel after six minutes.
 */
const stepSeconds = 90

/** Simulated durations of a carrier request: of one that times out, and of one that gets a response. */
const timeoutMs = 8_000
const responseMs = 1_000

/**
 * Real timeout of carrier requests that get a response, long enough for a busy machine. The dispatcher's own timeout
 * uses only the simulated clock, so that the load of the machine does not affect the result.
 */
const realTimeoutMs = 30_000

/**
 * A clock that advances only when the measurement advances it. A wait during a dispatch advances the clock of that
 * dispatch only, so that concurrent dispatches do not affect each other.
 */
export interface RunClock extends Clock {
  /** The clock of the simulated carriers. A wait during a dispatch does not advance it. */
  readonly plain: Clock
  moveTo(ms: number): void
  /** Runs a function whose waits do not advance the clock of other functions. Returns its result and its total wait. */
  runWithOwnWait<Result>(run: () => Promise<Result>): Promise<{ readonly result: Result; readonly waitedMs: number }>
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
    runWithOwnWait: async (run) => {
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

export async function openSimulatedCarriers(
  database: Database,
  clock: RunClock,
  seed: string,
): Promise<SimulatedCarriers> {
  const outbound = openSafeFetch({ allowsLoopback: true })
  const unanswered = openUnanswered()
  const { report: onUnanswered } = unanswered
  const simulator = await openSimulator({ database, clock: clock.plain, seed, stepSeconds, onUnanswered })
  const carriers = openSimulatorCarriers(outbound.fetch, simulator.url)
  const requests = { creates: 0, unknowns: 0 }
  return {
    carriers: new Map(
      testCarrierCodes.map((code) => [code, withResponseTimes(carriers[code], { clock, requests, unanswered })]),
    ),
    requests,
    close: async () => {
      await simulator.close()
      await outbound.close()
    },
  }
}

/**
 * The carrier requests that get no response. They are aborted as soon as the carrier has them; the rest of their
 * timeout is simulated.
 */
interface Unanswered {
  /** Returns the signal that aborts the carrier request with this reference. */
  signalOf(reference: string): AbortSignal
  /** Reports that the carrier has received the request with this reference and will not respond. */
  report(reference: string): void
}

function openUnanswered(): Unanswered {
  const controllers = new Map<string, AbortController>()
  return {
    signalOf: (reference) => {
      const controller = new AbortController()
      controllers.set(reference, controller)
      return controller.signal
    },
    report: (reference) => {
      controllers.get(reference)?.abort()
      controllers.delete(reference)
    },
  }
}

interface Responses extends Pick<SimulatedCarriers, 'requests'> {
  readonly clock: RunClock
  readonly unanswered: Unanswered
}

function withResponseTimes(carrier: Carrier, { clock, requests, unanswered }: Responses): Carrier {
  const requested = new Set<string>()
  const { find } = carrier
  const realTimeout = () => AbortSignal.timeout(realTimeoutMs)
  return {
    ...carrier,
    quote: (account, request) => carrier.quote(account, request, realTimeout()),
    get: (account, order) => carrier.get(account, order, realTimeout()),
    cancel: (account, order, reason) => carrier.cancel(account, order, reason, realTimeout()),
    ...(find === undefined ? {} : { find: (account, sought) => find(account, sought, realTimeout()) }),
    create: async (account, request) => {
      const isRepeated = requested.has(request.reference)
      requested.add(request.reference)
      const isHanging = hangs(faultOf(request), isRepeated)
      const signal = isHanging
        ? AbortSignal.any([unanswered.signalOf(request.reference), realTimeout()])
        : realTimeout()
      const outcome = await carrier.create(account, request, signal)
      clock.wait(isHanging ? timeoutMs : responseMs)
      if (!isRepeated) {
        requests.creates += 1
        if (outcome.is === 'unknown') requests.unknowns += 1
      }
      return outcome
    },
  }
}

function faultOf({ dropoff, reference }: CreateRequest) {
  return dispatchFaultOf(dropoff.phone ?? '', Number(/-(\d+)$/.exec(reference)?.[1] ?? 1))
}
