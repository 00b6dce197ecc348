import { describe, expect, test } from 'vitest'
import { entryHash, firstPrevious } from '../../src/audit/chain-hash.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'

const opened = useDatabase()

/** Opens a merchant with five audit rows that are linked into the hash chain. */
async function openLinked() {
  const chain = openChain(opened())
  await chain.write('one', 'two', 'three', 'four')
  await chain.seal()
  const ids = await chain.ids()
  const id = (index: number) => ids[index] ?? ''
  const { merchantId } = await chain.merchant()
  return { ...chain, id, merchantId }
}

describe('the first altered row', () => {
  test.for([
    ['action', "action = 'order.cancel'"],
    ['actor', "actor_label = 'someone else'"],
    ['source IP address', "source_ip = '192.0.2.9'"],
    ['time', "occurred_at = occurred_at - interval '1 second'"],
    ['changes', `changes = '{"name": [null, "six"]}'`],
    ['record', "resource_id = 'ord_1'"],
    ['session', "session_id = 'ses_forged'"],
    ['other records', "resources = array['ord_1']"],
    ['other records to none', 'resources = null'],
    ['session and other records', 'session_id = resources::text, resources = null'],
    ['transaction', 'recorded_xid = recorded_xid + 1'],
  ] as const)('verification of the audit log reports the first altered row after a change of its %s', async ([
    ,
    change,
  ]) => {
    const { tamper, verify, id, merchantId } = await openLinked()
    await tamper(
      `update audit_log set ${change} where merchant_id = '${merchantId}' and id in ('${id(2)}', '${id(3)}')`,
    )
    const { faults } = await verify()
    expect(faults[0]).toEqual({ is: 'changed', number: 3, auditId: id(2) })
    expect(faults.map((fault) => fault.is)).toEqual(['changed', 'changed'])
  })

  test('verification of the audit log reports the first row that was deleted', async () => {
    const { tamper, verify, id } = await openLinked()
    await tamper(`delete from audit_log where id = '${id(1)}'`)
    expect((await verify()).faults).toEqual([{ is: 'missing', number: 2, auditId: id(1) }])
  })

  test('verification reports the first audit row that was deleted from both the log and the hash chain', async () => {
    const { tamper, verify, id } = await openLinked()
    await tamper(`delete from audit_log where id = '${id(1)}'`, `delete from audit_chain where audit_id = '${id(1)}'`)
    expect((await verify()).faults).toEqual([{ is: 'gap', number: 3 }])
  })
})

describe('the session of a member', () => {
  const openMember = async () => {
    const chain = openChain(opened())
    const { merchantId } = await chain.merchant()
    await chain.context.database.pool.query(
      insertion(merchantId, {
        id: "'aud_member'",
        actor_type: "'member'",
        actor_id: "'mem_1'",
        source_ip: "'192.0.2.7'",
        user_agent: String.raw`E'"a\\b"\n\t\x01\x7f\u2028{NULL} é 💸'`,
        session_id: "'ses_1'",
      }),
    )
    await chain.seal()
    return chain
  }

  test('the hash of an audit row without a list of records covers all its other values, including a session id', async () => {
    const { context, verify, merchant } = await openMember()
    const { merchantId } = await merchant()
    const { rows } = await context.database.pool.query<{ hash: Buffer; values: unknown[] }>(
      `select
         audit_chain.hash,
         array[
           log.merchant_id, log.id, occurred_at::text, actor_type, actor_id, actor_label, action, resource_type,
           resource_id, request_id, source_ip::text, user_agent, changes::text, recorded_at::text, recorded_xid::text
         ] || case when resources is null then array[]::text[] else array[session_id::text, resources::text] end as "values"
       from audit_chain join audit_log as log on log.merchant_id = audit_chain.merchant_id and log.id = audit_id
       where audit_chain.merchant_id = $1 order by number`,
      [merchantId],
    )
    const first = entryHash(firstPrevious, JSON.stringify(rows[0]?.values))
    const second = entryHash(first, JSON.stringify([...(rows[1]?.values ?? []), 'ses_1']))
    expect(rows.map(({ hash }) => hash)).toEqual([first, second])
    expect((await verify()).faults).toEqual([])
  })

  test.for([
    'null',
    "'ses_2'",
  ])('verification of the audit log reports a row whose session id was changed to %s by an attacker', async (session) => {
    const { tamper, verify } = await openMember()
    await tamper(`update audit_log set session_id = ${session} where id = 'aud_member'`)
    expect((await verify()).faults).toEqual([{ is: 'changed', number: 2, auditId: 'aud_member' }])
  })
})

