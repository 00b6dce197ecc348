import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isContracting } from '../src/store/core/migration-files.ts'

/**
 * Checks, in addition to squawk, that no migration both alters a table and updates its rows. `alter table` locks the
 * table until the commit, so reads would wait while the update scans the table. The update belongs in a separate
 * migration.
 *
 * A migration that drops or renames a table or a column must have `.contract` in its name: an older release that needs
 * the table or column then refuses to start with the schema, instead of failing later.
 *
 * `node scripts/check-migrations.ts [file …]` checks the given files, or all migrations.
 */

const folder = 'src/store/migrations'

/** Migrations that are exempt, because they landed before the check existed. Landed migrations never change. */
const landed = ['0010_products', '0035_price_parts', '0052_shipment_items']
const removedBefore = ['0018_webhook_engine', '0091_shipment_names', '0092_standard_names']

const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(folder).map((name) => join(folder, name))

const removals = files
  .filter((file) => file.endsWith('.sql') && !isContracting(basename(file, '.sql')))
  .filter((file) => !removedBefore.includes(basename(file, '.sql')))
  .flatMap((file) =>
    removedIn(readFileSync(file, 'utf8')).map(
      (removal) =>
        `${file} has \`${removal}\`: end its name in .contract.sql, and release it after the last release that needs the removed part.`,
    ),
  )

const updates = files
  // Each statement of a concurrent migration is a transaction of its own.
  .filter((file) => file.endsWith('.sql') && !file.endsWith('.concurrent.sql'))
  .filter((file) => !landed.includes(basename(file, '.sql')))
  .flatMap((file) =>
    alteredAndUpdated(readFileSync(file, 'utf8')).map(
      (table) => `${file} alters and updates ${table}: move the update to a separate migration.`,
    ),
  )

const faults = [...removals, ...updates]
for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'No migration blocks requests or removes too early.' : `${faults.length} fault(s).`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Removes comments, and also function bodies, because creating a function does not execute its body. */
function executedOf(text: string): string {
  return text.replaceAll(/--.*/g, '').replaceAll(/\bas\s+(\$\w*\$)[\s\S]*?\1/gi, '')
}

/** Returns the beginnings of the clauses that drop or rename a table or a column. */
function removedIn(text: string): string[] {
  const removal = /\b(?:drop\s+(?:table|column)|rename\s+(?:column\b|to\b|\w+\s+to\b))/gi
  const clauses = [...executedOf(text).matchAll(removal)].map(([clause]) => clause.replaceAll(/\s+/g, ' '))
  return [...new Set(clauses)]
}

function alteredAndUpdated(text: string): string[] {
  const sql = executedOf(text)
  const updated = tablesOf(sql, /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi)
  const altered = tablesOf(sql, /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/gi)
  // Tables that the migration itself creates are exempt, because other transactions cannot see them before the commit.
  const created = tablesOf(sql, /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)
  return [...altered].filter((table) => updated.has(table) && !created.has(table))
}

function tablesOf(sql: string, pattern: RegExp): Set<string> {
  return new Set([...sql.matchAll(pattern)].map(([, table = '']) => table.toLowerCase()))
}
