import { expect, test } from 'vitest'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../src/audit/verify-audit.ts'
import { signerOf } from '../../src/base/signer.ts'
import { useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'

const opened = useDatabase()

test('links each audit row once, in the order of the transactions, and signs the head', async () => {
  const { write, seal, verify, ids } = openChain(opened())
  await write('one', 'two')
  await seal()
  await write('three')
  await seal()
  expect(await seal()).toBe(0)
  const verdict = await verify()
  expect(verdict).toMatchObject({ rows: 4, unverifiedHeads: 0, faults: [] })
  expect(verdict.head).toMatchObject({ number: 4, signature: expect.any(Buffer) })
  expect(new Set(await ids()).size).toBe(4)
})

test('links the rows of a transaction that ended after later ones', async () => {
  const { context, write, seal, verify, merchant } = openChain(opened())
  await write('before')
  const { merchantId } = await merchant()
  const { pool } = context.database
  const running = await pool.connect()
  try {
    await running.query('begin')
    await running.query(
      `insert into audit_log (
         merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes
       )
       values ($1, 'aud_running', clock_timestamp(), 'system', 'test', 'test.run', 'test', 'test', '{}')`,
      [merchantId],
    )
    await write('later')
    await seal()
    const early = await verify()
    await running.query('commit')
    await seal()
    expect(await verify()).toMatchObject({ rows: early.rows + 1, faults: [] })
  } finally {
    running.release()
  }
})

test('concurrent runs link each row once', async () => {
  const { write, seal, verify } = openChain(opened())
  await write('one', 'two', 'three')
  await Promise.all([seal(), seal(), seal(), seal()])
  expect(await verify()).toMatchObject({ rows: 4, faults: [] })
})

test('without an encryption key, links rows and reports that the heads are not verified', async () => {
  const { context, write, merchant } = openChain(opened())
  const { database } = context
  await write('one')
  const signer = signerOf([])
  await sealAudit({ database, signer })
  const chain = (await merchant()).merchantId
  expect(await verifyAudit({ database, signer, chain })).toMatchObject({ rows: 2, unverifiedHeads: 1, faults: [] })
})

test('finds all rows again on a restored database, whose transactions are numbered anew', async () => {
  const { context, write, seal, verify, ids } = openChain(opened())
  const { pool } = context.database
  await write('one')
  await seal()
  for (const progress of ["cluster = 'other'", 'from_xid = 9000000000000']) {
    await pool.query(`update audit_progress set ${progress}`)
    await write('two')
    expect(await seal()).toBeGreaterThan(0)
    expect(await verify()).toMatchObject({ faults: [] })
  }
  expect(new Set(await ids()).size).toBe(4)
})

test('links the rows from before the chain first', async () => {
  const { write, seal, verify, tamper, merchant, ids } = openChain(opened())
  await write('old')
  const { merchantId } = await merchant()
  await tamper(`update audit_log set recorded_xid = null, recorded_at = null where merchant_id = '${merchantId}'`)
  await write('new')
  // As on the first start with the chain.
  await tamper('delete from audit_progress')
  await seal()
  expect(await verify()).toMatchObject({ rows: 3, faults: [] })
  expect(await ids()).toHaveLength(3)
})
