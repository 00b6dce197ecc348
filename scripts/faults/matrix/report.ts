import type { Cell } from './cell.ts'
import type { RoundReport } from './round.ts'

/**
 * Returns a table with one line for each cell of the fault matrix: its rounds, the slowest response, and the recovery
 * time.
 */
export function reportOf(reports: readonly RoundReport[], cells: readonly Cell[]): string {
  const lines = cells.map((cell) =>
    lineOf(
      cell,
      reports.filter((report) => report.cell === cell.name),
    ),
  )
  const head = ['cell', 'rounds', 'operations', 'slowest ms', 'recovery ms', 'violations']
  const rows = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((text, column) => aligned(text, widths[column] ?? 0, column)).join('  ')).join('\n')
}

function lineOf({ name, mayDisconnect }: Cell, reports: readonly RoundReport[]): string[] {
  const sum = (value: (report: RoundReport) => number) => reports.reduce((total, report) => total + value(report), 0)
  const slowest = Math.max(0, ...reports.map(({ slowestMs }) => slowestMs))
  const recovery = Math.max(0, ...reports.map(({ recoveryMs }) => recoveryMs ?? 0))
  return [
    name,
    String(reports.length),
    String(sum(({ operations }) => operations)),
    // If clients may lose their connections during the fault, the slowest response has no meaning and is not shown.
    mayDisconnect || reports.length === 0 ? '-' : String(slowest),
    reports.length === 0 ? '-' : String(recovery),
    String(sum(({ violations }) => violations.length)),
  ]
}

/** Pads a cell of the printed table: the first column is text, the other columns are numbers. */
function aligned(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
