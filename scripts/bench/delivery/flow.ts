import { median, perSecond } from '../turns.ts'
import { type Child, machineMs } from './child.ts'
import type { Burst } from './emit.ts'
import { endpointsEach } from './merchants.ts'
import { openShops, type Stage } from './stage.ts'

/** Some seconds' work in each turn, of which the first is not counted. */
const mutations = 1_500
const turns = 3

/** Who commits the mutations, and what the figures call it. */
export interface Committer {
  readonly name: string
  readonly child: Child
}

/**
 * The sustainable rate: what the machine commits and delivers at the same time, in deliveries a second. A mutation costs
 * more than its deliveries, so this is what a steady load has to be measured by.
 */
export async function measureFlow(stage: Stage, { name, child }: Committer): Promise<number> {
  const merchants = await openShops(stage, stage.receiver)
  const merchantIds = merchants.map(({ merchantId }) => merchantId)
  const speeds: number[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const burst: Burst = { merchantIds, mutations, name: `flow ${name} ${turn}` }
    const startedMs = machineMs()
    await child.ask({ burst })
    const arrivals = await stage.receiver.arrivals(mutations * endpointsEach)
    const spanMs = (arrivals.at(-1)?.atMs ?? Number.NaN) - startedMs
    if (turn > 0) speeds.push((arrivals.length * 1000) / spanMs)
  }
  const speed = median(speeds)
  console.log(`${`Sustainable, ${name}`.padEnd(32)} service ${perSecond(speed)}`)
  return speed
}
