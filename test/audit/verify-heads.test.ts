import { describe, expect, test } from 'vitest'
import { resignAudit } from '../../src/audit/resign-audit.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { verifyAudit, verifyAuditPart } from '../../src/audit/verify-audit.ts'
import { signerOf } from '../../src/base/signer.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'
import { auditKey, openChain } from './chain.ts'
import { forgedSignatures, rewriteChain } from './rewritten-chain.ts'

const opened = useDatabase()
const newKey = Buffer.alloc(32, 10)
const unknownKeyId = '00000000deadbeef'

/** Opens a merchant with five audit rows in the hash chain, and with signed heads at positions 3 and 5 of the chain. */
async function openLinked() {
  const chain = openChain(opened())
  await chain.write('one', 'two')
  await chain.seal()
  await chain.write('three', 'four')
  await chain.seal()
  const [first = '', , third = '', , fifth = ''] = await chain.ids()
  const tenant = await chain.merchant()
  return { ...chain, first, third, fifth, tenant, merchantId: tenant.merchantId }
}

type Linked = Awaited<ReturnType<typeof openLinked>>

const rewrite = ({ merchantId, first }: Linked, sign: Parameters<typeof rewriteChain>[1]['sign']) =>
  rewriteChain(opened(), { chain: merchantId, auditId: first, sign })

/**
 * Returns the faults that the verification of the whole audit log finds, and those that the dashboard’s verification
 * finds.
 */
async function faultsOf({ verify, signer, merchantId }: Linked) {
  const { faults } = await verify()
  const context = { database: opened().database, signer, chain: merchantId }
  const part = await verifyAuditPart(context, { number: 0, rowId: undefined }, () => false)
  expect(part?.faults).toEqual(faults)
  return faults
}

describe('an audit log that a superuser rewrote with recomputed hashes', () => {
  test('an audit log rewritten with recomputed hashes fails verification if the heads of its hash chain have no signatures', async () => {
    const linked = await openLinked()
    await rewrite(linked, forgedSignatures.none)
    expect(await faultsOf(linked)).toEqual([{ is: 'head_unsigned', number: 3, auditId: linked.third, verifiedTo: 0 }])
  })

  test('an audit log rewritten with recomputed hashes fails verification if its chain heads are signed with a key unknown to the service', async () => {
    const linked = await openLinked()
    await rewrite(linked, forgedSignatures.unknownKey)
    expect(await faultsOf(linked)).toEqual([
      { is: 'head_unknown_key', keyId: unknownKeyId, number: 3, auditId: linked.third, verifiedTo: 0 },
    ])
  })

  test('the verification of a rewritten audit log fails if the heads of its hash chain have the signatures of another merchant', async () => {
    const [linked, other] = [await openLinked(), await openLinked()]
    await rewrite(linked, forgedSignatures.ofMerchant(other.merchantId))
    expect(await faultsOf(linked)).toEqual([
      { is: 'head_invalid', number: 3, auditId: linked.third },
      { is: 'head_invalid', number: 5, auditId: linked.fifth },
    ])
  })

  test('an audit log rewritten with recomputed hashes fails verification even if only the last head of its hash chain lacks a signature', async () => {
    const linked = await openLinked()
    await linked.tamper(
      `update audit_heads set key_id = null, signature = null where merchant_id = '${linked.merchantId}' and number = 5`,
    )
    expect(await faultsOf(linked)).toEqual([{ is: 'head_unsigned', number: 5, auditId: linked.fifth, verifiedTo: 3 }])
  })

  test.for([
    ['have no signatures', forgedSignatures.none],
    ['name an unknown key', forgedSignatures.unknownKey],
    ['are removed', (): undefined => undefined],
  ] as const)('a rewritten audit log whose chain heads %s still fails verification after the service has added later rows', async ([
    ,
    sign,
  ]) => {
    const linked = await openLinked()
    await rewrite(linked, sign)
    await linked.write('five')
    const unverified: string[] = []
    const { database, signer } = { ...linked.context, ...linked }
    await sealAudit({ database, signer, onUnverified: (chain) => unverified.push(chain) })
    expect(unverified).toEqual([linked.merchantId])
    const [fault] = await faultsOf(linked)
    expect(fault?.is).toMatch(/^head_(unsigned|unknown_key)$/)
  })
})

