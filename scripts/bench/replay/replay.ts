import type autocannon from 'autocannon'
import pg from 'pg'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { nodeOptions } from '../../start-command.ts'
import type { TemporaryPostgres } from '../../temporary-postgres.ts'
import { startServer } from '../compare.ts'
import { cpuMsOf, postmasterOf } from '../cpu-time.ts'
import { type Child, startChild } from '../delivery/child.ts'
import { actor, policy, vault } from '../delivery/merchants.ts'
import { type OrderTarget, openShop } from '../order-targets.ts'
import { cpuOf, type Run, rounds, runOnce, spreadOf } from '../peers/measure-case.ts'
import { rangeText } from '../peers/report.ts'
import { requireAtMost } from '../verdict.ts'
import type { ReplayReply, ReplayRequest } from './client.ts'
import { orderRequest } from './order-request.ts'
import { itemsPerOrder, orderedFrom, recordScript } from './record-script.ts'

/**
 * Compares POST /orders with the minimum cost of its SQL: a client that sends the recorded messages of the service to
 * PostgreSQL, without HTTP, validation, JSON and the log.
 */

/**
 * Maximum ratio of the service's CPU time per order to that of the bare client. It allows half of the SQL's CPU time
 * for everything else that the service does.
 */
const cpuMax = 1.5

/**
 * Number of connections: half of the number with which server and client saturate two cores, as in the benchmark `api`.
 * The service and the bare client have the same number.
 */
const connections = 8

const runSeconds = Number(process.env.BENCH_SECONDS ?? 4)

/** Number of product variants: so many that concurrent orders rarely wait for each other's locks on variants. */
const variants = 1_000

/** Number of webhook endpoints for which each order queues events, as for a shop and its accounting. */
const endpoints = 2

export async function benchReplay(postgres: TemporaryPostgres): Promise<void> {
  const targets = await openTargets(postgres)
  const script = { ...(await recordScript(postgres, targets)), connections }
  await analyze(postgres)
  const service = await startServer('service.ts', [postgres.connectionString], nodeOptions)
  const client = await startChild('../replay/client.ts', [postgres.connectionString])
  const postmaster = postmasterOf(postgres.dataDirectory)
  try {
    await client.request<ReplayReply>({ script } satisfies ReplayRequest)
    const load = ordering(`${service.url}/api/v1/orders`, targets)
    const runService = () => runOnce(load, service, postmaster)
    const runClient = () => replayOnce(client, postmaster)
    const pairs: { readonly service: Run; readonly client: Replayed }[] = []
    // Round 0 is a warm-up whose result is discarded. The order in which the service and the bare client are measured
    // alternates.
    for (let round = 0; round <= rounds; round++) {
      const pair =
        round % 2 === 0
          ? { service: await runService(), client: await runClient() }
          : { client: await runClient(), service: await runService() }
      if (round > 0) pairs.push(pair)
    }
    report(pairs)
    await requireWhole(postgres)
  } finally {
    service.stop()
    await client.stop()
  }
}

/** Creates a merchant with product variants and two webhook endpoints. */
async function openTargets({ connectionString }: TemporaryPostgres): Promise<readonly OrderTarget[]> {
  const database = openDatabase({ connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined, policy, vault }
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const targets = await openShop(context, client, variants)
    const [first] = targets
    if (first === undefined) throw new Error('There are no variants.')
    for (let index = 0; index < endpoints; index++) {
      const request = { url: `http://127.0.0.1:1/${index}`, kinds: ['order.created' as const] }
      const tenant = { merchantId: first.merchantId, mode: 'live' } as const
      const created = await createWebhookEndpoint(context, actor, tenant, request)
      if (created.is !== 'created') throw new Error(`No endpoint: ${created.is}.`)
    }
    // The variants are sorted, because the service locks variants in the order of their ids.
    return targets.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1))
  } finally {
    await client.end()
    await database.close()
  }
}

/** Throws if a replayed order lacks rows, because such an order would cost less than a real one. */
async function requireWhole({ connectionString }: TemporaryPostgres): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ incomplete: number }>(incompleteText, [itemsPerOrder, endpoints])
  await client.end()
  const incomplete = rows[0]?.incomplete
  if (incomplete !== 0) throw new Error(`${incomplete} orders lack items, deliveries or an audit entry.`)
}

const incompleteText = `
  select count(*)::integer as incomplete
  from orders
  left join (select order_id, count(*) from order_items group by order_id) item on item.order_id = orders.id
  left join (
    select event.resource_id, count(*)
    from webhook_events event
    join webhook_deliveries delivery on delivery.event_id = event.id
    group by event.resource_id
  ) delivery on delivery.resource_id = orders.id
  left join audit_log audit on audit.resource_id = orders.id
  where item.count is distinct from $1 or delivery.count is distinct from $2 or audit.id is null`

/**
 * Computes the planner statistics. Without them, the checks of foreign keys may use an index that does not contain the
 * id.
 */
async function analyze({ ownerConnectionString }: TemporaryPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

function ordering(url: string, targets: readonly OrderTarget[]): autocannon.Options {
  const setupRequest = (request: autocannon.Request) => {
    const start = Math.floor(Math.random() * targets.length)
    return { ...request, ...orderRequest(orderedFrom(targets, start)) }
  }
  return { url, method: 'POST', connections, requests: [{ setupRequest }] }
}

type Replayed = Pick<Run, 'perSecond' | 'cpuMs'>

async function replayOnce(client: Child, postmaster: number): Promise<Replayed> {
  const cpu = () => ({ process: cpuMsOf([client.pid]), postgres: cpuMsOf([postmaster]) })
  const before = cpu()
  const { orders } = await client.request<ReplayReply>({ seconds: runSeconds } satisfies ReplayRequest)
  const after = cpu()
  return {
    perSecond: orders / runSeconds,
    cpuMs: {
      process: (after.process - before.process) / orders,
      postgres: (after.postgres - before.postgres) / orders,
    },
  }
}

function report(pairs: readonly { readonly service: Run; readonly client: Replayed }[]): void {
  console.log(`POST /orders with three items and ${endpoints} endpoints, ${connections} connections`)
  console.log(`  service      ${lineOf(pairs.map((pair) => pair.service))}`)
  console.log(`  bare client  ${lineOf(pairs.map((pair) => pair.client))}`)
  const cpu = spreadOf(pairs.map((pair) => cpuOf(pair.service) / cpuOf(pair.client)))
  requireAtMost(`  CPU time, relative to the bare client (${rangeText(cpu)})`, cpu.median, cpuMax)
}

function lineOf(runs: readonly Replayed[]): string {
  const of = (read: (run: Replayed) => number) => spreadOf(runs.map(read)).median
  const cpu = `CPU ${of(({ cpuMs }) => cpuMs.process).toFixed(3)} + PostgreSQL ${of(({ cpuMs }) => cpuMs.postgres).toFixed(3)} ms`
  return `${of((run) => run.perSecond)
    .toFixed(0)
    .padStart(6)}/s  ${cpu}`
}
