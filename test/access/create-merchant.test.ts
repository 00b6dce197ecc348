import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { findTestTwin } from '../../src/store/access/merchants.ts'
import { listAudit } from '../../src/store/audit/audit-list.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()
const operator = {
  type: 'operator',
  id: null,
  label: 'cli',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
} as const

test('createMerchant creates a live merchant, its test-mode merchant and one audit row', async () => {
  const { database } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  const merchant = await createMerchant(context, operator, 'Adire Lagos')
  expect(await findTestTwin(database, { id: merchant.id })).toMatchObject({ id: merchant.testId, mode: 'test' })
  expect(await listAudit(database, { merchantId: merchant.id, limit: 10 })).toMatchObject([
    { action: 'merchant.create', resourceId: merchant.id, actorType: 'operator', sourceIp: null },
  ])
})
