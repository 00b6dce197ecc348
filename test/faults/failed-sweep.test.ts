import { expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { recurringWorkOf } from '../../src/base/recurring-work.ts'
import { grantService } from '../../src/store/server/service-role.ts'
import { sweep } from '../../src/worker/sweeper.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openShop } from '../webhooks/shop.ts'

const opened = useDatabase()

test('a periodic sweep with a failed step still runs the later steps, and is not recorded as complete', async () => {
  const { database } = opened()
  const log = silentLog.child({})
  const { sweepContext } = await openShop(database, { log })
  const { failing } = recurringWorkOf(log)
  const { rows } = await database.pool.query<{ role: string }>('select current_user as role')
  await asOwner(opened(), `revoke all on refunds, notifications from ${rows[0]?.role}`)
  expect(await sweep(sweepContext)).toBe(false)
  expect(failing()).toEqual(['sweep.enqueueRefunds', 'sweep.enqueueMails'])
  await grantService(opened())
  expect(await sweep(sweepContext)).toBe(true)
  expect(failing()).toEqual([])
})
