import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { systemClock } from '../../../src/clock.ts'
import { median } from '../turns.ts'
import { judgeAtMost } from '../verdict.ts'
import { isAnswering, type Latency, lineOf, measureLatency } from './latency.ts'
import { actor, type BenchMerchant } from './merchants.ts'
import { openShops, type Stage } from './stage.ts'

/** What the project promises: with one endpoint in ten hanging the others wait at most a fifth longer. */
const ceiling = 1.2

const rounds = 5
const seconds = 4

/** One of four endpoints of two merchants in five: ten of the hundred. */
const hangingPath = (merchant: number, endpoint: number) => (merchant % 5 < 2 && endpoint === 3 ? '/hang' : '/hook')

/**
 * At a quarter of the throughput, so that the others' wait is not that for a machine that is busy. Each round has a turn with those that hang
 * between two without any: what these two differ by is what the figures are worth.
 */
export async function measureStarvation(stage: Stage, throughputPerSecond: number): Promise<void> {
  const before: Latency[] = []
  const hanging: Latency[] = []
  const after: Latency[] = []
  const turn = (name: string, pathOf?: typeof hangingPath) =>
    takeTurn(stage, { name, deliveriesPerSecond: throughputPerSecond / 4, pathOf })
  await turn('warm')
  for (let round = 0; round < rounds; round++) {
    before.push(await turn(`before ${round}`))
    hanging.push(await turn(`hanging ${round}`, hangingPath))
    after.push(await turn(`after ${round}`))
  }
  const without = medianOf([...before, ...after])
  const withHanging = medianOf(hanging)
  const noise = medianOf(after).p99Ms / medianOf(before).p99Ms
  console.log(`${'No endpoint hangs'.padEnd(32)} ${lineOf(without)}  noise ${noise.toFixed(2)}`)
  judgeAtMost(
    `${'One in ten hangs, the others'.padEnd(32)} ${lineOf(withHanging)}`,
    withHanging.p99Ms / without.p99Ms,
    ceiling,
  )
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
