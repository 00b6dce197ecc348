import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { auditCases, pageLimit } from '../../scripts/bench/list-cases.ts'
import { fillAuditLog } from '../../scripts/bench/list-rows.ts'
import { buffersOf } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { auditQuery } from '../../src/store/audit/audit-list.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/** Every page of a long list is read from an index, whatever its filters: a bounded number of buffers, far fewer than the table's. */

const opened = useDatabase()

const count = 20_000
const untilMs = systemClock.nowMs()

let merchantId: MerchantId
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchantId = (await createMerchant(context, operator, 'Adire Lagos')).id
  client = new pg.Client({ connectionString })
  await client.connect()
  await fillAuditLog(client, { merchantId, count, untilMs })
  await asOwner(opened(), 'vacuum analyze audit_log')
})
afterAll(() => client.end())

/** Up to four buffers per row of the page: the row, its place in the index, and its token. */
const buffersMax = 4 * pageLimit

describe('the audit log', () => {
  test.for(auditCases(untilMs))('$name', async ({ filter, index }) => {
    const query = await auditQuery(opened().database, { ...filter, merchantId, limit: pageLimit })
    // As PostgreSQL plans a prepared statement after its first executions: without the values.
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { buffers, indexes, scanned } = await buffersOf(client, query)
      expect(scanned).not.toContain('audit_log')
      expect(indexes).toContain(index)
      expect(buffers).toBeLessThan(buffersMax)
    }
  })

  test('a group of actions is found without reading their rows', async () => {
    const group = await auditQuery(opened().database, { merchantId, limit: pageLimit, action: 'order' })
    expect(group.args.actions).toEqual(['order', 'order.update'])
  })
})
