import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isScope, scopes } from '../../registry/values/scopes.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { openAllCarriers } from '../../src/app/open-carriers.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { silentLog } from '../../src/base/log.ts'
import { seedOrders } from '../../src/demo/seed-orders.ts'
import { seedSamples } from '../../src/demo/seed-samples.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { distribute } from '../../src/store/distribution/distribute.ts'
import { contextOf, openToken, operator, vault } from '../faults/merchants.ts'
import { startServiceProcess } from '../faults/service-process.ts'
import { exceptions, statementsOnOneServer } from '../tenancy/exceptions.ts'
import { deliver } from './deliver.ts'
import { testEndpoints } from './endpoints.ts'
import { loseNodes } from './lose-nodes.ts'
import { rebalance } from './rebalance.ts'
import { checkAudit } from './seal-logs.ts'
import { explainStatements, type PlannedStatement } from './statements.ts'

/**
 * `npm run citus-check -- --url postgres://…`: checks the service on a distributed database that exists. The URL is that
 * of the coordinator, with the role that owns the tables. The checks create merchants and records.
 *
 *   1. The database is distributed as `commerce distribute` does it.
 *   2. Each statement of one merchant runs on one node. Searches and the other exceptions are listed with their tasks.
 *   3. `npm run conformance` on a service process.
 *   4. Several processes write to the audit logs of merchants on all nodes while the rows are linked. No row is left out,
 *      and `commerce audit verify` finds an altered row.
 *   5. The endpoint tests, in databases of their own on the same nodes.
 *   6. With --stop-node and --start-node, two shell commands: a node is lost and returns under load, in --rounds rounds.
 *   7. Webhooks are delivered, retried and replayed; with the two commands also while a node is lost.
 *   8. With --add-node host:port: shards move to another node under load.
 *
 * `--only statements`, `conformance`, `audit`, `endpoints`, `nodes`, `deliveries` or `rebalance` runs one of the checks 2 to
 * 8, and may be repeated.
 * Ends with 1 if a check fails, and with 2 if the database is not distributed.
 */

const checks = ['statements', 'conformance', 'audit', 'endpoints', 'nodes', 'deliveries', 'rebalance']

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'stop-node': { type: 'string' },
    'start-node': { type: 'string' },
    'add-node': { type: 'string' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true, default: checks },
  },
})
const { url, only, 'stop-node': stop, 'start-node': start, 'add-node': node } = values
const rounds = Number(values.rounds)
if (url === undefined || (stop === undefined) !== (start === undefined) || !Number.isSafeInteger(rounds)) {
  console.error(
    "Usage: npm run citus-check -- --url postgres://… [--stop-node 'command' --start-node 'command' --rounds 10] [--add-node host:port]",
  )
  process.exit(2)
}

await requireDistributed(url)
const passed: boolean[] = []
if (only.includes('statements')) passed.push(await checkStatements(url))
if (only.includes('conformance')) passed.push(await checkConformance(url))
if (only.includes('audit')) passed.push(await checkAudit(url))
if (only.includes('endpoints')) passed.push(await testEndpoints(url))
const loss = stop === undefined || start === undefined ? undefined : { stop, start }
if (only.includes('nodes') && loss !== undefined) passed.push(await loseNodes({ url, rounds, ...loss }))
if (only.includes('deliveries')) passed.push(await deliver({ url, rounds, loss }))
if (only.includes('rebalance') && node !== undefined) passed.push(await rebalance({ url, node }))
process.exitCode = passed.length > 0 && passed.every(Boolean) ? 0 : 1

async function requireDistributed(connectionString: string): Promise<void> {
  const outcome = await distribute(connectionString, {
    isApplied: false,
    hasServiceRole: false,
    onDone: () => undefined,
  })
  const problems = outcome.is === 'refused' ? outcome.problems : outcome.steps.map(({ is }) => `Missing step: ${is}.`)
  if (problems.length === 0) return
  for (const problem of problems) console.error(problem)
  process.exit(2)
}

async function checkStatements(connectionString: string): Promise<boolean> {
  const all = await explainStatements(connectionString)
  const planned = all.filter(({ label }) => !statementsOnOneServer.has(label))
  const isException = ({ label, effect }: PlannedStatement) => effect === 'searches' || exceptions.has(label)
  const rejected = planned.filter(({ tasks }) => tasks === undefined)
  const scattered = planned.filter((each) => (each.tasks ?? 0) > 1 && !isException(each))
  for (const { label, fault } of rejected) console.log(`rejected: ${label}: ${fault}`)
  for (const { label, tasks } of scattered) console.log(`${tasks} tasks: ${label}`)
  for (const { label, tasks } of planned.filter(isException)) console.log(`exception, ${tasks} tasks: ${label}`)
  console.log(`statements: ${planned.length} rejected: ${rejected.length} of several nodes: ${scattered.length}`)
  return rejected.length === 0 && scattered.length === 0
}

async function checkConformance(connectionString: string): Promise<boolean> {
  const service = await startServiceProcess(connectionString)
  try {
    const tokens = await openTestTokens(connectionString)
    const child = spawn(process.execPath, ['scripts/conformance/run.ts', '--url', service.url], {
      stdio: 'inherit',
      env: { ...process.env, ...tokens },
    })
    const [code]: (number | null)[] = await once(child, 'exit')
    return code === 0
  } finally {
    service.kill('SIGTERM')
    await service.ended
  }
}

/** Creates two merchants, one of them with demo data, and returns the environment variables with the tokens of the conformance run. */
async function openTestTokens(connectionString: string): Promise<Readonly<Record<string, string>>> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  const openTenant = async (): Promise<Tenant> => {
    const { testId } = await createMerchant(contextOf(database), operator, 'Adire Lagos')
    return { merchantId: testId, mode: 'test' }
  }
  try {
    const [own, other] = [await openTenant(), await openTenant()]
    await seedRecords(database, own)
    const every = Object.keys(scopes).filter(isScope)
    return {
      COMMERCE_TOKEN: await openToken(database, own, every),
      COMMERCE_OTHER_TOKEN: await openToken(database, other, every),
      COMMERCE_NARROW_TOKEN: await openToken(database, own, ['inventory:write']),
    }
  } finally {
    await database.close()
  }
}

/** Inserts demo data: not all records can be created by requests alone, such as a return, which needs a delivered order. */
async function seedRecords(database: Database, tenant: Tenant): Promise<void> {
  const context = contextOf(database)
  const { carrierRoots: roots, paymentProviderUrls: urls } = readConfig()
  const { logistics, close } = await openAllCarriers({
    ...{ ...context, log: silentLog, vault, roots, paymentProviders: { urls } },
    now: toTimestamp(context.clock.nowMs()),
    urlOf: () => undefined,
  })
  try {
    await seedSamples(logistics, operator, tenant)
    await seedOrders(context, operator, tenant, { orders: 60 })
  } finally {
    await close()
  }
}
