import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * What squawk does not check: no migration alters a table and updates its rows as well. `alter table` locks the table until the
 * commit, so that nobody reads it while the update scans it. The update belongs in a migration of its own.
 *
 * `node scripts/check-migrations.ts [file …]` checks these files, or all migrations.
 */

const folder = 'src/store/migrations'

/** They landed before this check, and migrations that landed never change. */
const landed = ['0010_products', '0035_price_parts', '0052_shipment_items']

const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(folder).map((name) => join(folder, name))

const faults = files
  // Each statement of a concurrent migration is a transaction of its own.
  .filter((file) => file.endsWith('.sql') && !file.endsWith('.concurrent.sql'))
  .filter((file) => !landed.includes(basename(file, '.sql')))
  .flatMap((file) =>
    alteredAndUpdated(readFileSync(file, 'utf8')).map(
      (table) => `${file} alters ${table} and updates it: split it in two.`,
    ),
  )

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'No migration alters and updates one table.' : `${faults.length} fault(s).`)
process.exitCode = faults.length === 0 ? 0 : 1

function alteredAndUpdated(text: string): string[] {
  // The body of a function runs when it is called, which a migration that creates it does not do.
  const sql = text.replaceAll(/--.*/g, '').replaceAll(/\bas\s+(\$\w*\$)[\s\S]*?\1/gi, '')
  const updated = tablesOf(sql, /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi)
  const altered = tablesOf(sql, /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/gi)
  // Nobody waits for a table that is not committed yet.
  const created = tablesOf(sql, /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)
  return [...altered].filter((table) => updated.has(table) && !created.has(table))
}

function tablesOf(sql: string, pattern: RegExp): Set<string> {
  return new Set([...sql.matchAll(pattern)].map(([, table = '']) => table.toLowerCase()))
}
