import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * Reads the number of connections that PostgreSQL does not reserve for privileged roles. A missing setting
 * reserved_connections counts as 0, because PostgreSQL 15 does not have this setting.
 */
const limit = reading<object>()(
  'connection_limit',
  () => sql<{ limit: number }>`
    select
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer as "limit"`,
)

/**
 * Returns the number of connections that the server accepts from roles without privileges. This number is shared by all
 * processes.
 */
export async function readConnectionLimit(database: Database): Promise<number> {
  const [row] = await database.read(limit, {})
  if (row === undefined) throw new Error('The database server returned no settings.')
  return row.limit
}
