import { endpoints } from '../index.ts'
import { apiRoot, type Endpoint } from '../kit/endpoint.ts'

/**
 * Returns a plain-text table of all operations. The table states the webhook events that each operation emits, which
 * spec 6 does not state.
 */
export function operationsTable(): string {
  const all: readonly Endpoint[] = Object.values(endpoints)
  const rows = all.map((endpoint) => [
    endpoint.id,
    endpoint.method,
    `${apiRoot}${endpoint.path}`,
    endpoint.access,
    endpoint.kind === 'write' ? (endpoint.idempotency ?? 'ignored') : '-',
    endpoint.emits?.join(',') || '-',
    endpoint.audits?.action ?? '-',
    endpoint.stability ?? 'stable',
  ])
  const table = [
    ['OPERATION', 'METHOD', 'PATH', 'SCOPE', 'IDEMPOTENCY', 'EMITS', 'AUDITS', 'STABILITY'],
    ...rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  ]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `# DO NOT EDIT. Written by \`npm run generate\` from the registry.\n\n${lines.join('\n')}\n`
}
