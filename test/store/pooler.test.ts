import { expect, onTestFinished, test } from 'vitest'
import { contextOf, emit, openMerchant } from '../../scripts/faults/merchants.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { requireSameDatabase } from '../../src/store/core/database-identity.ts'
import { requirePooledSettings } from '../../src/store/core/pooled-settings.ts'
import { asOwner, useDatabase } from '../support/database.ts'

/** The rules for connections through a pooler. `npm run pgbouncer-check` runs the endpoint tests through PgBouncer. */

const opened = useDatabase()

/** Opens a database as if its address were that of a connection pooler. */
function openPooled(): Database {
  const { connectionString } = opened()
  const database = openDatabase({ connectionString, directConnectionString: connectionString, maxConnections: 1 })
  onTestFinished(() => database.close())
  return database
}

test('requests through a connection pooler prepare no statements in the database session', async () => {
  const database = openPooled()
  const tenant = await openMerchant(database)
  await emit(contextOf(database), tenant, 2)
  await emit(contextOf(database), tenant, 1)
  expect((await database.pool.query('select name from pg_prepared_statements')).rows).toEqual([])
})

test('the service refuses to start when the direct database URL (beside a pooler) names another database', async () => {
  const { connectionString } = opened()
  const other = Object.assign(new URL(connectionString), { pathname: '/postgres' }).href
  const database = openDatabase({ connectionString, directConnectionString: other, maxConnections: 1 })
  onTestFinished(() => database.close())
  await expect(requireSameDatabase(database)).rejects.toThrow(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
  )
  await expect(requireSameDatabase(openPooled())).resolves.toBeUndefined()
})

test('beside a pooler, the service refuses a database role without timeouts, and the error shows the statements that set the timeouts', async () => {
  await expect(requirePooledSettings(openPooled())).rejects.toThrow(
    /^DATABASE_POOLER=transaction requires settings of the role\. Run `alter role "commerce_service" set lock_timeout = '3500'; .*` and restart the pooler’s connections\.$/,
  )
  const { superuserConnectionString } = opened()
  const database = new URL(superuserConnectionString).pathname.slice(1)
  const settings = [`lock_timeout = '3s'`, `statement_timeout = '15s'`, `idle_in_transaction_session_timeout = '15s'`]
  for (const setting of [...settings, `timezone = 'UTC'`]) {
    const statement = `alter role commerce_service in database ${database} set ${setting}`
    await asOwner({ ownerConnectionString: superuserConnectionString }, statement)
  }
  await expect(requirePooledSettings(openPooled())).resolves.toBeUndefined()
})

test('direct database sessions beside a pooler have the same settings as the sessions that serve requests', async () => {
  const { rows } = await openPooled().sessionPool.query('show lock_timeout')
  expect(rows).toEqual([{ lock_timeout: '3500ms' }])
})
