import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Checks, in addition to squawk, that no migration both alters a table and updates its rows. `alter table` locks the table
 * until the commit, so reads would wait while the update scans the table. The update belongs in a separate migration.
 *
 * `node scripts/check-migrations.ts [file …]` checks these files, or all migrations.
 */

const folder = 'src/store/migrations'

/** Exceptions: migrations from before this check. Landed migrations never change. */
const landed = ['0010_products', '0035_price_parts', '0052_shipment_items']

const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(folder).map((name) => join(folder, name))

const faults = files
  // Each statement of a concurrent migration is a transaction of its own.
  .filter((file) => file.endsWith('.sql') && !file.endsWith('.concurrent.sql'))
  .filter((file) => !landed.includes(basename(file, '.sql')))
  .flatMap((file) =>
    alteredAndUpdated(readFileSync(file, 'utf8')).map(
      (table) => `${file} alters and updates ${table}: move the update to a separate migration.`,
    ),
  )

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'No migration both alters and updates a table.' : `${faults.length} fault(s).`)
process.exitCode = faults.length === 0 ? 0 : 1

function alteredAndUpdated(text: string): string[] {
  // Function bodies are removed, because creating a function does not execute it.
  const sql = text.replaceAll(/--.*/g, '').replaceAll(/\bas\s+(\$\w*\$)[\s\S]*?\1/gi, '')
  const updated = tablesOf(sql, /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi)
  const altered = tablesOf(sql, /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/gi)
  // Created tables are exempt, because other transactions cannot see them before the commit.
  const created = tablesOf(sql, /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)
  return [...altered].filter((table) => updated.has(table) && !created.has(table))
}

function tablesOf(sql: string, pattern: RegExp): Set<string> {
  return new Set([...sql.matchAll(pattern)].map(([, table = '']) => table.toLowerCase()))
}
