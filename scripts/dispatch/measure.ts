import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../../src/store/core/database.ts'
import { inDatabase, prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { dispatchMany, type Measured } from './dispatch-many.ts'
import { quantile } from './tally.ts'

/**
 * `npm run dispatch-measure -- --dispatches=10000 --seed=…`: measures dispatches with failing carriers and compares
 * them with a naive failover under the same faults. `--preferences=carriers_in_turn` makes each carrier the first
 * choice of the same number of dispatches. Exits with 1 when a limit defined in this file is violated.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    dispatches: { type: 'string', default: '10000' },
    preferences: { type: 'string', default: 'default' },
  },
})

/**
 * Maximum number of dispatches, in 10,000, that have two active carrier orders. With `carriers_in_turn`, a few are
 * unavoidable, because one carrier has no order lookup.
 */
const doublesMax = { default: 0, carriers_in_turn: 7 } as const

/**
 * Minimum share of dispatches that a carrier accepts. There is no minimum with `carriers_in_turn`, where a shipment
 * with an unknown outcome waits instead.
 */
const acceptedShareMin = { default: 0.995, carriers_in_turn: 0 } as const

const preferences = values.preferences === 'carriers_in_turn' ? 'carriers_in_turn' : 'default'

/** Range in which the share of unknown outcomes must be, so that the comparison is realistic. */
const unknownShareMin = 0.04
const unknownShareMax = 0.06

const postgres = await openTemporaryPostgres({ name: 'dispatch', durability: 'throwaway' })
try {
  const naive = {
    connectionString: inDatabase(postgres.connectionString, 'naive'),
    ownerConnectionString: inDatabase(postgres.ownerConnectionString, 'naive'),
  }
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query('create database naive owner commerce')
  await admin.end()
  await prepareDatabase(postgres)
  await prepareDatabase(naive)
  const database = openDatabase({ connectionString: postgres.connectionString })
  const naiveDatabase = openDatabase({ connectionString: naive.connectionString })
  try {
    const startedMs = Date.now()
    const onProgress = ({ dispatches, ours, naive }: Measured) => {
      const seconds = Math.round((Date.now() - startedMs) / 1000)
      console.error(
        `${dispatches} after ${seconds} s: ${ours.accepted} accepted, ${ours.doubles} double dispatches, naive ${naive.doubles}`,
      )
    }
    const dispatches = Number(values.dispatches)
    show(await dispatchMany({ database, naiveDatabase, dispatches, seed: values.seed, preferences, onProgress }))
  } finally {
    await Promise.all([database.close(), naiveDatabase.close()])
  }
} finally {
  await postgres.stop()
}

function show({ dispatches, requests, ours, naive }: Measured): void {
  const share = (count: number) => `${((count / dispatches) * 100).toFixed(2)} %`
  const seconds = (sorted: readonly number[], part: number) => quantile(sorted, part) / 1000
  console.log(`Seed ${values.seed}, ${dispatches} dispatches, preferences: ${preferences}.`)
  const unknown = ((requests.unknowns / requests.creates) * 100).toFixed(1)
  console.log(`${requests.creates} create requests to carriers; ${unknown} % had an unknown outcome.`)
  console.table({
    ours: {
      'double dispatches': ours.doubles,
      accepted: share(ours.accepted),
      parked: ours.parked,
      failed: ours.failed + ours.other,
      'unrecorded orders': ours.unrecordedOrders,
      cancelled: ours.cancelled,
      'with a fee': ours.cancelledForFee,
      'p50 s': seconds(ours.waitsMs, 0.5),
      'p90 s': seconds(ours.waitsMs, 0.9),
      'p99 s': seconds(ours.waitsMs, 0.99),
    },
    naive: {
      'double dispatches': naive.doubles,
      accepted: share(naive.accepted),
      parked: 0,
      failed: dispatches - naive.accepted,
      cancelled: naive.cancelled,
      'with a fee': naive.cancelledForFee,
      'p50 s': seconds(naive.waitsMs, 0.5),
      'p90 s': seconds(naive.waitsMs, 0.9),
      'p99 s': seconds(naive.waitsMs, 0.99),
    },
  })
  const most = (doublesMax[preferences] * dispatches) / 10_000
  const unknownShare = requests.unknowns / requests.creates
  const faults = [
    ...(ours.doubles <= most
      ? []
      : [`${ours.doubles} double dispatches, expected at most ${most}: ${ours.doubleIds.join(', ')}`]),
    ...(ours.accepted >= acceptedShareMin[preferences] * dispatches
      ? []
      : [`${share(ours.accepted)} were accepted, expected at least ${acceptedShareMin[preferences] * 100} %.`]),
    // Without enough simulated faults, the comparison of the two failovers proves nothing.
    ...(unknownShare >= unknownShareMin && unknownShare <= unknownShareMax
      ? []
      : [
          `${unknown} % of the outcomes were unknown, expected ${unknownShareMin * 100} to ${unknownShareMax * 100} %.`,
        ]),
    ...(naive.doubles > most
      ? []
      : [`The naive failover has ${naive.doubles} double dispatches, expected more than ${most}.`]),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
