import { sql } from 'kysely'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * Reads the setting `transaction_read_only`. It is `on` for a standby until its promotion, and for a server whose
 * default was set to read-only.
 */
const readOnly = reading<object>()(
  'is_read_only',
  () => sql<{ isReadOnly: boolean }>`select current_setting('transaction_read_only') = 'on' as is_read_only`,
)

export async function isReadOnly(database: ReadDb): Promise<boolean> {
  const [row] = await database.read(readOnly, {})
  return row?.isReadOnly === true
}
