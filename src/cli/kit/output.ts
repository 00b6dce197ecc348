/** With --json the whole output is one JSON value. */
export function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

export function table(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  if (rows.length === 0) return 'None.'
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Shows a progress line that overwrites itself, on a terminal only. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\n')
}
