import { performance } from 'node:perf_hooks'
import type { Log } from '../base/log.ts'
import { recurringWorkOf } from '../base/recurring-work.ts'
import { inBackground } from '../base/trace.ts'
import type { Database } from '../store/core/database.ts'
import type { ClaimedDelivery } from '../store/webhooks/claimed-lanes.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { scheduleNextAttempts } from '../store/webhooks/next-attempts.ts'
import { type AttemptContext, attemptDelivery } from './attempt.ts'
import { type Claim, type Claimer, type ClaimPoint, openClaimer } from './claimer.ts'
import { type InFlightSends, openInFlightSends } from './in-flight-sends.ts'
import type { DeliveryRules } from './pace.ts'
import { openReadyQueue, type ReadyQueue } from './ready-queue.ts'
import type { ResultPoint } from './record-results.ts'
import { openRecorder, type Recorder } from './recorder.ts'

/**
 *   wake ──> ready queue ──claim──> send ──record──┬─> ready queue, if more deliveries may be due
 *                                                  └─ after a crash before this: the lease expires, then sent again
 *
 * One pump serves all endpoints of a process. The ready queue is fair, so an endpoint with a backlog does not delay
 * others. Concurrency caps are counted in the database, so they apply across processes. Delivery is at least once:
 * receivers deduplicate by the event's id.
 */
export interface PumpContext extends AttemptContext {
  readonly database: Database
  readonly log: Log
  readonly rules: DeliveryRules
  /** The worker id under which this process leases deliveries. */
  readonly workerId: string
  /** A test hook, called at points where a test may end the process. */
  readonly reach?: (point: PumpPoint) => Promise<void>
}

export type PumpPoint = ClaimPoint | ResultPoint

export interface Pump {
  /** Adds endpoints that may have due deliveries to the ready queue. */
  wake(endpoints: readonly EndpointKey[]): void
  /** Resolves when no endpoint is queued, delayed, or parked at a concurrency cap, and no send is in flight. */
  idle(): Promise<void>
  /** Stops claiming deliveries. Resolves when the sends in flight have ended. */
  stop(): Promise<void>
  /** Returns the number of delivery attempts started so far. */
  attempts(): number
  /** Returns the number of endpoints in the ready queue. */
  queued(): number
  inFlight(): number
}

/**
 * Maximum number of endpoints per claim of deliveries. Many endpoints share the cost of a claim, and the claim still
 * takes only milliseconds.
 */
const lanesPerClaim = 64

/**
 * Age in milliseconds from which a send is treated as slow. A slow send mostly waits for its receiver and occupies only
 * a socket, so it no longer counts towards `sendsInAll`: hanging receivers do not use up the capacity.
 */
const slowAfterMs = 1_000

/**
 * Maximum number of sends in flight, including slow sends. Each send occupies a socket and the memory of an event's
 * body.
 */
const socketsMax = 2_000

/**
 * Delay until the next claim of deliveries for an endpoint when another worker is claiming deliveries of this endpoint,
 * or when this process has no capacity.
 */
const busyDelayMs = 10
/**
 * Delay until the next claim of deliveries for an endpoint whose concurrency cap is reached by the sends of other
 * workers.
 */
const limitedDelayMs = 200
/** Delay until the next claim of deliveries after a claim failed, usually because the database is unavailable. */
const faultDelayMs = 500

interface PumpState {
  readonly context: PumpContext
  readonly recorder: Recorder
  readonly claimer: Claimer
  readonly readyQueue: ReadyQueue
  readonly inFlight: InFlightSends
  readonly timers: Set<NodeJS.Timeout>
  /** Functions that resolve promises: one function for each call of `idle()` or `stop()` that is still waiting. */
  readonly waiters: (() => void)[]
  isClaiming: boolean
  isStopping: boolean
  attempts: number
}

export function openPump(context: PumpContext): Pump {
  const { database, log, rules, reach } = context
  const recorder = openRecorder({ database, log, rules, ...(reach === undefined ? {} : { reach }) })
  const inFlight = openInFlightSends()
  const state: PumpState = {
    context,
    recorder,
    claimer: openClaimer(context, { inFlight, recorder, capacity: () => capacityOf({ context, inFlight }) }),
    readyQueue: openReadyQueue(),
    inFlight,
    timers: new Set(),
    waiters: [],
    isClaiming: false,
    isStopping: false,
    attempts: 0,
  }
  return {
    wake: (endpoints) => wake(state, endpoints),
    idle: () => whenIdle(state),
    stop: () => {
      state.isStopping = true
      for (const timer of state.timers) clearTimeout(timer)
      return whenIdle(state)
    },
    attempts: () => state.attempts,
    queued: () => state.readyQueue.queuedCount(),
    inFlight: () => state.inFlight.count(),
  }
}

function wake(state: PumpState, endpoints: readonly EndpointKey[]): void {
  for (const endpoint of endpoints) state.readyQueue.add(endpoint)
  startClaiming(state)
}

