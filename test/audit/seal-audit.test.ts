import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../src/audit/verify-audit.ts'
import { signerOf } from '../../src/base/signer.ts'
import type { Database } from '../../src/store/core/database.ts'
import { migrationFolder } from '../../src/store/server/migration-files.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'
import { countedReads } from './counted-reads.ts'

const opened = useDatabase()

test('sealing the audit log adds each row to the hash chain once, in transaction order, and signs the head of the chain', async () => {
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

test('sealing also adds the audit rows of a transaction that commits after the rows of a later transaction were sealed', async () => {
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

test('concurrent sealing runs add each audit row to the hash chain once', async () => {
  const { write, seal, verify } = openChain(opened())
  await write('one', 'two', 'three')
  await Promise.all([seal(), seal(), seal(), seal()])
  expect(await verify()).toMatchObject({ rows: 4, faults: [] })
})

test('an audit row that is already in the hash chain but still in the queue leaves the queue and is not added to the chain again', async () => {
  const { context, write, seal, verify, ids } = openChain(opened())
  const { pool } = context.database
  await write('one')
  await seal()
  await pool.query('insert into audit_queue select merchant_id, id, recorded_at from audit_log where id = any($1)', [
    await ids(),
  ])
  expect(await seal()).toBe(0)
  expect(await verify()).toMatchObject({ rows: 2, faults: [] })
  expect((await pool.query('select from audit_queue')).rowCount).toBe(0)
})

test('if sealing fails for one merchant, the audit rows of all other merchants are still added to their hash chains', async () => {
  const chains = [openChain(opened()), openChain(opened()), openChain(opened())] as const
  const [, broken] = chains
  for (const { write } of chains) await write('one')
  await broken.seal()
  const { merchantId } = await broken.merchant()
  // Sealing fails: the service cannot read a number beyond 2^53.
  await broken.tamper(
    `update audit_chain set number = 9223372036854775807 where merchant_id = '${merchantId}' and number = 2`,
  )
  for (const { write } of chains) await write('two')
  await expect(broken.seal()).rejects.toThrow('beyond 2^53')
  const rows = await Promise.all(chains.map(async ({ ids }) => (await ids()).length))
  expect(rows).toEqual([3, 2, 3])
  await broken.tamper(`update audit_chain set number = 2 where merchant_id = '${merchantId}' and number > 2`)
  await broken.seal()
  expect(await broken.ids()).toHaveLength(3)
})

test('if the database node of one merchant does not respond, sealing still adds the audit rows of other merchants to their chains', async () => {
  const chains = [openChain(opened()), openChain(opened()), openChain(opened())] as const
  const [, lost] = chains
  const { reachability } = opened().database
  onTestFinished(() => reachability.set({ reachable: [], unreachable: [], nodes: [] }))
  reachability.set({ reachable: [], unreachable: [], nodes: [] })
  for (const { write } of chains) await write('one')
  const { merchantId } = await lost.merchant()
  await asOwner(
    opened(),
    `create function lose_node() returns trigger language plpgsql as $$
    begin
      raise exception 'connection to the remote node failed' using errcode = '08006';
    end $$;
    create trigger lose_node before insert on audit_chain for each row when (new.merchant_id = '${merchantId}')
    execute function lose_node()`,
  )
  await expect(lost.seal()).rejects.toThrow('connection to the remote node failed')
  const rows = await Promise.all(chains.map(async ({ ids }) => (await ids()).length))
  expect(rows).toEqual([2, 0, 2])
  await asOwner(opened(), 'drop trigger lose_node on audit_chain')
  expect(await lost.seal()).toBe(2)
})

test('without an encryption key, sealing adds audit rows to the hash chain, but the chain heads cannot be verified', async () => {
  const { context, write, merchant } = openChain(opened())
  const { database } = context
  await write('one')
  const signer = signerOf([])
  await sealAudit({ database, signer })
  const chain = (await merchant()).merchantId
  expect(await verifyAudit({ database, signer, chain })).toMatchObject({
    rows: 2,
    unverifiedHeads: 1,
    faults: [{ is: 'head_unsigned', number: 2, verifiedTo: 0 }],
  })
})

test('sealing adds all new audit rows to the hash chain even if their transaction ids are lower or much higher than those of earlier rows, as after a database restore', async () => {
  const { write, seal, verify, tamper, ids } = openChain(opened())
  await write('one')
  await seal()
  for (const xid of ['1', '9000000000000']) {
    await write('two')
    await tamper(`update audit_log set recorded_xid = ${xid} where id not in (select audit_id from audit_chain)`)
    expect(await seal()).toBeGreaterThan(0)
    expect(await verify()).toMatchObject({ faults: [] })
  }
  expect(new Set(await ids()).size).toBe(4)
})

test('after the migration of the audit queue, sealing the audit log adds all unlinked rows to the hash chain, even rows that are older than the chain', async () => {
  const { context, write, seal, verify, tamper, merchant, ids } = openChain(opened())
  await write('old')
  const { merchantId } = await merchant()
  await tamper(`update audit_log set recorded_xid = null, recorded_at = null where merchant_id = '${merchantId}'`)
  await write('new')
  await tamper('delete from audit_queue')
  await queueRows(context.database)
  await seal()
  expect(await verify()).toMatchObject({ rows: 3, faults: [] })
  expect(await ids()).toHaveLength(3)
})

/** Runs the migration that adds existing audit rows to the queue. */
async function queueRows({ pool }: Database): Promise<void> {
  await pool.query(await readFile(new URL('0231_queued_audit.sql', migrationFolder), 'utf8'))
}

/**
 * Returns SQL that inserts audit rows of one merchant at time intervals of `apart`. If `isRecorded` is false, the rows
 * have no recorded time, like rows from before the hash chain.
 */
const oldRows = (
  merchantId: string,
  { count, apart, isRecorded }: { count: number; apart: string; isRecorded: boolean },
) => `
  insert into audit_log (
    merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes,
    recorded_at, recorded_xid
  )
  select
    '${merchantId}', 'aud_0' || to_char(number, 'FM000000'), at, 'system', 'test', 'test.run', 'test', 'test', '{}',
    ${isRecorded ? 'at, pg_current_xact_id()::text::bigint' : 'null, null'}
  from generate_series(1, ${count}) as number, lateral (select now() - (${count} - number) * interval '${apart}' as at) as times`

test('when an audit log that is older than the hash chain is sealed, each row is read a constant number of times, even if sealing is interrupted', async () => {
  const { context, merchant, tamper, verify, signer } = openChain(opened())
  const { merchantId } = await merchant()
  const count = 30_000
  await tamper(oldRows(merchantId, { count, apart: '1 minute', isRecorded: false }))
  await queueRows(context.database)
  // Without statistics, PostgreSQL chooses plans that read a row more often. The test analyzes the tables now, because
  // an automatic ANALYZE during the sealing would leave removed entries of the queue in the index. The hash chain is
  // new, so it has no statistics.
  await asOwner(opened(), 'truncate audit_chain, audit_heads; analyze audit_log, audit_queue')
  let heads = 0
  const killed = {
    ...signer,
    sign: (text: string) => {
      heads += 1
      if (heads === 11) throw new Error('killed')
      return signer.sign(text)
    },
  }
  const first = await countedReads(opened(), (database) =>
    expect(sealAudit({ database, signer: killed })).rejects.toThrow('killed'),
  )
  const linked = (await verify()).rows
  expect(linked).toBeGreaterThan(15_000)
  const second = await countedReads(opened(), (database) => sealAudit({ database, signer }))
  expect(await verify()).toMatchObject({ rows: count + 1, faults: [] })
  // Each of the two sealing runs reads every row a few times by an index: in the audit log, in the hash chain, and to
  // find the end of a page.
  expect(first.rows + second.rows).toBeLessThan(20 * count)
  expect(second.scans).toBeLessThan(first.scans)
})

test('verification does not report audit rows that were stored long before they were added to the hash chain', async () => {
  const { context, merchant, tamper, seal, verify } = openChain(opened())
  const { merchantId } = await merchant()
  await tamper(oldRows(merchantId, { count: 5_000, apart: '1 second', isRecorded: true }))
  await queueRows(context.database)
  await seal()
  expect(await verify()).toMatchObject({ rows: 5_001, faults: [] })
})
