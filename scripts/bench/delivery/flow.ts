import { median, perSecond } from '../compare.ts'
import { type Child, machineMs } from './child.ts'
import type { Burst } from './emit.ts'
import { endpointsEach } from './merchants.ts'
import { openShops, type Stage } from './stage.ts'

/** Number of mutations in a round: work for a few seconds. The first round is a warm-up whose result is discarded. */
const mutations = 1_500
const rounds = 3

export interface Committer {
  readonly name: string
  readonly child: Child
}

/**
 * Measures the sustainable rate: the number of deliveries per second that the machine can commit and send at the same
 * time. The rate includes the commits, because a mutation costs more than its deliveries. The rates of steady loads are
 * fractions of the sustainable rate.
 */
export async function measureFlow(stage: Stage, { name, child }: Committer): Promise<number> {
  const merchants = await openShops(stage, stage.receiver)
  const merchantIds = merchants.map(({ merchantId }) => merchantId)
  const speeds: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const burst: Burst = { merchantIds, mutations, name: `flow ${name} ${round}` }
    const startedMs = machineMs()
    await child.request({ burst })
    const arrivals = await stage.receiver.arrivals(mutations * endpointsEach)
    const spanMs = (arrivals.at(-1)?.atMs ?? Number.NaN) - startedMs
    if (round > 0) speeds.push((arrivals.length * 1000) / spanMs)
  }
  const speed = median(speeds)
  console.log(`${`Sustainable, ${name}`.padEnd(32)} service ${perSecond(speed)}`)
  return speed
}
