import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/store/core/database.ts'
import { startServiceProcess } from '../faults/service-process.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { type FuzzCount, fuzz } from './fuzz.ts'
import { growthOf, sampleMemory } from './memory.ts'
import { openFuzzMerchant } from './merchant.ts'

/**
 * `npm run fuzz -- --requests N --seed S`: sends N generated requests to a service process, valid and invalid, and
 * validates each response against the OpenAPI document. It exits with 1 for a violation of the document, an unintended
 * 5xx status, or a service whose memory grows. The same seed repeats the requests of one client.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '1000000' },
  },
})
const [seed, requests] = [Number(values.seed), Number(values.requests)]
if (!Number.isSafeInteger(seed)) exit('--seed must be a whole number.')
if (!Number.isSafeInteger(requests) || requests < 1) exit('--requests must be a whole number of at least 1.')

/**
 * Number of clients, each with its own merchant. While some wait for responses, this process generates requests for the
 * others.
 */
const clients = 6

const memoryGrowthMax = 1.1

/**
 * 5xx statuses that the service returns on purpose: 503 asks the client to retry, and HTTP defines 501 and 505 for a
 * transfer coding and a version that the server does not support.
 */
const intended = /^(503 |501 transfer_coding_unsupported$|505 http_version_unsupported$)/

process.exitCode = (await run()) ? 0 : 1

function exit(line: string): never {
  console.error(line)
  process.exit(2)
}

/** Returns whether every response was declared and the memory of the service did not grow. */
async function run(): Promise<boolean> {
  const postgres = await openTemporaryPostgres({ name: 'fuzz' })
  try {
    await prepareDatabase(postgres)
    const { connectionString } = postgres
    const service = await startServiceProcess(connectionString, { LOG_LEVEL: 'error' })
    const database = openDatabase({ connectionString, maxConnections: 2 })
    const memory = sampleMemory(service.managementUrl)
    try {
      const counts: FuzzCount[] = await Promise.all(
        Array.from({ length: clients }, (_, client) => {
          const open = () => openFuzzMerchant(database)
          const share = Math.ceil(requests / clients)
          return fuzz({ url: new URL(service.url), seed: seed * clients + client, requests: share, open })
        }),
      )
      memory.stop()
      return report(counts, memory.samples(), service.output())
    } finally {
      memory.stop()
      await database.close()
      service.kill('SIGTERM')
      await service.ended
    }
  } finally {
    await postgres.stop()
  }
}

/** Returns whether the run found no fault. */
function report(counts: readonly FuzzCount[], memory: readonly number[], output: string): boolean {
  const sent = counts.reduce((total, each) => total + each.requests, 0)
  const violations = counts.reduce((total, each) => total + each.violations.length, 0)
  const undeclared = [...new Set(counts.flatMap((each) => [...each.undeclared]))]
  const statuses = new Map<string, number>()
  for (const each of counts)
    for (const [status, count] of each.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  const failures = [...statuses].filter(([status]) => /^5/.test(status) && !intended.test(status))
  const growth = growthOf(memory)
  const errors = output.split('\n').filter((line) => /"level":[56]0/.test(line))
  const shown = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
  for (const member of undeclared) console.log(`Undeclared member: ${member}`)
  for (const line of errors) console.log(`The service logged: ${line}`)
  console.log(`requests: ${sent} seed: ${seed} responses: ${shown.join(', ')}`)
  const failed = failures.reduce((total, [, count]) => total + count, 0)
  console.log(
    `violations: ${violations + undeclared.length} unintended 5xx responses: ${failed} errors: ${errors.length}`,
  )
  console.log(growth === undefined ? 'memory: too few samples' : `memory: ${growth.toFixed(3)} of the first quarter`)
  const isFlat = growth === undefined || growth <= memoryGrowthMax
  return isFlat && violations + undeclared.length + failed + errors.length === 0
}
