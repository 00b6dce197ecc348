import { parseArgs } from 'node:util'
import type { Cell } from './cell.ts'
import { cells, skippedCells } from './cells.ts'
import { rerunWithDisk } from './limited-disk.ts'
import { reportOf } from './report.ts'
import { lateViolationsOf, type RoundReport, runRound } from './round.ts'
import { deleteJournals, openWorld } from './world.ts'

/**
 * `npm run faults -- --rounds N --seed S`: runs rounds over the cells of the fault matrix, one cell after another. `--cell`
 * selects the cells whose names contain a text, `--round` repeats one round, and `--short` runs the cells of CI once each.
 */
const code = await rerunWithDisk()
if (code !== undefined) process.exit(code)

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    rounds: { type: 'string' },
    round: { type: 'string' },
    cell: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
  },
})

const chosen = cells.filter(({ name, isShort }) => name.includes(values.cell) && (isShort || !values.short))
const count = Number(values.rounds ?? chosen.length)
if (chosen.length === 0)
  exit(`No cell contains "${values.cell}". The cells are: ${cells.map(({ name }) => name).join(', ')}.`)
if (!Number.isSafeInteger(count) || count < 1) exit('--rounds must be a whole number of at least 1.')
const rounds = values.round === undefined ? [...Array(count).keys()] : [Number(values.round)]

console.log(`Seed ${values.seed}`)
const { reports, late } = await runAll(values.seed)
console.log(reportOf(reports, chosen))
for (const { name, reason } of skippedCells) console.log(`skipped: ${name}: ${reason}`)
const sum = (value: (report: RoundReport) => number) => reports.reduce((total, report) => total + value(report), 0)
const violations = sum((report) => report.violations.length) + late.length
console.log(`rounds: ${reports.length} operations: ${sum(({ operations }) => operations)} violations: ${violations}`)
process.exitCode = violations === 0 ? 0 : 1

function exit(line: string): never {
  console.error(line)
  process.exit(2)
}

async function runAll(seed: string): Promise<{ readonly reports: RoundReport[]; readonly late: string[] }> {
  const world = await openWorld(seed)
  const done: RoundReport[] = []
  const late: string[] = []
  try {
    for (const round of rounds) done.push(await runAndPrint(world, round, cellOf(round)))
    late.push(...(await lateViolationsOf(world)))
    for (const violation of late) console.error(`After the last round: ${violation}`)
  } finally {
    await world.close()
  }
  if (late.length === 0 && done.every((report) => report.violations.length === 0)) await deleteJournals(world)
  else console.log(`The journals are in ${world.folder}.`)
  return { reports: done, late }
}

async function runAndPrint(
  world: Awaited<ReturnType<typeof openWorld>>,
  round: number,
  cell: Cell,
): Promise<RoundReport> {
  const report = await runRound(world, round, cell)
  const { operations, recoveryMs, violations: found } = report
  console.log(`round ${round}: ${cell.name}: ${operations} operations, recovered after ${recoveryMs} ms`)
  for (const violation of found) console.error(`  ${violation}`)
  return report
}

function cellOf(round: number): Cell {
  const cell = chosen[round % chosen.length]
  if (cell === undefined) throw new Error(`The fault matrix has no cell for round ${round}.`)
  return cell
}
