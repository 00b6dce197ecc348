import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
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
 * Each turn with those that hang is between two without any: what these two differ by is what the figures are
 * worth. Only neighbours are compared, because the machine's mood outlasts them.
 */
export async function measureStarvation(stage: Stage, deliveriesPerSecond: number): Promise<void> {
  const found: { before: Latency; hanging: Latency; after: Latency }[] = []
  const turn = (name: string, pathOf?: typeof hangingPath) => takeTurn(stage, { name, deliveriesPerSecond, pathOf })
  await turn('warm')
  let before = await turn('quiet')
  for (let round = 0; round < rounds; round++) {
    const hanging = await turn(`hanging ${round}`, hangingPath)
    const after = await turn(`quiet ${round}`)
    found.push({ before, hanging, after })
    before = after
  }
  const noise = median(found.map((round) => round.after.p99Ms / round.before.p99Ms))
  const ratio = median(found.map((round) => (2 * round.hanging.p99Ms) / (round.before.p99Ms + round.after.p99Ms)))
  const without = medianOf(found.flatMap((round) => [round.before, round.after]))
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
