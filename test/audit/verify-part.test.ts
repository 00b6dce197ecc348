import { describe, expect, test } from 'vitest'
import type { AuditFault } from '../../src/audit/audit-fault.ts'
import { type AuditPosition, verifyAuditPart } from '../../src/audit/verify-audit.ts'
import { useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'

const opened = useDatabase()

/** Opens a merchant with seven audit rows in the hash chain, which were sealed in three batches. */
async function openLinked() {
  const chain = openChain(opened())
  await chain.write('one', 'two')
  await chain.seal()
  await chain.write('three', 'four')
  await chain.seal()
  await chain.write('five', 'six')
  await chain.seal()
  const ids = await chain.ids()
  const { merchantId } = await chain.merchant()
  return { ...chain, ids, merchantId }
}

/** Verifies the audit log in parts of `rowsPerPage` rows. Returns the faults of all parts, and the number of parts. */
async function inParts({ signer, merchantId }: Awaited<ReturnType<typeof openLinked>>, rowsPerPage: number) {
  const context = { database: opened().database, signer, chain: merchantId, rowsPerPage }
  const faults: AuditFault[] = []
  let from: AuditPosition = { number: 0, rowId: undefined }
  for (let parts = 1; ; parts++) {
    const part = await verifyAuditPart(context, from, () => true)
    if (part === undefined) throw new Error(`There is no position ${from.number}.`)
    faults.push(...part.faults)
    if (part.isEnd) return { faults, parts, number: part.reached.number }
    expect(part.reached).not.toEqual(from)
    from = part.reached
  }
}

describe.for([1, 2, 3, 100])('a verification in parts of %i rows', (rowsPerPage) => {
  test('a verification in parts finds no error in an intact audit log', async () => {
    const chain = await openLinked()
    expect(await inParts(chain, rowsPerPage)).toMatchObject({ faults: [], number: chain.ids.length })
  })

  test.for([
    ['a changed row', (id: string) => `update audit_log set actor_label = 'someone else' where id = '${id}'`],
    ['a deleted row', (id: string) => `delete from audit_log where id = '${id}'`],
    ['a row that is no longer linked', (id: string) => `delete from audit_chain where audit_id = '${id}'`],
    [
      'deleted last entries',
      (id: string) =>
        `delete from audit_chain using audit_chain first
         where first.audit_id = '${id}' and audit_chain.merchant_id = first.merchant_id and audit_chain.number >= first.number`,
    ],
    ['a changed head', () => "update audit_heads set sealed_at = sealed_at - interval '1 day'"],
  ] as const)('a verification of the audit log in parts reports the same faults for %s as a verification of the whole log', async ([
    ,
    statement,
  ]) => {
    const chain = await openLinked()
    await chain.tamper(statement(chain.ids[3] ?? ''))
    const { faults } = await chain.verify()
    expect(faults).not.toEqual([])
    expect((await inParts(chain, rowsPerPage)).faults).toEqual(faults)
  })
})

test('a verification of the audit log in parts of one row needs more parts than the audit log has rows', async () => {
  const chain = await openLinked()
  expect((await inParts(chain, 1)).parts).toBeGreaterThan(chain.ids.length)
})
