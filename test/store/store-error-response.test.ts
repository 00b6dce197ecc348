import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { storeErrorResponse } from '../../src/store/core/idempotency.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

test('if an error response for an Idempotency-Key cannot be stored, the thrown error names the violated constraint, and the database connection is released once', async () => {
  const { database } = opened()
  const { id: merchantId } = await createMerchant(
    { database, clock: systemClock, nudge: () => undefined },
    operator,
    'Adire Lagos',
  )
  const scope = { merchantId, route: 'POST /refunds', key: 'refused' }
  const request = { scope, fingerprint: Buffer.alloc(32), requestId: 'req_test', callerId: 'tok_test' }
  await asOwner(opened(), "alter table idempotency_keys add constraint none check (key <> 'refused') not valid")
  const releases: unknown[] = []
  const connect = async () => {
    const connection = await database.connect()
    const release = (isUnusable?: boolean) => {
      releases.push(isUnusable)
      connection.release(isUnusable)
    }
    return { ...connection, release }
  }
  const now = toTimestamp(systemClock.nowMs())
  const storing = storeErrorResponse(
    { ...database, connect },
    request,
    { status: 409, body: '{}', location: null },
    now,
  )
  await expect(storing).rejects.toMatchObject({ code: '23514', constraint: 'none' })
  expect(releases).toEqual([false])
})
