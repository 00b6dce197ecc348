import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import pg from 'pg'
import type { ReportUses } from '../../src/access/limits/reports.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { chargeRateLimits } from '../../src/store/access/rate-charges.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { generousLimits } from '../generous-limits.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { walkOrders } from './orders.ts'
import { createRefundTargets } from './refund-targets.ts'
import { refunding } from './refunds.ts'

/**
 * Prints the time that PostgreSQL takes to bind the parameters of each statement of a refund, and to execute the
 * statement. The requests are sent one after another. Only the fastest tenth of the measured times counts, because
 * other work of the machine only adds to a time. A change of a few microseconds is therefore visible on a busy machine,
 * too.
 */

const orders = 5_000
const requests = 600

/**
 * Number of unmeasured requests at the start. These requests prepare the statements and make PostgreSQL choose their
 * plans.
 */
const unmeasured = 100

interface Durations {
  readonly bind: number[]
  readonly execute: number[]
}

type Measured = Map<string, Durations>

export async function benchStatements(postgres: TemporaryPostgres): Promise<void> {
  const { merchantId, token } = await createRefundTargets(postgres, orders)
  const measured: Measured = new Map()
  const database = await openMeasured(postgres, measured)
  const rates = {
    limits: generousLimits,
    report: (charges: Parameters<ReportUses>[0]) => chargeRateLimits(database, charges),
  }
  const context = { database, clock: systemClock, nudge: () => undefined, rates }
  const server = createApiServer(await openService(context, silentLog, 0))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/refunds`
  try {
    const nextOrder = await walkOrders(postgres.connectionString, merchantId)
    const send = async (amount: number) => {
      const { non2xx } = await autocannon({ connections: 1, amount, ...refunding(url, token, nextOrder)() })
      if (non2xx > 0) throw new Error(`${non2xx} refunds were rejected.`)
    }
    await send(unmeasured)
    measured.clear()
    await send(requests)
    report(measured)
  } finally {
    server.close()
    await database.close()
  }
}

/**
 * Opens the database with the role of the service. PostgreSQL sends the duration of each step of a statement as a
 * notice.
 */
async function openMeasured(postgres: TemporaryPostgres, measured: Measured): Promise<Database> {
  const url = new URL(postgres.connectionString)
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query(`grant set on parameter log_min_duration_statement to ${pg.escapeIdentifier(url.username)}`)
  await admin.end()
  url.searchParams.set('options', '-c log_min_duration_statement=0 -c client_min_messages=log')
  const database = openDatabase({ connectionString: String(url), maxConnections: 2 })
  database.pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => record(measured, message))
  })
  return database
}

/** Omits the hash at the end of a prepared statement's name, because the hash means nothing to a reader. */
const noticePattern = /^duration: ([\d.]+) ms {2}(bind|execute) (\w+?)(?:_[0-9a-f]{12})?:/

function record(measured: Measured, message: string): void {
  const [, ms, action, name = ''] = noticePattern.exec(message) ?? []
  if (action !== 'bind' && action !== 'execute') return
  const durations = measured.get(name) ?? { bind: [], execute: [] }
  measured.set(name, durations)
  durations[action].push(Number(ms) * 1000)
}

function report(measured: Measured): void {
  // Leaves out the statements that are not executed for every refund: those of the request log, the rate limits and the
  // token's last use.
  const ofEach = [...measured].filter(([, { execute }]) => execute.length >= requests)
  const lines = ofEach.map(([name, { bind, execute }]) => ({
    name,
    bind: fastestTenth(bind),
    execute: fastestTenth(execute),
  }))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const total = {
    name: 'sum',
    bind: sum(lines.map(({ bind }) => bind)),
    execute: sum(lines.map(({ execute }) => execute)),
  }
  for (const { name, bind, execute } of [...lines, total])
    console.log(`${name.padEnd(36)} bind ${microseconds(bind)}  execute ${microseconds(execute)}`)
}

function fastestTenth(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 10)] ?? Number.NaN
}

function microseconds(value: number): string {
  return `${value.toFixed(0).padStart(5)} µs`
}
