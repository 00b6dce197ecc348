import { parseArgs } from 'node:util'
import { openDatabase } from '../../../src/store/core/database.ts'
import { prepareDatabase } from '../../prepare-database.ts'
import { openTemporaryPostgres } from '../../temporary-postgres.ts'
import { killPoints } from './points.ts'
import { type DispatchReport, runDispatchRounds } from './rounds.ts'

/**
 * `npm run dispatch-faults -- --rounds=50 --seed=…`: kills fifty processes while they dispatch. A violated invariant
 * ends the run and prints the seed and the round, which `--seed=… --round=…` repeats. `--round` also takes several
 * rounds, separated by commas.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    rounds: { type: 'string', default: '50' },
    round: { type: 'string' },
  },
})
const rounds =
  values.round === undefined ? [...Array(Number(values.rounds)).keys()] : values.round.split(',').map(Number)

/**
 * Minimum share of the processes that are killed at their kill point. A few processes end before they reach it. A lower
 * share means that a kill point was renamed and that no process ever reaches it.
 */
const reachedShareMin = 0.8

const postgres = await openTemporaryPostgres({ name: 'faults' })
try {
  const { connectionString } = postgres
  await prepareDatabase(postgres)
  const database = openDatabase({ connectionString })
  try {
    console.log(`Seed ${values.seed}`)
    const world = { database, connectionString, seed: values.seed }
    show(await runDispatchRounds(world, rounds))
    console.log('No shipment had two live attempts, none was stuck, and every order belonged to an attempt.')
  } finally {
    await database.close()
  }
} finally {
  await postgres.stop()
}

function show(reports: readonly DispatchReport[]): void {
  console.table(
    Object.fromEntries([
      ...killPoints.map((killPoint) => [
        killPoint,
        summaryOf(reports.filter((report) => report.killPoint === killPoint)),
      ]),
      ['all', summaryOf(reports)],
    ]),
  )
  expectReached(reports)
}

function expectReached(reports: readonly DispatchReport[]): void {
  const reached = reports.filter(({ isReached }) => isReached).length
  if (reached >= reachedShareMin * reports.length) return
  throw new Error(`Only ${reached} of ${reports.length} processes were killed at their kill point.`)
}

function summaryOf(reports: readonly DispatchReport[]) {
  const sum = (value: (report: DispatchReport) => number) => reports.reduce((total, report) => total + value(report), 0)
  const ended = (status: string) => sum(({ shipments }) => shipments[status] ?? 0)
  return {
    kills: reports.length,
    'at the kill point': sum(({ isReached }) => Number(isReached)),
    'open attempts': sum(({ open }) => open),
    delivered: ended('delivered'),
    cancelled: ended('cancelled'),
    failed: ended('failed'),
    'active orders': sum(({ orders }) => orders),
    'double dispatches': sum(({ doubles }) => doubles),
    'settled within s': Math.max(0, ...reports.map(({ settledMs }) => settledMs)) / 1000,
  }
}
