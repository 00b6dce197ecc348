import { performance } from 'node:perf_hooks'
import { webhookAcknowledgementSeconds } from '../../registry/values/limits.ts'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../store/core/database.ts'
import { type ClaimedDelivery, claimDeliveries, leaseSeconds } from '../store/webhooks/delivery-claims.ts'
import { listLeasesOf, listNextDue } from '../store/webhooks/delivery-sweeps.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { abandonedLease } from './abandoned-lease.ts'
import { type AttemptContext, attemptDelivery } from './attempt.ts'
import type { DeliveryRules } from './pace.ts'
import { openReadyQueue } from './ready-queue.ts'
import type { ResultPoint } from './record-results.ts'
import { openRecorder } from './recorder.ts'
import { type InFlightSends, openInFlightSends } from './sending.ts'

/**
 *   wake ──> ready ──claim──> sending ──record──┬─> ready again, if more was due
 *              ↑ in turns                       └─ a crash anywhere before this: the lease runs out, it is sent again
 *
 * One pump serves all endpoints of a process. Each has its turn, so that one with a backlog delays nobody, and the caps
 * are counted in the database, so that they hold over all processes. A receiver may see an event twice and deduplicates
 * by its id; no event is lost.
 */
export interface PumpContext extends AttemptContext {
  readonly database: Database
  readonly log: Log
  readonly rules: DeliveryRules
  /** Asks to be woken for an endpoint at a time. Losing it loses only time. */
  readonly scheduleWake: (endpoint: EndpointKey, at: Timestamp) => void
  /** Told at points where a test may end the process. */
  readonly reach?: (point: PumpPoint) => Promise<void>
}

export type PumpPoint = 'claim_not_committed' | 'claim_committed' | ResultPoint

export interface Pump {
  /** These endpoints have something due. */
  wake(endpoints: readonly EndpointKey[]): void
  /** Settles when nothing is due that may be sent now, and nothing under way. */
  idle(): Promise<void>
  /** Claims nothing further; settles when what is under way has ended. */
  stop(): Promise<void>
  /** How many attempts it has begun. */
  attempts(): number
}

/** So many endpoints are looked at by one statement: enough to share its cost, few enough to answer in milliseconds. */
const lanesPerClaim = 64

/**
 * A send older than this waits for its receiver and costs no more than a socket. It no longer counts against
 * `sendsInAll`, so that receivers that hang take nobody's place for longer.
 */
const slowAfterMs = 1_000

/** All sends of a process, those that hang included: each holds a socket and the text of an event. */
const socketsMax = 2_000

/** Another worker claims for a moment, or fills an endpoint's cap for as long as its receiver takes. */
const busyPauseMs = 10
const limitedPauseMs = 200

/** A send that begins later than this after its claim could still be under way when the lease has run out. */
const startWithinMs = (leaseSeconds - webhookAcknowledgementSeconds) * 1000

/** The database is away: it is asked again twice a second. */
const faultPauseMs = 500

