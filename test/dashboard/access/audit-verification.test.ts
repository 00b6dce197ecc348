import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealAudit } from '../../../src/audit/seal-audit.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { forgedSignatures, rewriteChain, tamperWith } from '../../audit/rewritten-chain.ts'
import { useApi, vault } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop
let viewer: SignedInMember

/**
 * The clock of the test must have the real time, because the verification compares the service's times with those of
 * the database.
 */
beforeAll(() => {
  const { clock } = api()
  clock.advance(systemClock.nowMs() - clock.nowMs())
})

beforeEach(async () => {
  shop = await openShop(api().context)
  viewer = await signedIn(api(), shop.merchantId, 'viewer')
})

const list = '/dashboard/audit'

const auditRows = async (merchantId: string) => {
  const { rows } = await api().database.pool.query<{ id: string }>(
    'select id from audit_log where merchant_id = $1 order by id desc',
    [merchantId],
  )
  return rows
}

describe('the verification of the audit log', () => {
  const seal = () => sealAudit({ database: api().database, signer: vault.signer })

  const tamper = (statement: string) => tamperWith(api().superuserConnectionString, [statement])

  test('the verification of an intact audit log shows the number of rows in the hash chain and when its newest head was signed', async () => {
    await seal()
    const { length } = await auditRows(shop.merchantId)
    expect((await viewer.get(list)).text).toMatch(
      new RegExp(`${length} rows are linked. The newest head was signed at`),
    )
    const { text } = await viewer.get(`${list}/verify`)
    expect(text).toContain('No row was changed, deleted or inserted afterwards.')
    expect(text).toContain(`${length} of ${length} linked rows are verified.`)
    expect(text).toMatch(
      /Copy the head of the chain, and store it outside the service.<\/p>\s*<p><code data-copy="main">\d+:[0-9a-f]{64}</,
    )
    expect(text).not.toContain('class="main"')
    expect(text).not.toContain('>Continue<')
  })

  test('the verification of the audit log names the first changed row', async () => {
    await seal()
    const row = (await auditRows(shop.merchantId)).at(1)
    await tamper(`update audit_log set actor_label = 'someone else' where id = '${row?.id}'`)
    const { text } = await viewer.get(`${list}/verify`)
    expect(text).toContain(`row ${row?.id} at position `)
    expect(text).toContain('was changed after it was linked to the hash chain.')
    expect(text).toContain(`href="/dashboard/audit/${row?.id}"`)
  })

  test.for([
    'none',
    'unknownKey',
  ] as const)('the verification of an audit log rewritten with forged signatures (%s) names the first row that fails verification', async (forged) => {
    await seal()
    const row = (await auditRows(shop.merchantId)).at(-1)
    const sign = forgedSignatures[forged]
    await rewriteChain(api(), { chain: shop.merchantId, auditId: row?.id ?? '', sign })
    const { text } = await viewer.get(`${list}/verify`)
    expect(text).toContain('not verified')
    expect(text).toMatch(/The audit log is not verified: the chain head at position \d+, row aud_\w+, /)
    expect(text).not.toContain('intact')
  })

  test('if an audit log was rewritten with the signatures of another merchant, the verification reports the first row that differs', async () => {
    const other = await openShop(api().context)
    await seal()
    const row = (await auditRows(shop.merchantId)).at(-1)
    const sign = forgedSignatures.ofMerchant(other.merchantId)
    await rewriteChain(api(), { chain: shop.merchantId, auditId: row?.id ?? '', sign })
    const { text } = await viewer.get(`${list}/verify`)
    expect(text).toMatch(
      /The audit log was altered: the chain head at position \d+, row aud_\w+, does not match the chain/,
    )
  })

  test('the verification of the audit log shows the head of the hash chain, accepts a head that was copied earlier, and reports a given head that is not in the chain', async () => {
    await seal()
    const { length } = await auditRows(shop.merchantId)
    const { text } = await viewer.get(`${list}/verify`)
    const [head = ''] = new RegExp(`${length}:[0-9a-f]{64}`).exec(text) ?? []
    expect((await viewer.get(`${list}/verify?head=${head}`)).text).toContain(
      `audit verify --merchant ${shop.merchantId} --head ${head}`,
    )
    expect((await viewer.get(`${list}/verify?head=${head}`)).text).toContain(
      'No row was changed, deleted or inserted afterwards.',
    )
    const replaced = await viewer.get(`${list}/verify?head=${length}:${'0'.repeat(64)}`)
    expect(replaced.text).toContain(`the given chain head at position ${length} is not in the chain`)
    expect((await viewer.get(`${list}/verify?head=7`)).text).toContain(
      'Use a position, a colon and 64 hexadecimal digits',
    )
  })

  test('the verification of the audit log names a deleted row', async () => {
    await seal()
    const row = (await auditRows(shop.merchantId)).at(1)
    await tamper(`delete from audit_log where id = '${row?.id}'`)
    expect((await viewer.get(`${list}/verify`)).text).toContain(`row ${row?.id} at position`)
  })

  test('the verification of the audit log can start at a given row number, and is refused for a number that the hash chain does not have', async () => {
    await seal()
    const { length } = await auditRows(shop.merchantId)
    const { text } = await viewer.get(`${list}/verify?number=${length - 1}`)
    expect(text).toContain(`No row after position ${length - 1} was changed or deleted, and no row was inserted.`)
    expect(text).toContain(`started after position ${length - 1} and reached position ${length} of ${length}.`)
    expect(text).not.toContain('No row was changed, deleted or inserted afterwards.')
    expect((await viewer.get(`${list}/verify?number=${length}`)).text).toContain(`${length} of ${length}`)
    const [last] = await auditRows(shop.merchantId)
    const ofEnd = await viewer.get(`${list}/verify?number=${length}&row=${last?.id}`)
    expect(ofEnd.text).toContain(`No row after ${last?.id} was inserted.`)
    expect((await viewer.get(`${list}/verify?number=${length + 1}`)).status).toBe(404)
    expect((await viewer.get(`${list}/verify?number=-1&row=x`)).status).toBe(200)
  })

  test('if the rows of an audit log are not in the hash chain yet, the verification says that the chain has no rows', async () => {
    expect((await viewer.get(list)).text).toContain('No row is linked yet.')
  })
})