describe('a rotated signing key of the audit log', () => {
  const rotated = signerOf([newKey, auditKey])
  const alone = signerOf([newKey])

  test('after a rotation of the signing key, the verification of an audit log succeeds while the old key is configured; without the old key, it reports an unknown key', async () => {
    const { write, merchantId, third, context } = await openLinked()
    await write('five')
    await sealAudit({ ...context, signer: rotated })
    const verify = (signer: typeof alone) => verifyAudit({ ...context, signer, chain: merchantId })
    expect(await verify(rotated)).toMatchObject({ rows: 6, unverifiedHeads: 0, faults: [] })
    expect(await verify(alone)).toMatchObject({
      unverifiedHeads: 2,
      faults: [{ is: 'head_unknown_key', keyId: signerOf([auditKey]).keyIds[0], number: 3, auditId: third }],
    })
  })

  test('after an audit log is signed again with a rotated key, the new key alone verifies the log, and an audit row records the new signing', async () => {
    const { merchantId, tenant, context } = await openLinked()
    const signing = { ...context, signer: rotated, actor: operator }
    expect(await resignAudit(signing, { owner: tenant, acceptsUnverified: false })).toEqual({
      is: 'resigned',
      rows: 5,
      unverifiedHeads: 0,
    })
    const verdict = await verifyAudit({ ...context, signer: alone, chain: merchantId })
    expect(verdict).toMatchObject({ rows: 6, faults: [], resigning: { number: 5, unverifiedHeads: 0 } })
    const { rows } = await context.database.pool.query(
      `select actor_label from audit_log where merchant_id = $1 and action = 'audit.resign'`,
      [merchantId],
    )
    expect(rows).toEqual([{ actor_label: operator.label }])
  })

  test('after a key rotation, an audit log that was signed anew and then rewritten fails verification', async () => {
    const linked = await openLinked()
    const { tenant, context, merchantId } = linked
    await resignAudit({ ...context, signer: rotated, actor: operator }, { owner: tenant, acceptsUnverified: false })
    await rewrite(linked, forgedSignatures.none)
    const { faults } = await verifyAudit({ ...context, signer: alone, chain: merchantId })
    expect(faults[0]).toEqual({ is: 'head_invalid', number: 5, auditId: linked.fifth })
  })

  test('after a key rotation, an audit log fails verification if its new signature was copied from another log', async () => {
    const [linked, other] = [await openLinked(), await openLinked()]
    const signing = { ...other.context, signer: rotated, actor: operator }
    await resignAudit(signing, { owner: other.tenant, acceptsUnverified: false })
    const { rows } = await other.context.database.pool.query<{ changes: object }>(
      `select changes from audit_log where merchant_id = $1 and action = 'audit.resign'`,
      [other.merchantId],
    )
    await linked.tamper(`
      insert into audit_log (
        merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes
      )
      values (
        '${linked.merchantId}', 'aud_copied', clock_timestamp(), 'operator', 'forged', 'audit.resign', 'merchant',
        '${linked.merchantId}', '${JSON.stringify(rows[0]?.changes)}'
      )`)
    const { faults } = await verifyAudit({ ...linked.context, signer: alone, chain: linked.merchantId })
    expect(faults[0]).toMatchObject({ is: 'head_unknown_key', number: 3 })
  })
})

describe('chain heads that cannot be verified', () => {
  test('audit chain heads that cannot be verified are signed again only if the caller accepts them, and later verifications return the number of these heads', async () => {
    const linked = await openLinked()
    const { tenant, context, signer, write, seal, verify } = linked
    await linked.tamper(
      `update audit_heads set key_id = null, signature = null where merchant_id = '${linked.merchantId}'`,
    )
    const signing = { ...context, signer, actor: operator }
    expect(await resignAudit(signing, { owner: tenant, acceptsUnverified: false })).toMatchObject({
      is: 'not_verified',
      fault: { is: 'head_unsigned', number: 3 },
    })
    expect(await resignAudit(signing, { owner: tenant, acceptsUnverified: true })).toEqual({
      is: 'resigned',
      rows: 5,
      unverifiedHeads: 2,
    })
    await write('later')
    await seal()
    expect(await verify()).toMatchObject({ rows: 7, faults: [], resigning: { number: 5, unverifiedHeads: 2 } })
  })

  test('if a row of the audit log was changed, re-signing is refused even when the caller accepts chain heads that cannot be verified', async () => {
    const { tenant, context, signer, tamper, third, merchantId } = await openLinked()
    await tamper(
      `update audit_log set actor_label = 'someone else' where id = '${third}'`,
      `update audit_heads set key_id = null, signature = null where merchant_id = '${merchantId}'`,
    )
    const signing = { ...context, signer, actor: operator }
    expect(await resignAudit(signing, { owner: tenant, acceptsUnverified: true })).toEqual({
      is: 'not_verified',
      fault: { is: 'changed', number: 3, auditId: third },
    })
  })
})
