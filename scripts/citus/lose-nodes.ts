import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../bench/percentile.ts'
import type { Acknowledged } from '../faults/failover/writers.ts'
import { isWhole, slowestOf, underLoad, type Writes } from './load.ts'
import { type Loss, listLost, runCommand, untilAllRespond } from './node-commands.ts'

/**
 * Stops and restarts a node while merchants on all nodes write, and compares the acknowledged writes with the stored
 * rows.
 */

interface LoseNodes extends Loss {
  readonly url: string
  readonly rounds: number
}

/** Durations of the two phases of a round: `calmMs` with all nodes, and `lostMs` with a lost node. */
const calmMs = 4_000
const lostMs = 6_000

const answerMaxMs = 5_000

/**
 * Limit on a ratio for merchants on the other nodes: their response time with a lost node, divided by that with all
 * nodes.
 */
const ratioMax = 1.5

/** Returns true if no acknowledged write was lost and merchants on other nodes were served as usual. */
export async function loseNodes({ url, stop, start, rounds }: LoseNodes): Promise<boolean> {
  const periods: Period[] = []
  const lostMerchants = new Set<string>()
  const writes = await underLoad(url, async () => {
    for (let round = 1; round <= rounds; round++) {
      await wait(calmMs)
      const lostAtMs = performance.now()
      await runCommand(stop)
      for (const merchantId of await listLost(url)) lostMerchants.add(merchantId)
      await wait(lostMs)
      const returnedAtMs = performance.now()
      await runCommand(start)
      await untilAllRespond(url)
      periods.push({ lostAtMs, returnedAtMs })
      console.log(`round ${round} of ${rounds}: the node was lost for ${Math.round(returnedAtMs - lostAtMs)} ms`)
    }
    await wait(calmMs)
  })
  return hasPassed(writes, periods, lostMerchants)
}

/** A period in which a node was lost, in times of `performance.now()`. */
interface Period {
  readonly lostAtMs: number
  readonly returnedAtMs: number
}

function hasPassed(writes: Writes, periods: readonly Period[], lostMerchants: ReadonlySet<string>): boolean {
  const { journals, stored } = writes
  const isLost = ({ sentMs }: Acknowledged) =>
    periods.some(({ lostAtMs, returnedAtMs }) => sentMs >= lostAtMs && sentMs < returnedAtMs)
  const others = journals.filter(({ ids }) => ids.some((id) => !lostMerchants.has(stored.get(id) ?? '')))
  const refused = others.reduce((sum, journal) => sum + journal.refused, 0)
  const served = others.flatMap((journal) => journal.acknowledged)
  const [beside, calm] = [p99(served.filter(isLost)), p99(served.filter((each) => !isLost(each)))]
  const slowestMs = slowestOf(writes)
  console.log(
    `merchants on other nodes: ${others.length} of ${journals.length}, refused: ${refused}; slowest response: ${Math.round(slowestMs)} ms`,
  )
  console.log(
    `other merchants: p99 ${beside.toFixed(1)} ms without the node, ${calm.toFixed(1)} ms with it: ${(beside / calm).toFixed(2)} times`,
  )
  return isWhole(writes) && refused === 0 && slowestMs <= answerMaxMs && beside / calm <= ratioMax
}

function p99(acknowledged: readonly Acknowledged[]): number {
  return percentile(
    acknowledged.map(({ sentMs, atMs }) => atMs - sentMs).toSorted((a, b) => a - b),
    0.99,
  )
}
