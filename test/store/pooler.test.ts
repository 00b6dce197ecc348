import { expect, onTestFinished, test } from 'vitest'
import { contextOf, emit, openMerchant } from '../../scripts/faults/merchants.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { requireSameDatabase } from '../../src/store/server/database-identity.ts'
import { requirePooledSettings } from '../../src/store/server/pooled-settings.ts'
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

test('if the service connects through a pooler, its requests create no prepared statements in the database session', async () => {
  const database = openPooled()
  const tenant = await openMerchant(database)
  await emit(contextOf(database), tenant, 2)
  await emit(contextOf(database), tenant, 1)
  expect((await database.pool.query('select name from pg_prepared_statements')).rows).toEqual([])
})

test('the service refuses to start behind a pooler if DATABASE_DIRECT_URL names another database than DATABASE_URL', async () => {
  const { connectionString } = opened()
  const other = Object.assign(new URL(connectionString), { pathname: '/postgres' }).href
  const database = openDatabase({ connectionString, directConnectionString: other, maxConnections: 1 })
  onTestFinished(() => database.close())
  await expect(requireSameDatabase(database)).rejects.toThrow(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
  )
  await expect(requireSameDatabase(openPooled())).resolves.toBeUndefined()
})

test('behind a pooler, the service refuses to start if its role has no timeouts, and the error contains the statements that set them', async () => {
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

test('if the service uses a pooler, its direct database sessions have the same lock timeout as the sessions that serve requests', async () => {
  const { rows } = await openPooled().sessionPool.query('show lock_timeout')
  expect(rows).toEqual([{ lock_timeout: '3500ms' }])
})
