import { expect, test } from 'vitest'
import { verifyAudit, verifyAuditPart } from '../../src/audit/verify-audit.ts'
import type { Database } from '../../src/store/core/database.ts'
import { useDatabase } from '../support/database.ts'
import { openChain } from './chain.ts'

const opened = useDatabase()

/** Returns a database that runs `change` once, just before the first statement with the given name. */
function changedBefore(database: Database, name: string, change: () => Promise<unknown>): Database {
  let isChanged = false
  const read: Database['read'] = async (statement, args) => {
    if (statement.name.startsWith(name) && !isChanged) {
      isChanged = true
      await change()
    }
    return database.read(statement, args)
  }
  return { ...database, read }
}

test('a verification finds no fault if the worker links new rows to the chain while it runs', async () => {
  const chain = openChain(opened())
  await chain.write('one', 'two')
  await chain.seal()
  const { merchantId } = await chain.merchant()
  const { signer } = chain
  const database = () =>
    changedBefore(opened().database, 'list_audit_heads', async () => {
      await chain.write('later')
      await chain.seal()
    })
  const before = (await chain.ids()).length
  const whole = await verifyAudit({ database: database(), signer, chain: merchantId })
  expect(whole).toMatchObject({ faults: [], rows: before + 1, head: { number: before + 1 } })
  const context = { database: database(), signer, chain: merchantId }
  const part = await verifyAuditPart(context, { number: 0, rowId: undefined }, () => false)
  expect(part).toMatchObject({ faults: [], isEnd: true, reached: { number: before + 2 } })
})
