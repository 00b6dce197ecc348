import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { median } from '../compare.ts'
import { requireAtMost } from '../verdict.ts'
import { isResponding, type Latency, lineOf, measureLatency } from './latency.ts'
import { actor, type BenchMerchant } from './merchants.ts'
import { openShops, type Stage } from './stage.ts'

/**
 * Maximum ratio of two p99 latencies: if one webhook endpoint in ten never responds, the latency of the others is at
 * most 20 % higher than without such endpoints.
 */
const ceiling = 1.2

const rounds = 4
const seconds = 4

/**
 * Of the hundred webhook endpoints, ten never respond: one endpoint of each of ten merchants. The endpoints of the
 * other fifteen merchants all respond.
 */
const hangingPath = (merchant: number, endpoint: number) => (merchant % 5 < 2 && endpoint === 3 ? '/hang' : '/hook')

/**
 * Measures the delivery latency of responding endpoints while other endpoints hang. Each run with hanging endpoints is
 * between two runs without; the difference of these two is the measurement noise. Only adjacent runs are compared,
 * because the machine's speed changes slowly.
 */
export async function measureStarvation(stage: Stage, deliveriesPerSecond: number): Promise<void> {
  const found: { before: Latency; hanging: Latency; after: Latency }[] = []
  const run = (name: string, pathOf?: typeof hangingPath) => measureOnce(stage, { name, deliveriesPerSecond, pathOf })
  await run('warm')
  let before = await run('quiet')
  for (let round = 0; round < rounds; round++) {
    const hanging = await run(`hanging ${round}`, hangingPath)
    const after = await run(`quiet ${round}`)
    found.push({ before, hanging, after })
    before = after
  }
  const noise = median(found.map((round) => round.after.p99Ms / round.before.p99Ms))
  const ratio = median(found.map((round) => (2 * round.hanging.p99Ms) / (round.before.p99Ms + round.after.p99Ms)))
  const without = medianOf(found.flatMap((round) => [round.before, round.after]))
  const hanging = medianOf(found.map((round) => round.hanging))
  console.log(`${'No hanging endpoint'.padEnd(32)} ${lineOf(without)}  noise ${noise.toFixed(2)}`)
  requireAtMost(`${'90 % that respond, 10 % hanging'.padEnd(32)} ${lineOf(hanging)}`, ratio, ceiling)
}

interface Run {
  readonly name: string
  readonly deliveriesPerSecond: number
  readonly pathOf: typeof hangingPath | undefined
}

async function measureOnce(stage: Stage, { name, deliveriesPerSecond, pathOf }: Run): Promise<Latency> {
  const { worker: child, receiver } = stage
  const merchants = await openShops(stage, receiver, pathOf)
  const latency = await measureLatency({ child, receiver, merchants, deliveriesPerSecond, name, seconds })
  await removeHangingEndpoints(stage, merchants)
  return latency
}

async function removeHangingEndpoints(
  { database, receiver }: Stage,
  merchants: readonly BenchMerchant[],
): Promise<void> {
  const context = { database, clock: systemClock, nudge: () => undefined }
  for (const { merchantId, endpoints } of merchants) {
    for (const { endpointId } of endpoints.filter((endpoint) => !isResponding(endpoint))) {
      await deleteWebhookEndpoint(context, actor, { merchantId, mode: 'live' }, endpointId)
    }
  }
  await receiver.closeHanging()
}

function medianOf(latencies: readonly Latency[]): Latency {
  return {
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
    deliveriesPerSecond: median(latencies.map((latency) => latency.deliveriesPerSecond)),
  }
}
