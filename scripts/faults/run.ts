import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/store/core/database.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { deaths } from './deaths.ts'
import { openReceivers } from './receivers.ts'
import { type RoundReport, runRounds } from './rounds.ts'
import { measureRecovery } from './true-clock.ts'
import type { World } from './world.ts'

/**
 * `npm run worker-faults`: kills a hundred workers with simulated clocks, and one more with the system clock. A
 * violated invariant ends the run and prints the seed and the round. The options `--seed` and `--round` repeat this
 * round.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    rounds: { type: 'string', default: '100' },
    round: { type: 'string' },
  },
})
const rounds = values.round === undefined ? [...Array(Number(values.rounds)).keys()] : [Number(values.round)]

const postgres = await openTemporaryPostgres({ name: 'faults' })
try {
  const { connectionString, ownerConnectionString } = postgres
  await prepareDatabase(postgres)
  const database = openDatabase({ connectionString })
  const receivers = await openReceivers()
  try {
    await show({ database, connectionString, ownerConnectionString, receivers, seed: values.seed })
  } finally {
    receivers.close()
    await database.close()
  }
} finally {
  await postgres.stop()
}

async function show(world: World): Promise<void> {
  console.log(`Seed ${world.seed}`)
  const reports = await runRounds(world, rounds)
  const table = Object.fromEntries([
    ...deaths.map((death) => [death, summaryOf(reports.filter((report) => report.death === death))]),
    ['all', summaryOf(reports)],
  ])
  console.table(table)
  console.log('No delivery was lost, every count is correct, and every invariant held after every round.')
  const recoveries = (await measureRecovery(world)).sort((one, other) => one - other)
  console.log(`With the system clock, deliveries resumed ${recoveries.join(', ')} ms after the kill.`)
}

function summaryOf(reports: readonly RoundReport[]) {
  const recoveries = reports.flatMap(({ recoveriesMs }) => recoveriesMs).sort((one, other) => one - other)
  const sum = (value: (report: RoundReport) => number) => reports.reduce((total, report) => total + value(report), 0)
  return {
    kills: reports.length,
    received: sum(({ received }) => received),
    'in progress': sum(({ stuck }) => stuck),
    duplicates: sum(({ duplicates }) => duplicates),
    'recovery p50 ms': recoveries[Math.floor(recoveries.length / 2)] ?? null,
    'max ms': recoveries.at(-1) ?? null,
  }
}
