import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { systemClock } from '../../../src/clock.ts'
import { median } from '../turns.ts'
import { judgeAtMost } from '../verdict.ts'
import { isAnswering, type Latency, lineOf, measureLatency } from './latency.ts'
import { actor, type BenchMerchant } from './merchants.ts'
import { openShops, type Stage } from './stage.ts'

/** What the project promises: with one endpoint in ten hanging the others wait at most a fifth longer. */
const ceiling = 1.2

const rounds = 4
const seconds = 4

/** One of four endpoints of two merchants in five: ten of the hundred. */
const hangingPath = (merchant: number, endpoint: number) => (merchant % 5 < 2 && endpoint === 3 ? '/hang' : '/hook')

/**
 * Each round has a turn with those that hang between two without any: what these two differ by is what the figures are
 * worth. Compared is within a round, because the machine's mood outlasts one.
 */
export async function measureStarvation(stage: Stage, deliveriesPerSecond: number): Promise<void> {
  const found: { before: Latency; hanging: Latency; after: Latency }[] = []
  const turn = (name: string, pathOf?: typeof hangingPath) => takeTurn(stage, { name, deliveriesPerSecond, pathOf })
  await turn('warm')
  for (let round = 0; round < rounds; round++) {
    const before = await turn(`before ${round}`)
    const hanging = await turn(`hanging ${round}`, hangingPath)
    found.push({ before, hanging, after: await turn(`after ${round}`) })
  }
  const noise = median(found.map(({ before, after }) => after.p99Ms / before.p99Ms))
  const ratio = median(found.map(({ before, hanging, after }) => (2 * hanging.p99Ms) / (before.p99Ms + after.p99Ms)))
  const without = medianOf(found.flatMap(({ before, after }) => [before, after]))
  const hanging = medianOf(found.map((round) => round.hanging))
  console.log(`${'No endpoint hangs'.padEnd(32)} ${lineOf(without)}  noise ${noise.toFixed(2)}`)
  judgeAtMost(`${'One in ten hangs, the others'.padEnd(32)} ${lineOf(hanging)}`, ratio, ceiling)
}

interface Turn {
  readonly name: string
  readonly deliveriesPerSecond: number
  readonly pathOf: typeof hangingPath | undefined
}

async function takeTurn(stage: Stage, { name, deliveriesPerSecond, pathOf }: Turn): Promise<Latency> {
  const { worker: child, receiver } = stage
  const merchants = await openShops(stage, receiver, pathOf)
  const latency = await measureLatency({ child, receiver, merchants, deliveriesPerSecond, name, seconds })
  await clearAway(stage, merchants)
  return latency
}

/** Those that hang are gone before the next turn, with all that waits for them. */
async function clearAway({ database, receiver }: Stage, merchants: readonly BenchMerchant[]): Promise<void> {
  const context = { database, clock: systemClock, nudge: () => undefined }
  for (const { merchantId, endpoints } of merchants) {
    for (const { endpointId } of endpoints.filter((endpoint) => !isAnswering(endpoint))) {
      await deleteWebhookEndpoint(context, actor, { merchantId, mode: 'live' }, endpointId)
    }
  }
  await receiver.endHanging()
}

function medianOf(latencies: readonly Latency[]): Latency {
  return {
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
    deliveriesPerSecond: median(latencies.map((latency) => latency.deliveriesPerSecond)),
  }
}
