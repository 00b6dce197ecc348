import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { build, reading } from '../core/statement.ts'

const settings = reading<object>()('durability_settings', () =>
  build
    .selectFrom(sql<{ name: string; setting: string }>`pg_settings`.as('pg_settings'))
    .where(sql<boolean>`name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`)
    .select('name'),
)

/** Returns the server settings with which a crash could lose a committed transaction. Empty on a safe server. */
export async function findUnsafeSettings(database: Database): Promise<string[]> {
  return (await database.read(settings, {})).map((row) => row.name)
}
