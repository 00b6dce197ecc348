import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../../src/store/core/database.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { dispatchMany, type Measured } from './dispatch-many.ts'
import { quantile } from './tally.ts'

/**
 * `npm run dispatch-measure -- --dispatches=10000 --seed=…`: what comes of dispatches with default settings whose carriers go
 * wrong, beside a naive failover with the same faults. `--preferences=carriers_in_turn` makes each carrier the first choice of
 * as many. Fewer accepted or more doubled dispatches than are promised end it with 1, and so do faults that never happened.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    dispatches: { type: 'string', default: '10000' },
    preferences: { type: 'string', default: 'default' },
  },
})

/** Of ten thousand: with a carrier that finds no order again, as `carriers_in_turn` has, a few cannot be avoided. */
const doublesMax = { default: 0, carriers_in_turn: 7 } as const

/** A merchant who states no preference must not notice that carriers go wrong; the other mode parks what cannot be known. */
const acceptedShareMin = { default: 0.995, carriers_in_turn: 0 } as const

const preferences = values.preferences === 'carriers_in_turn' ? 'carriers_in_turn' : 'default'

/** What the comparison is about: fewer doubts than carriers really leave would show little, and more would be another world. */
const unknownShareMin = 0.04
const unknownShareMax = 0.06

const postgres = await openTemporaryPostgres({ name: 'dispatch', durability: 'throwaway' })
try {
  const naive = new URL(postgres.connectionString)
  naive.pathname = '/naive'
  const admin = new pg.Client({ connectionString: postgres.adminConnectionString })
  await admin.connect()
  await admin.query('create database naive owner commerce')
  await admin.end()
  await prepareDatabase(postgres.connectionString)
  await prepareDatabase(naive.href)
  const database = openDatabase({ connectionString: postgres.connectionString })
  const naiveDatabase = openDatabase({ connectionString: naive.href })
  try {
    const startedMs = Date.now()
    const onProgress = ({ dispatches, ours, naive }: Measured) => {
      const seconds = Math.round((Date.now() - startedMs) / 1000)
      console.error(
        `${dispatches} after ${seconds} s: ${ours.accepted} accepted, ${ours.doubles} double dispatches, naively ${naive.doubles}`,
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

function show({ dispatches, asked, ours, naive }: Measured): void {
  const share = (count: number) => `${((count / dispatches) * 100).toFixed(2)} %`
  const seconds = (sorted: readonly number[], part: number) => quantile(sorted, part) / 1000
  console.log(`Seed ${values.seed}, ${dispatches} dispatches, preferences: ${preferences}.`)
  const unknown = ((asked.unknowns / asked.creates) * 100).toFixed(1)
  console.log(`Carriers were asked ${asked.creates} times; of ${unknown} % nobody knew what came of it.`)
  console.table({
    ours: {
      'double dispatches': ours.doubles,
      accepted: share(ours.accepted),
      parked: ours.parked,
      failed: ours.failed + ours.other,
      'carried unawares': ours.unawares,
      'called off': ours.calledOff,
      'for a fee': ours.calledOffForFee,
      'p50 s': seconds(ours.waitsMs, 0.5),
      'p90 s': seconds(ours.waitsMs, 0.9),
      'p99 s': seconds(ours.waitsMs, 0.99),
    },
    naive: {
      'double dispatches': naive.doubles,
      accepted: share(naive.accepted),
      parked: 0,
      failed: dispatches - naive.accepted,
      'called off': naive.calledOff,
      'for a fee': naive.calledOffForFee,
      'p50 s': seconds(naive.waitsMs, 0.5),
      'p90 s': seconds(naive.waitsMs, 0.9),
      'p99 s': seconds(naive.waitsMs, 0.99),
    },
  })
  const most = (doublesMax[preferences] * dispatches) / 10_000
  const unknownShare = asked.unknowns / asked.creates
  const faults = [
    ...(ours.doubles <= most
      ? []
      : [`${ours.doubles} double dispatches are more than ${most}: ${ours.doubled.join(', ')}`]),
    ...(ours.accepted >= acceptedShareMin[preferences] * dispatches
      ? []
      : [`${share(ours.accepted)} were accepted, fewer than ${acceptedShareMin[preferences] * 100} %.`]),
    // Where little goes wrong nothing is shown, and a naive failover would do as well.
    ...(unknownShare >= unknownShareMin && unknownShare <= unknownShareMax
      ? []
      : [`Not ${unknownShareMin * 100} to ${unknownShareMax * 100} % of the outcomes were unknown.`]),
    ...(naive.doubles > most ? [] : [`A naive failover has ${naive.doubles} double dispatches, no more than may be.`]),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
