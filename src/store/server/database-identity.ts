import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { DatabaseError } from './usable.ts'

/**
 * SQL that identifies a database within a cluster, independent of its address. A standby has the identity of its
 * primary.
 */
export const databaseIdentity = sql<string>`(pg_control_system()).system_identifier || '/' || current_database()`

const readIdentity = reading<object>()(
  'read_database_identity',
  () => sql<{ identity: string }>`select ${databaseIdentity} as identity`,
)

/**
 * Throws DatabaseError if the pooler and the direct address lead to different databases. Jobs are added through the
 * pooler, but the worker reads jobs through the direct address. With different databases, no added job would ever run.
 */
export async function requireSameDatabase(database: Database): Promise<void> {
  const [[pooled], { rows }] = await Promise.all([
    database.read(readIdentity, {}),
    database.sessionPool.query<{ identity: string }>(readIdentity.text),
  ])
  if (pooled?.identity === rows[0]?.identity) return
  throw new DatabaseError(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. Set both to the same database, DATABASE_DIRECT_URL without the pooler.',
  )
}
