import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isContracting, statementsOf } from '../src/store/server/migration-files.ts'
import { tablesOf as tablesOfClass } from '../src/store/tables/distribution.ts'

/**
 * Checks, in addition to squawk, that no migration both alters a table and updates its rows. `alter table` locks the
 * table until the commit, so reads would wait while the update scans the table. The update belongs in a separate
 * migration.
 *
 * A migration that drops or renames a table or a column must have `.contract` in its name: an older release that needs
 * the table or column then refuses to start with the schema, instead of failing later.
 *
 * A migration must also run on a distributed database. Citus 13.0.5 rejects a constraint that is added together with
 * another change of the table, and the validation of a foreign key between distributed tables.
 *
 * `node scripts/check-migrations.ts [file …]` checks the given files, or all migrations.
 */

const folder = 'src/store/migrations'

/**
 * Migrations that are exempt from this check, because they are older than the check and a released migration never
 * changes.
 */
const landed = ['0010_products', '0035_price_parts', '0052_shipment_items']
const removedBefore = ['0018_webhook_engine', '0091_shipment_names', '0092_standard_names']

/**
 * The first migration that must work on a distributed database. The earlier migrations were applied before the database
 * was distributed.
 */
const firstDistributed = '0232'

const alteredTable = /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/gi

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

const folderText = readdirSync(folder)
  .map((name) => executedOf(readFileSync(join(folder, name), 'utf8')))
  .join('\n')
const undistributable = files
  .filter((file) => file.endsWith('.sql') && basename(file) >= firstDistributed)
  .flatMap((file) => rejectedOf(readFileSync(file, 'utf8')).map((reason) => `${file} ${reason}`))

const faults = [...removals, ...updates, ...undistributable]
for (const fault of faults) console.error(fault)
console.log(
  faults.length === 0
    ? 'No migration blocks requests, and none removes or renames a table or a column too early.'
    : `${faults.length} fault(s).`,
)
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
  const altered = tablesOf(sql, alteredTable)
  // A migration may alter and update a table that it creates itself, because other transactions cannot see this table
  // before the commit.
  const created = tablesOf(sql, /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)
  return [...altered].filter((table) => updated.has(table) && !created.has(table))
}

/** Returns a message for each change of a distributed or reference table that a distributed database rejects. */
function rejectedOf(text: string): string[] {
  const onNodes = new Set([...tablesOfClass('distributed'), ...tablesOfClass('reference')])
  return statementsOf(executedOf(text)).flatMap((statement) => {
    const [table = ''] = tablesOf(statement, alteredTable)
    if (!onNodes.has(table)) return []
    const isOneOfSeveral = /,\s*(?:add|alter|drop|validate)\b/i.test(statement)
    const isAdded = /\badd\s+constraint\b/i.test(statement)
    const [, validated] = /\bvalidate\s+constraint\s+(\w+)/i.exec(statement) ?? []
    return [
      ...(isAdded && isOneOfSeveral
        ? [`adds a constraint of ${table} together with another change: use an \`alter table\` for each.`]
        : []),
      ...(validated !== undefined && isForeignKey(validated, text)
        ? [
            `validates the foreign key ${validated}: add a foreign key with its new column only, whose rows are null, as not valid.`,
          ]
        : []),
    ]
  })
}

function isForeignKey(constraint: string, text: string): boolean {
  return new RegExp(`\\badd\\s+constraint\\s+${constraint}\\s+foreign\\s+key\\b`, 'i').test(`${folderText}\n${text}`)
}

function tablesOf(sql: string, pattern: RegExp): Set<string> {
  return new Set([...sql.matchAll(pattern)].map(([, table = '']) => table.toLowerCase()))
}
