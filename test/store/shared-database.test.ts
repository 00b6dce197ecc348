import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newMerchantId } from '../../src/base/records.ts'
import { shareDatabase } from '../../src/store/core/shared-database.ts'
import { locking } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

const lockWait = locking<{ merchantId: string }>()(
  'wait_for_the_test',
  (p) => sql<{ merchantId: string }>`select ${p.merchantId} as "merchantId" from pg_advisory_lock_shared(1)`,
)

test('statements with unknown merchant ids together use at most one merchant’s share of the connections', async () => {
  const { database } = opened()
  const shared = shareDatabase(database)
  const callbacks = shared.inOneShare('callbacks')
  const holder = await database.pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const statements = Array.from({ length: 40 }, (_, index) =>
    callbacks.run(lockWait, { merchantId: newMerchantId(index) }),
  )
  // The callbacks use at most eight connections. Their statements wait for a lock in PostgreSQL, and all other
  // callbacks wait for one of these connections.
  await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(1 + 8)
  expect(shared.waitingForPool()).toBe(0)
  await holder.query('select pg_advisory_unlock(1)')
  holder.release()
  expect(await Promise.all(statements)).toHaveLength(40)
})