export function openPump(context: PumpContext): Pump {
  const { database, clock, log, rules, reach } = context
  const recorder = openRecorder({
    database,
    log,
    rules,
    ...(reach === undefined ? {} : { reach }),
  })
  const readyQueue = openReadyQueue()
  const inFlight = openInFlightSends()
  const pauses = new Set<NodeJS.Timeout>()
  const waiting: (() => void)[] = []
  let isTurning = false
  let isStopping = false
  let mayHoldUnknown = false
  let attempts = 0

  const settle = () => {
    const isIdle = readyQueue.isEmpty() && pauses.size === 0
    if (isTurning || inFlight.count() > 0 || (!isIdle && !isStopping)) return
    for (const resolve of waiting.splice(0)) resolve()
  }

  const wake = (endpoints: readonly EndpointKey[]) => {
    for (const endpoint of endpoints) readyQueue.add(endpoint)
    turn()
  }

  const wakeLater = (endpoints: readonly EndpointKey[], pauseMs: number) => {
    const timer = setTimeout(() => {
      pauses.delete(timer)
      wake(endpoints)
      settle()
    }, pauseMs)
    pauses.add(timer)
  }

  const send = async (delivery: ClaimedDelivery) => {
    inFlight.begin(delivery)
    attempts += 1
    try {
      const result = await attemptDelivery(context, delivery)
      await recorder.record(result)
      // What is not at full speed may have a pace to keep, which the next look tells.
      if (!delivery.isHealthy || result.end.is !== 'succeeded') readyQueue.add(delivery)
    } catch (error) {
      // Our own fault: the lease runs out and the delivery is tried again.
      log.error({ err: error, deliveryId: delivery.id }, 'A delivery was not attempted.')
    }
    inFlight.end(delivery)
    readyQueue.sendEnded(delivery)
    turn()
    settle()
  }

  /**
   * A connection that breaks in a commit does not tell whether the claim was made. If it was, its deliveries would wait
   * for the end of a lease that nobody uses, and take up the room of others.
   */
  const releaseUnknown = async () => {
    const unknown = (await listLeasesOf(database, context.workerId)).filter(
      ({ deliveryId }) => !inFlight.has(deliveryId),
    )
    await Promise.all(unknown.map((lease) => recorder.record(abandonedLease(lease, 'stopped', clock.nowMs()))))
    mayHoldUnknown = false
  }

  const claim = async (lanes: readonly EndpointKey[]) => {
    if (mayHoldUnknown) await releaseUnknown()
    const claimedMs = clock.nowMs()
    const request = {
      lanes,
      workerId: context.workerId,
      now: toTimestamp(claimedMs),
      room: room(rules, inFlight),
      merchantCap: rules.sendsPerMerchant,
      endpointCap: rules.sendsPerEndpoint,
    }
    const beforeCommit = reach === undefined ? undefined : () => reach('claim_not_committed')
    const claimed = await claimDeliveries(database, request, beforeCommit)
    await reach?.('claim_committed')
    // A process that was stopped for a while must not send beside whoever has them by now.
    if (clock.nowMs() - claimedMs > startWithinMs) throw new Error('It was too late to send what was claimed.')
    const isFull = claimed.lanes.reduce((sum, { deliveries }) => sum + deliveries.length, 0) >= request.room
    for (const lane of claimed.lanes) {
      for (const delivery of lane.deliveries) void send(delivery)
      // Where this process had no room left for it, room comes back with whatever ends, and not with its own.
      if (lane.limitedBy === 'merchant' && isFull) readyQueue.add(lane)
      else if (lane.limitedBy !== undefined) readyQueue.park(lane, lane.limitedBy)
    }
    // Of an endpoint at full speed nothing waits but retries a minute away or more, which the pulse finds in time.
    const slowed = claimed.lanes.filter(({ isHealthy, limitedBy }) => !isHealthy && limitedBy === undefined)
    if (slowed.length > 0) {
      for (const { dueAt, ...endpoint } of await listNextDue(database, slowed)) context.scheduleWake(endpoint, dueAt)
    }
    if (claimed.busy.length > 0) wakeLater(claimed.busy, busyPauseMs)
    const stranded = readyQueue.takeStranded(inFlight.hasInFlight)
    if (stranded.length > 0) wakeLater(stranded, limitedPauseMs)
  }

  const takeTurns = async () => {
    while (!isStopping && readyQueue.queuedCount() > 0) {
      // The oldest become slow before long; what ends meanwhile calls for a turn itself.
      if (room(rules, inFlight) <= 0) {
        wakeLater([], busyPauseMs)
        return
      }
      const lanes = readyQueue.take(lanesPerClaim)
      try {
        await claim(lanes)
      } catch (error) {
        mayHoldUnknown = true
        log.warn({ err: error, endpoints: lanes.length }, 'Deliveries could not be claimed.')
        wakeLater(lanes, faultPauseMs)
      }
    }
  }

  const turn = () => {
    if (isTurning || isStopping || readyQueue.queuedCount() === 0) return
    isTurning = true
    // In a turn of the event loop of its own, so that everything woken or ended in this one is claimed together.
    setImmediate(async () => {
      await takeTurns()
      isTurning = false
      // Whoever was called for in the last moment of this turn; with no room left a pause has been made already.
      if (room(rules, inFlight) > 0) turn()
      settle()
    })
  }

  const whenSettled = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      settle()
    })

  return {
    wake,
    idle: whenSettled,
    stop: () => {
      isStopping = true
      for (const timer of pauses) clearTimeout(timer)
      return whenSettled()
    },
    attempts: () => attempts,
  }
}

function room(rules: DeliveryRules, sending: InFlightSends): number {
  return Math.min(rules.sendsInAll - sending.countSince(performance.now() - slowAfterMs), socketsMax - sending.count())
}
