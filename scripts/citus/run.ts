import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isScope, type Scope, scopes } from '../../registry/values/scopes.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { distribute } from '../../src/store/distribution/distribute.ts'
import { contextOf, operator } from '../faults/merchants.ts'
import { startServiceProcess } from '../faults/service-process.ts'
import { claimsOfSeveralMerchants, finds, summaries } from '../tenancy/exceptions.ts'
import { loseNodes } from './lose-nodes.ts'
import { explainStatements, type PlannedStatement } from './statements.ts'

/**
 * `npm run citus-check -- --url postgres://…`: checks the service on a distributed database that exists. The URL is that
 * of the coordinator, with the role that owns the tables. The checks create merchants and records.
 *
 *   1. The database is distributed as `commerce distribute` does it.
 *   2. Each statement of one merchant runs on one node. Searches and the other exceptions are listed with their tasks.
 *   3. `npm run conformance` on a service process.
 *   4. With --stop-node and --start-node, two shell commands: a node is lost and returns under load, in --rounds rounds.
 *
 * `--only statements`, `conformance` or `nodes` runs one of the checks 2 to 4, and may be repeated.
 * Ends with 1 if a check fails, and with 2 if the database is not distributed.
 */

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    'stop-node': { type: 'string' },
    'start-node': { type: 'string' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true, default: ['statements', 'conformance', 'nodes'] },
  },
})
const { url, only, 'stop-node': stop, 'start-node': start } = values
const rounds = Number(values.rounds)
if (url === undefined || (stop === undefined) !== (start === undefined) || !Number.isSafeInteger(rounds)) {
  console.error(
    "Usage: npm run citus-check -- --url postgres://… [--stop-node 'command' --start-node 'command' --rounds 10]",
  )
  process.exit(2)
}

const exceptions = new Set([...finds, ...summaries, ...claimsOfSeveralMerchants].flatMap((each) => each.statements))

await requireDistributed(url)
const passed: boolean[] = []
if (only.includes('statements')) passed.push(await checkStatements(url))
if (only.includes('conformance')) passed.push(await checkConformance(url))
if (only.includes('nodes') && stop !== undefined && start !== undefined)
  passed.push(await loseNodes({ url, stop, start, rounds }))
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
  const planned = await explainStatements(connectionString)
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

/** Creates two merchants, and returns the environment variables with the tokens of the conformance run. */
async function openTestTokens(connectionString: string): Promise<Readonly<Record<string, string>>> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  const context = contextOf(database)
  const openToken = async (merchantId: MerchantId, granted: readonly Scope[]) => {
    const request = { name: 'citus-check', scopes: granted, expiresAt: null, ipAllowlist: [] }
    const created = await createToken(context, operator, { merchantId, mode: 'test' }, request)
    if (created.is !== 'created') throw new Error(`No token: ${created.is}.`)
    return created.token
  }
  try {
    const [own, other] = [
      await createMerchant(context, operator, 'Adire'),
      await createMerchant(context, operator, 'Oke'),
    ]
    const every = Object.keys(scopes).filter(isScope)
    return {
      COMMERCE_TOKEN: await openToken(own.testId, every),
      COMMERCE_OTHER_TOKEN: await openToken(other.testId, every),
      COMMERCE_NARROW_TOKEN: await openToken(own.testId, ['inventory:write']),
    }
  } finally {
    await database.close()
  }
}
