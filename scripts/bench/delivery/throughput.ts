import { setTimeout as wait } from 'node:timers/promises'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { pendingEvent } from '../../../src/store/core/outbox.ts'
import { median, perSecond } from '../compare.ts'
import { requireAtLeast } from '../verdict.ts'
import { type Child, startChild } from './child.ts'
import type { LoopRequest } from './loop.ts'
import { type BenchMerchant, order } from './merchants.ts'
import { countDeliveries, queueDeliveries } from './queue.ts'
import type { Arrival } from './receiver.ts'
import { openShops, type Receiver, type Stage } from './stage.ts'

/**
 * Minimum ratio of the webhook worker's delivery rate to the rate of a loop that only signs and posts. In both cases,
 * the receiver verifies signatures.
 */
const floor = 0.6

/**
 * Size of a run: the number of queued deliveries that the webhook worker sends, or of requests that the bare loop
 * sends. Each run takes a few seconds.
 */
const deliveriesPerRun = 20_000

/**
 * Numbers of measured rounds with a receiver that verifies signatures, and with one that does not. Before these rounds,
 * a warm-up round opens connections and compiles code.
 */
const rounds = 5
const unverifiedRounds = 2

/** Compares the webhook worker, which delivers a queue filled in advance, with a loop that only signs and posts. */
export async function measureThroughput(stage: Stage): Promise<void> {
  const loop = await startChild('loop.ts')
  try {
    const verified = await measureAlternately(stage, { loop, receiver: stage.receiver, rounds })
    requireAtLeast(lineOf('Deliveries, verified', verified), verified.ratio, floor)
    const unverified = await measureAlternately(stage, {
      loop,
      receiver: stage.unverifyingReceiver,
      rounds: unverifiedRounds,
    })
    console.log(`${lineOf('Deliveries, unverified', unverified)}  ratio ${unverified.ratio.toFixed(2)}`)
  } finally {
    await loop.stop()
  }
}

interface Runs {
  readonly loop: Child
  readonly receiver: Receiver
  readonly rounds: number
}

interface Throughput {
  readonly deliveriesPerSecond: number
  readonly postsPerSecond: number
  /**
   * Median of the ratios of the worker’s rate to the loop’s rate. Each ratio compares two adjacent runs, because
   * adjacent runs have similar conditions.
   */
  readonly ratio: number
}

async function measureAlternately(stage: Stage, { loop, receiver, rounds }: Runs): Promise<Throughput> {
  const merchants = await openShops(stage, receiver)
  const pairs: { deliveries: number; posts: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const deliveries = await deliverAll(stage, receiver, merchants)
    const posts = await postAll(loop, receiver, merchants)
    if (round > 0) pairs.push({ deliveries, posts })
  }
  await requireAllSucceeded(stage, merchants, deliveriesPerRun * (rounds + 1))
  return {
    deliveriesPerSecond: median(pairs.map(({ deliveries }) => deliveries)),
    postsPerSecond: median(pairs.map(({ posts }) => posts)),
    ratio: median(pairs.map(({ deliveries, posts }) => deliveries / posts)),
  }
}

async function deliverAll(
  { database, worker }: Stage,
  receiver: Receiver,
  merchants: readonly BenchMerchant[],
): Promise<number> {
  await queueDeliveries(database, merchants, deliveriesPerRun)
  await worker.request({
    wake: merchants.flatMap(({ merchantId, endpoints }) =>
      endpoints.map(({ endpointId }) => ({ merchantId, endpointId })),
    ),
  })
  const arrivals = await receiver.arrivals(deliveriesPerRun)
  const distinct = new Set(arrivals.map(({ path, eventId }) => `${path} ${eventId}`))
  if (distinct.size !== deliveriesPerRun || arrivals.length !== deliveriesPerRun) {
    throw new Error(`${distinct.size} of ${deliveriesPerRun} deliveries arrived, in ${arrivals.length} requests.`)
  }
  return speedOf(arrivals)
}

async function postAll(loop: Child, receiver: Receiver, merchants: readonly BenchMerchant[]): Promise<number> {
  const endpoint = merchants[0]?.endpoints[0]
  if (endpoint === undefined) throw new Error('At least one endpoint is required.')
  const nowMs = systemClock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode: 'live' } as const
  const { body } = pendingEvent('order.created', order.order.id, order, moment)
  const { path, secret } = endpoint
  const loopRequest: LoopRequest = { url: `${receiver.origin}${path}`, secret, body, posts: deliveriesPerRun }
  await loop.request(loopRequest)
  return speedOf(await receiver.arrivals(deliveriesPerRun))
}

/**
 * Returns the request rate that the webhook receiver measures. It is measured in the same way for the worker and for
 * the loop that only sends requests.
 */
function speedOf(arrivals: readonly Arrival[]): number {
  const times = arrivals.map(({ atMs }) => atMs)
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return (arrivals.length * 1000) / spanMs
}

/**
 * Maximum number of checks. The worker stores its last results shortly after it received the last response, so one
 * check may not suffice.
 */
const checksMax = 100
const pauseMs = 50

async function requireAllSucceeded(
  { database }: Stage,
  merchants: readonly BenchMerchant[],
  expected: number,
): Promise<void> {
  for (let check = 1; ; check++) {
    const counts = await countDeliveries(database, merchants)
    if (counts.succeeded === expected) return
    if (check >= checksMax)
      throw new Error(`Expected ${expected} succeeded deliveries, found ${JSON.stringify(counts)}.`)
    await wait(pauseMs)
  }
}

function lineOf(title: string, { deliveriesPerSecond, postsPerSecond }: Throughput): string {
  return `${title.padEnd(32)} service ${perSecond(deliveriesPerSecond)}  bare loop ${perSecond(postsPerSecond)}`
}
