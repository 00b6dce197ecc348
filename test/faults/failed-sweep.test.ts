import { expect, test } from 'vitest'
import { grantService } from '../../src/store/core/service-role.ts'
import { sweep } from '../../src/worker/sweeper.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openShop } from '../webhooks/shop.ts'

const opened = useDatabase()

test('a periodic sweep with a failed step still runs the later steps, and is not recorded as complete', async () => {
  const { database } = opened()
  const { sweepContext } = await openShop(database)
  const scheduledJobs = async () =>
    (await database.pool.query(`select from graphile_worker.jobs where key like 'scheduled:%'`)).rowCount
  const { rows } = await database.pool.query<{ role: string }>('select current_user as role')
  await asOwner(opened(), `revoke all on refunds from ${rows[0]?.role}`)
  expect(await scheduledJobs()).toBe(0)
  expect(await sweep(sweepContext)).toBe(false)
  expect(await scheduledJobs()).toBeGreaterThan(0)
  await grantService(opened())
  expect(await sweep(sweepContext)).toBe(true)
})
