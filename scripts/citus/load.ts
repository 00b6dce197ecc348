import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Journal, startWriters } from '../faults/failover/writers.ts'
import { openCustomersToken } from '../faults/merchants.ts'
import { startServiceProcess } from '../faults/service-process.ts'

/**
 * Sends writes of many merchants to a service process on a distributed database. Compares the acknowledged writes with
 * the stored rows.
 */

/** Number of merchants, each with one client, so that every node has several. */
const merchantCount = 40

export interface Writes {
  /** One journal for each merchant. */
  readonly journals: readonly Journal[]
  /**
   * `acknowledged` is the number of acknowledged writes, and `lost` the ids of the acknowledged customers that are not
   * stored.
   */
  readonly acknowledged: number
  readonly lost: readonly string[]
  /** The merchant of each stored customer. */
  readonly stored: ReadonlyMap<string, string>
}

/**
 * Runs work under load. Stops the load when the work is done. Prints the number of writes, and lists the lost writes
 * and the unexpected responses.
 */
export async function underLoad(url: string, work: () => Promise<void>): Promise<Writes> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-check-'))
  const service = await startServiceProcess(url, { RATE_LIMITS: 'off' })
  try {
    const tokens: string[] = []
    while (tokens.length < merchantCount) tokens.push(await openCustomersToken(url))
    const paths = tokens.map((_, index) => join(folder, String(index)))
    const writers = await Promise.all(
      tokens.map((token, index) => startWriters({ url: service.url, token, path: paths[index] ?? '', clients: 1 })),
    )
    await work()
    const journals = await Promise.all(writers.map(({ stop }) => stop()))
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
    const acknowledged = texts.flatMap((text) => text.split('\n').filter((id) => id !== ''))
    const stored = await listCustomers(url)
    const lost = acknowledged.filter((id) => !stored.has(id))
    const unexpected = journals.flatMap((journal) => journal.unexpected)
    for (const id of lost) console.error(`${id} was acknowledged and is lost.`)
    for (const response of unexpected) console.error(`Unexpected response: ${response}`)
    console.log(`acknowledged: ${acknowledged.length} lost: ${lost.length} unexpected: ${unexpected.length}`)
    if (lost.length > 0 || unexpected.length > 0) console.error(service.output())
    return { journals, acknowledged: acknowledged.length, lost, stored }
  } finally {
    service.kill('SIGTERM')
    await service.ended
    await rm(folder, { recursive: true })
  }
}

export function isWhole({ lost, journals }: Writes): boolean {
  return lost.length === 0 && journals.every(({ unexpected }) => unexpected.length === 0)
}

export function slowestOf({ journals }: Writes): number {
  return Math.max(...journals.map(({ slowestMs }) => slowestMs))
}

/**
 * Returns the merchant of each stored customer. Recovers prepared transactions first, because Citus recovers them only
 * once a minute: until the recovery, the write of a lost node may be invisible although it was acknowledged.
 */
async function listCustomers(connectionString: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('select recover_prepared_transactions()')
    const { rows } = await client.query<{ id: string; merchant_id: string }>('select id, merchant_id from customers')
    return new Map(rows.map(({ id, merchant_id }) => [id, merchant_id]))
  } finally {
    await client.end()
  }
}