function wakeLater(state: PumpState, endpoints: readonly EndpointKey[], delayMs: number): void {
  const timer = setTimeout(() => {
    state.timers.delete(timer)
    wake(state, endpoints)
    resolveIfIdle(state)
  }, delayMs)
  state.timers.add(timer)
}

/** Starts the claim loop in the next iteration of the event loop, so that all endpoints queued by then share a claim. */
function startClaiming(state: PumpState): void {
  if (state.isClaiming || state.isStopping || state.readyQueue.queuedCount() === 0) return
  state.isClaiming = true
  const claim = async () => {
    await claimAll(state)
    state.isClaiming = false
    // Endpoints may have been queued while the claim loop was ending, so the loop is started again. Without capacity
    // for further sends, this is not necessary: the loop has then already scheduled the next claim.
    if (capacityOf(state) > 0) startClaiming(state)
    resolveIfIdle(state)
  }
  inBackground(() => setImmediate(claim))
}

async function claimAll(state: PumpState): Promise<void> {
  const { claimer, readyQueue, context } = state
  while (!state.isStopping && readyQueue.queuedCount() > 0) {
    // If the process has no capacity for further sends, the next claim waits. A send that ends frees capacity and wakes
    // the pump. A send that takes longer than a second is treated as slow, and then frees its capacity too.
    if (capacityOf(state) <= 0) {
      wakeLater(state, [], busyDelayMs)
      return
    }
    const lanes = readyQueue.take(lanesPerClaim)
    try {
      await recurringWorkOf(context.log).observe('delivery_claims', async () =>
        sendClaimed(state, await claimer.claim(lanes)),
      )
    } catch {
      claimer.expectUnknownLeases()
      wakeLater(state, lanes, faultDelayMs)
    }
  }
}

/**
 * Starts to send the claimed deliveries. An endpoint with further due deliveries is not claimed again until one of its
 * sends ends or a delay has passed. A job is scheduled for the next due time of a throttled endpoint.
 */
async function sendClaimed(state: PumpState, { lanes, busy, isFull }: Claim): Promise<void> {
  const { context, readyQueue, inFlight } = state
  for (const lane of lanes) {
    for (const delivery of lane.deliveries) void send(state, delivery)
    // If the process was full, the end of any send frees capacity. The endpoint therefore returns to the ready queue at
    // once, instead of waiting for the end of one of its own sends.
    if (lane.limitedBy === 'merchant' && isFull) readyQueue.add(lane)
    else if (lane.limitedBy !== undefined) readyQueue.park(lane, lane.limitedBy)
  }
  // A wake-up is scheduled here only for throttled endpoints, because such an endpoint may have a new delivery that is
  // due before its next retry. Other endpoints need none here: each retry was scheduled when its failure was recorded,
  // and the sweep finds due deliveries that are older than the search range of the claim.
  const slowed = lanes.filter(({ isHealthy, limitedBy }) => !isHealthy && limitedBy === undefined)
  if (slowed.length > 0) await scheduleNextAttempts(context.database, slowed)
  if (busy.length > 0) wakeLater(state, busy, busyDelayMs)
  const stranded = readyQueue.takeStranded(inFlight.hasInFlight)
  if (stranded.length > 0) wakeLater(state, stranded, limitedDelayMs)
}

async function send(state: PumpState, delivery: ClaimedDelivery): Promise<void> {
  const { context, recorder, readyQueue, inFlight } = state
  inFlight.begin(delivery)
  state.attempts += 1
  try {
    const result = await attemptDelivery(context, delivery)
    await recorder.record(result)
    // The next delivery of a throttled endpoint may be due later, so the endpoint is queued again and the next claim
    // reads the due time.
    if (!delivery.isHealthy || result.end.is !== 'succeeded') readyQueue.add(delivery)
  } catch (error) {
    // An error that is thrown during an attempt is a fault of this service, not of the receiver. The lease of the
    // delivery expires, and the delivery is sent again.
    const { merchantId, endpointId, id: deliveryId } = delivery
    context.log.error({ err: error, merchantId, endpointId, deliveryId }, 'A webhook delivery could not be attempted.')
  }
  inFlight.end(delivery)
  readyQueue.sendEnded(delivery)
  startClaiming(state)
  resolveIfIdle(state)
}

function whenIdle(state: PumpState): Promise<void> {
  return new Promise((resolve) => {
    state.waiters.push(resolve)
    resolveIfIdle(state)
  })
}

/** A pump that is stopping waits only for its running claim and for the sends in flight, not for queued endpoints. */
function resolveIfIdle({ readyQueue, timers, inFlight, waiters, isClaiming, isStopping }: PumpState): void {
  const isQueueEmpty = readyQueue.isEmpty() && timers.size === 0
  if (isClaiming || inFlight.count() > 0 || (!isQueueEmpty && !isStopping)) return
  for (const resolve of waiters.splice(0)) resolve()
}

/** Returns the number of further sends that this process may start. */
function capacityOf({ context, inFlight }: Pick<PumpState, 'context' | 'inFlight'>): number {
  const recentCount = inFlight.countSince(performance.now() - slowAfterMs)
  return Math.min(context.rules.sendsInAll - recentCount, socketsMax - inFlight.count())
}
