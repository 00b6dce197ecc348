import pg from 'pg'
import { expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { insertSharedAudit } from '../../src/store/core/shared-audit.ts'
import { useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'

const opened = useDatabase()

/**
 * Writes an audit row about data that all merchants share, and links it into the hash chain. The change came from the
 * given IP address.
 */
async function openShared(sourceIp: string | null) {
  const chain = openChain(opened())
  const nowMs = chain.context.clock.nowMs()
  const id = newId('aud', nowMs)
  await bookkeep(opened().database, async (trx) =>
    insertSharedAudit(trx, {
      ...{ id, occurredAt: toTimestamp(nowMs), actorType: 'operator', actorLabel: 'adaeze@shop-1', sourceIp },
      ...{ action: 'surge.freeze', resourceType: 'city', resourceId: 'Lagos', changes: {} },
    }),
  )
  await chain.seal()
  const verify = async () => (await chain.verify(undefined, 'shared')).faults
  return { id, verify }
}

async function tamper(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  await client.query('alter table shared_audit_log disable trigger user')
  await client.query(statement)
  await client.query('alter table shared_audit_log enable always trigger shared_audit_log_rows_never_change')
  await client.end()
}

test.for([
  ['changed', '203.0.113.7', "'192.0.2.9'"],
  ['removed', '203.0.113.7', 'null'],
  ['added', null, "'192.0.2.9'"],
] as const)('the verification of the audit log that all merchants share reports a row whose source address was %s', async ([
  ,
  before,
  after,
]) => {
  const { id, verify } = await openShared(before)
  expect((await verify()).filter((fault) => 'auditId' in fault && fault.auditId === id)).toEqual([])
  await tamper(`update shared_audit_log set source_ip = ${after} where id = '${id}'`)
  expect(await verify()).toContainEqual(expect.objectContaining({ is: 'changed', auditId: id }))
})