/** Returns SQL that inserts an audit row. The column values are SQL expressions. */
const insertion = (merchantId: string, columns: Readonly<Record<string, string>>) => {
  const row = {
    merchant_id: `'${merchantId}'`,
    occurred_at: 'clock_timestamp()',
    actor_type: "'system'",
    actor_label: "'forged'",
    action: "'refund.create'",
    resource_type: "'refund'",
    resource_id: "'rfd_1'",
    changes: "'{}'",
    ...columns,
  }
  return `insert into audit_log (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

describe('an inserted row', () => {
  test('verification reports an inserted audit row that claims an earlier transaction', async () => {
    const { tamper, verify, seal, merchantId } = await openLinked()
    await tamper(insertion(merchantId, { id: "'aud_forged'", recorded_xid: '1' }))
    await seal()
    expect((await verify()).faults).toEqual([{ is: 'inserted', auditId: 'aud_forged' }])
  })

  test('verification reports an inserted audit row that claims a future transaction', async () => {
    const { tamper, verify, seal, merchantId } = await openLinked()
    await tamper(insertion(merchantId, { id: "'aud_forged'", recorded_xid: '900000000000' }))
    await seal()
    expect((await verify()).faults).toEqual([{ is: 'inserted', auditId: 'aud_forged' }])
  })

  test('verification reports an inserted audit row that claims to be older than the hash chain', async () => {
    const { tamper, verify, seal, merchantId } = await openLinked()
    await tamper(insertion(merchantId, { id: "'aud_forged'", recorded_xid: 'null', recorded_at: 'null' }))
    await seal()
    expect((await verify()).faults).toEqual([{ is: 'inserted', auditId: 'aud_forged' }])
  })

  test('verification reports an audit row that the service’s database role has inserted with an earlier time', async () => {
    const { context, verify, seal, merchantId, id } = await openLinked()
    const occurredAt = "clock_timestamp() - interval '10 minutes'"
    await context.database.pool.query(insertion(merchantId, { id: `'${id(0)}0'`, occurred_at: occurredAt }))
    await seal()
    const { faults } = await verify()
    expect(faults).toEqual([{ is: 'backdated', number: 6, auditId: `${id(0)}0`, occurredAt: expect.any(String) }])
  })

  test('verification reports an inserted audit row whose time and insertion time are forged', async () => {
    const { verify, seal, merchantId } = await openLinked()
    const then = "clock_timestamp() - interval '10 minutes'"
    await asOwner(opened(), insertion(merchantId, { id: "'aud_forged'", occurred_at: then, recorded_at: then }))
    await seal()
    expect((await verify()).faults).toMatchObject([{ is: 'backdated', auditId: 'aud_forged' }])
  })
})

describe('a manipulated chain', () => {
  test('verification reports an audit chain that was rewritten without the signing key', async () => {
    const { tamper, verify, id, merchantId } = await openLinked()
    await tamper(
      `update audit_log set action = 'order.cancel' where id = '${id(4)}'`,
      `delete from audit_heads where merchant_id = '${merchantId}'`,
    )
    expect((await verify()).faults.map(({ is }) => is)).toEqual(['changed', 'head_invalid'])
  })

  test('verification reports an audit chain that was extended with an invalid signature', async () => {
    const { tamper, verify, merchantId, id } = await openLinked()
    await tamper(
      `update audit_heads set signature = decode(repeat('00', 64), 'hex') where merchant_id = '${merchantId}'`,
    )
    expect((await verify()).faults).toEqual([{ is: 'head_invalid', number: 5, auditId: id(4) }])
  })

  test('verification reports a truncated audit chain if the caller supplies a chain head that was stored before the truncation', async () => {
    const { tamper, verify, write, seal, ids, merchantId } = await openLinked()
    const before = (await verify()).head
    const known = await ids()
    await write('five')
    await seal()
    const { head } = await verify()
    const added = (await ids()).at(known.length)
    await tamper(
      `delete from audit_chain where merchant_id = '${merchantId}' and number = 6`,
      `delete from audit_heads where merchant_id = '${merchantId}' and number = 6`,
      `delete from audit_log where id = '${added}'`,
    )
    expect((await verify(before)).faults).toEqual([])
    expect((await verify(head)).faults).toEqual([{ is: 'head_not_found', number: 6 }])
  })
})

test('the hash chains of the audit logs of two merchants are independent', async () => {
  const ours = await openLinked()
  const others = await openLinked()
  await ours.tamper(`update audit_log set action = 'order.cancel' where id = '${ours.id(2)}'`)
  expect((await ours.verify()).faults).toHaveLength(1)
  expect(await others.verify()).toMatchObject({ rows: 5, faults: [] })
})
