import { sql } from 'kysely'
import pg from 'pg'
import { pooledSettings } from '../core/connection-settings.ts'
import type { Database } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { DatabaseError } from './usable.ts'

/**
 * The settings of sessions behind a pooler in transaction mode. A pooler does not pass on the settings of a connection,
 * so the role must have them. Without the timeouts among these settings, one lock or one slow statement would use up
 * the sessions of the pooler.
 */

interface Setting {
  readonly name: string
  readonly setting: string
  readonly role: string
}

const current = reading<{ names: readonly string[] }>()(
  'session_settings',
  (p) => sql<Setting>`
    select lower(name) as name, setting, current_user::text as role
    from pg_settings
    where lower(name) = any(${p.names}::text[])`,
)

/**
 * Throws DatabaseError when the database role lacks required settings. The error contains the statements that set them.
 */
export async function requirePooledSettings(database: Database): Promise<void> {
  const wanted = Object.entries(pooledSettings)
  const rows = await database.read(current, { names: wanted.map(([name]) => name) })
  const lacking = wanted.filter(([name, value]) => !isMet(value, rows.find((row) => row.name === name)?.setting))
  if (lacking.length === 0) return
  const role = pg.escapeIdentifier(rows[0]?.role ?? 'current_user')
  const statements = lacking.map(([name, value]) => `alter role ${role} set ${name} = '${value}';`)
  throw new DatabaseError(
    `DATABASE_POOLER=transaction requires settings of the role. Run \`${statements.join(' ')}\` and restart the pooler’s connections.`,
  )
}

/**
 * A shorter timeout is accepted. PostgreSQL reports timeouts in milliseconds. The value 0 means that the role has no
 * timeout.
 */
function isMet(wanted: string | number, setting: string | undefined): boolean {
  if (typeof wanted === 'string') return setting === wanted
  return Number(setting) > 0 && Number(setting) <= wanted
}
