import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { percentile } from '../bench/percentile.ts'
import { type Acknowledged, startWriters, type Writers } from '../faults/failover/writers.ts'
import { openCustomersToken } from '../faults/merchants.ts'
import { startServiceProcess } from '../faults/service-process.ts'
import { type Loss, listLost, runCommand, untilAllRespond } from './node-commands.ts'

/** Loses and returns a node under load of merchants on all nodes, and compares the writes with the rows. */

interface LoseNodes extends Loss {
  readonly url: string
  readonly rounds: number
}

/** Number of merchants, each with one client, so that every node has several. */
const merchantCount = 40

/** Time with all nodes, and time without one, in each round. */
const calmMs = 4_000
const lostMs = 6_000

/** Time within which the service must answer each request. */
const answerMaxMs = 5_000

/** Limit on the ratio of response times of merchants on other nodes, with a lost node and without. */
const ratioMax = 1.5

/** Returns whether no acknowledged write was lost, and merchants on other nodes were served as usual. */
export async function loseNodes({ url, stop, start, rounds }: LoseNodes): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-check-'))
  const service = await startServiceProcess(url, { RATE_LIMITS: 'off' })
  try {
    const tokens: string[] = []
    while (tokens.length < merchantCount) tokens.push(await openCustomersToken(url))
    const path = (index: number) => join(folder, String(index))
    const writers = await Promise.all(
      tokens.map((token, index) => startWriters({ url: service.url, token, path: path(index), clients: 1 })),
    )
    const periods: Period[] = []
    const lostMerchants = new Set<string>()
    for (let round = 1; round <= rounds; round++) {
      await wait(calmMs)
      const lostAtMs = performance.now()
      runCommand(stop)
      for (const merchantId of await listLost(url)) lostMerchants.add(merchantId)
      await wait(lostMs)
      const returnedAtMs = performance.now()
      runCommand(start)
      await untilAllRespond(url)
      periods.push({ lostAtMs, returnedAtMs })
      console.log(`round ${round} of ${rounds}: the node was lost for ${Math.round(returnedAtMs - lostAtMs)} ms`)
    }
    await wait(calmMs)
    const passed = await report({ url, writers, periods, lostMerchants, paths: tokens.map((_, index) => path(index)) })
    if (!passed) console.error(service.output())
    return passed
  } finally {
    service.kill('SIGTERM')
    await service.ended
    await rm(folder, { recursive: true })
  }
}

/** The time in which a node was lost, by `performance.now()`. */
interface Period {
  readonly lostAtMs: number
  readonly returnedAtMs: number
}

interface Ended {
  readonly url: string
  readonly writers: readonly Writers[]
  readonly periods: readonly Period[]
  /** The merchants on a node that was lost in any round. */
  readonly lostMerchants: ReadonlySet<string>
  readonly paths: readonly string[]
}

async function report({ url, writers, periods, lostMerchants, paths }: Ended): Promise<boolean> {
  const journals = await Promise.all(writers.map(({ stop }) => stop()))
  const acknowledged = (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).flatMap((text) =>
    text.split('\n').filter((id) => id !== ''),
  )
  const stored = await listCustomers(url)
  const lost = acknowledged.filter((id) => !stored.has(id))
  const unexpected = journals.flatMap((journal) => journal.unexpected)
  for (const id of lost) console.error(`${id} was acknowledged and is lost.`)
  for (const response of unexpected) console.error(`Unexpected response: ${response}`)
  const isLost = ({ sentMs }: Acknowledged) =>
    periods.some(({ lostAtMs, returnedAtMs }) => sentMs >= lostAtMs && sentMs < returnedAtMs)
  const others = journals.filter(({ ids }) => ids.some((id) => !lostMerchants.has(stored.get(id) ?? '')))
  const refused = others.reduce((sum, journal) => sum + journal.refused, 0)
  const served = others.flatMap((journal) => journal.acknowledged)
  const [beside, calm] = [p99(served.filter(isLost)), p99(served.filter((each) => !isLost(each)))]
  const slowestMs = Math.max(...journals.map((journal) => journal.slowestMs))
  console.log(
    `rounds: ${periods.length} acknowledged: ${acknowledged.length} lost: ${lost.length} unexpected: ${unexpected.length}`,
  )
  console.log(
    `merchants on other nodes: ${others.length} of ${journals.length}, refused: ${refused}; slowest response: ${Math.round(slowestMs)} ms`,
  )
  console.log(
    `other merchants: p99 ${beside.toFixed(1)} ms without the node, ${calm.toFixed(1)} ms with it: ${(beside / calm).toFixed(2)} times`,
  )
  return (
    lost.length === 0 &&
    unexpected.length === 0 &&
    refused === 0 &&
    slowestMs <= answerMaxMs &&
    beside / calm <= ratioMax
  )
}

function p99(acknowledged: readonly Acknowledged[]): number {
  return percentile(
    acknowledged.map(({ sentMs, atMs }) => atMs - sentMs).toSorted((a, b) => a - b),
    0.99,
  )
}

/** Returns the merchant of each stored customer. */
async function listCustomers(connectionString: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; merchant_id: string }>('select id, merchant_id from customers')
    return new Map(rows.map(({ id, merchant_id }) => [id, merchant_id]))
  } finally {
    await client.end()
  }
}
