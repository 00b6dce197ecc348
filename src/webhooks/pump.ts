import { performance } from 'node:perf_hooks'
import type { Timestamp } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { type ClaimedDelivery, claimDeliveries } from '../store/delivery-claims.ts'
import { listNextDue } from '../store/delivery-sweeps.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { type AttemptContext, attemptDelivery } from './attempt.ts'
import type { DeliveryRules } from './pace.ts'
import { openRecorder } from './recorder.ts'
import { openSending, type Sending } from './sending.ts'
import { openTurns } from './turns.ts'

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
  readonly callBack: (endpoint: EndpointKey, at: Timestamp) => void
  /** Told at points where a test may end the process. */
  readonly reach?: (point: PumpPoint) => Promise<void>
}

export type PumpPoint = 'claim_not_committed' | 'claim_committed' | 'result_not_committed'

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

/** One claim is being answered while the next is asked for; more would only make each of them smaller. */
const claimsAtOnce = 1

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

/** The database is away: it is asked again twice a second. */
const faultPauseMs = 500

export function openPump(context: PumpContext): Pump {
  const { database, clock, log, rules, reach } = context
  const recorder = openRecorder({
    database,
    log,
    rules,
    ...(reach === undefined ? {} : { beforeCommit: () => reach('result_not_committed') }),
  })
  const turns = openTurns()
  const sending = openSending()
  const pauses = new Set<NodeJS.Timeout>()
  const waiting: (() => void)[] = []
  let claiming = 0
  let isStopping = false
  let attempts = 0

  const settle = () => {
    const isIdle = turns.isEmpty() && pauses.size === 0
    if (claiming > 0 || sending.count() > 0 || (!isIdle && !isStopping)) return
    for (const resolve of waiting.splice(0)) resolve()
  }

  const wake = (endpoints: readonly EndpointKey[]) => {
    for (const endpoint of endpoints) turns.add(endpoint)
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
    sending.begin(delivery)
    attempts += 1
    try {
      const result = await attemptDelivery(context, delivery)
      await recorder.record(result)
      // What is not at full speed may have a pace to keep, which the next look tells.
      if (!delivery.isClean || result.end.is !== 'succeeded') turns.add(delivery)
    } catch (error) {
      // Our own fault: the lease runs out and the delivery is tried again.
      log.error({ err: error, deliveryId: delivery.id }, 'A delivery was not attempted.')
    }
    sending.end(delivery)
    turns.recall(delivery)
    turn()
    settle()
  }

  const claim = async (lanes: readonly EndpointKey[]) => {
    const request = {
      lanes,
      workerId: context.workerId,
      now: toTimestamp(clock.nowMs()),
      room: room(rules, sending),
      merchantCap: rules.sendsPerMerchant,
      endpointCap: rules.sendsPerEndpoint,
    }
    const beforeCommit = reach === undefined ? undefined : () => reach('claim_not_committed')
    const claimed = await claimDeliveries(database, request, beforeCommit)
    await reach?.('claim_committed')
    for (const lane of claimed.lanes) {
      for (const delivery of lane.deliveries) void send(delivery)
      if (lane.limitedBy !== undefined) turns.stepAside(lane, lane.limitedBy)
    }
    // Of an endpoint at full speed nothing waits but retries a minute away or more, which the pulse finds in time.
    const slowed = claimed.lanes.filter(({ isClean, limitedBy }) => !isClean && limitedBy === undefined)
    if (slowed.length > 0) {
      for (const { dueAt, ...endpoint } of await listNextDue(database, slowed)) context.callBack(endpoint, dueAt)
    }
    if (claimed.busy.length > 0) wakeLater(claimed.busy, busyPauseMs)
    const stranded = turns.takeStranded(sending.hasUnderWay)
    if (stranded.length > 0) wakeLater(stranded, limitedPauseMs)
  }

  const takeTurns = async () => {
    while (!isStopping && turns.waiting() > 0) {
      // The oldest become slow before long; what ends meanwhile calls for a turn itself.
      if (room(rules, sending) <= 0) return wakeLater([], busyPauseMs)
      const lanes = turns.take(lanesPerClaim)
      try {
        await claim(lanes)
      } catch (error) {
        log.warn({ err: error, endpoints: lanes.length }, 'Deliveries could not be claimed.')
        wakeLater(lanes, faultPauseMs)
      }
    }
  }

  const turn = () => {
    if (claiming >= claimsAtOnce || isStopping || turns.waiting() === 0) return
    claiming += 1
    // In a turn of the event loop of its own, so that everything woken or ended in this one is claimed together.
    setImmediate(async () => {
      await takeTurns()
      claiming -= 1
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

function room(rules: DeliveryRules, sending: Sending): number {
  return Math.min(rules.sendsInAll - sending.countSince(performance.now() - slowAfterMs), socketsMax - sending.count())
}
