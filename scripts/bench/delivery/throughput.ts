import { setTimeout as wait } from 'node:timers/promises'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { pendingEvent } from '../../../src/store/core/outbox.ts'
import { median, perSecond } from '../turns.ts'
import { judge } from '../verdict.ts'
import { type Child, startChild } from './child.ts'
import type { LoopQuestion } from './loop.ts'
import { type BenchMerchant, order } from './merchants.ts'
import { countDeliveries, queueDeliveries } from './queue.ts'
import type { Arrival } from './receiver.ts'
import { openShops, type Receiver, type Stage } from './stage.ts'

/** What the project promises of itself, with a receiver that verifies. */
const floor = 0.4

/** Queued before each turn, and posted by the loop in its own: some seconds' work. */
const deliveriesPerTurn = 20_000

/** The first of each is not counted: connections are opened in it, and code is compiled. */
const rounds = 5
const blindRounds = 2

/** The worker alone, with everything queued before; against a loop that only posts. */
export async function measureThroughput(stage: Stage): Promise<void> {
  const loop = await startChild('loop.ts')
  try {
    const seeing = await takeTurns(stage, { loop, receiver: stage.receiver, rounds })
    judge(lineOf('Deliveries that are verified', seeing), seeing.ratio, floor)
    const blind = await takeTurns(stage, { loop, receiver: stage.blindReceiver, rounds: blindRounds })
    console.log(`${lineOf('Deliveries nobody looks at', blind)}  ratio ${blind.ratio.toFixed(2)}`)
  } finally {
    await loop.stop()
  }
}

interface Turns {
  readonly loop: Child
  readonly receiver: Receiver
  readonly rounds: number
}

interface Throughput {
  readonly deliveriesPerSecond: number
  readonly postsPerSecond: number
  /** The median of the ratios of the turns: both of a pair met the machine in the same mood. */
  readonly ratio: number
}

async function takeTurns(stage: Stage, { loop, receiver, rounds }: Turns): Promise<Throughput> {
  const merchants = await openShops(stage, receiver)
  const pairs: { deliveries: number; posts: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const deliveries = await deliverAll(stage, receiver, merchants)
    const posts = await postAll(loop, receiver, merchants)
    if (round > 0) pairs.push({ deliveries, posts })
  }
  await requireAllSucceeded(stage, merchants, deliveriesPerTurn * (rounds + 1))
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
  await queueDeliveries(database, merchants, deliveriesPerTurn)
  await worker.ask({
    wake: merchants.flatMap(({ merchantId, endpoints }) =>
      endpoints.map(({ endpointId }) => ({ merchantId, endpointId })),
    ),
  })
  const arrivals = await receiver.arrivals(deliveriesPerTurn)
  const distinct = new Set(arrivals.map(({ path, eventId }) => `${path} ${eventId}`))
  if (distinct.size !== deliveriesPerTurn || arrivals.length !== deliveriesPerTurn) {
    throw new Error(`Of ${deliveriesPerTurn} deliveries ${distinct.size} arrived, in ${arrivals.length} requests.`)
  }
  return speedOf(arrivals)
}

async function postAll(loop: Child, receiver: Receiver, merchants: readonly BenchMerchant[]): Promise<number> {
  const endpoint = merchants[0]?.endpoints[0]
  if (endpoint === undefined) throw new Error('There are endpoints.')
  const nowMs = systemClock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode: 'live' } as const
  const { body } = pendingEvent('order.created', order.order.id, order, moment)
  const { path, secret } = endpoint
  const question: LoopQuestion = { url: `${receiver.origin}${path}`, secret, body, posts: deliveriesPerTurn }
  await loop.ask(question)
  return speedOf(await receiver.arrivals(deliveriesPerTurn))
}

/** Both sides by what the receiver saw. */
function speedOf(arrivals: readonly Arrival[]): number {
  const times = arrivals.map(({ atMs }) => atMs)
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return (arrivals.length * 1000) / spanMs
}

/** The last results are written a moment after the last answer. */
const looks = 100
const pauseMs = 50

async function requireAllSucceeded(
  { database }: Stage,
  merchants: readonly BenchMerchant[],
  expected: number,
): Promise<void> {
  for (let look = 1; ; look++) {
    const counts = await countDeliveries(database, merchants)
    if (counts.succeeded === expected) return
    if (look >= looks) throw new Error(`${expected} deliveries were queued and are ${JSON.stringify(counts)}.`)
    await wait(pauseMs)
  }
}

function lineOf(title: string, { deliveriesPerSecond, postsPerSecond }: Throughput): string {
  return `${title.padEnd(32)} service ${perSecond(deliveriesPerSecond)}  bare loop ${perSecond(postsPerSecond)}`
}
