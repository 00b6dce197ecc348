import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tracedWork } from '../../src/base/trace.ts'
import { reading, writing } from '../../src/store/core/statement.ts'
import { openTransaction } from '../../src/store/core/transaction.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

const one = reading<object>()('one', () => sql<{ one: number }>`select 1 as one`)
const divide = writing<object>()('divide_by_zero', () => sql<{ quotient: number }>`select 1 / 0 as quotient`)

test('while traces are recorded, a statement that fails together with the commit of its batch causes no unhandled rejection', async () => {
  const none = () => undefined
  const subscriber = { start: none, end: none, asyncStart: none, asyncEnd: none, error: none }
  tracedWork.subscribe(subscriber)
  onTestFinished(() => void tracedWork.unsubscribe(subscriber))
  const unhandled: unknown[] = []
  const listener = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  onTestFinished(() => void process.off('unhandledRejection', listener))
  const transaction = openTransaction(opened().database)
  // If the transaction has already begun, the service sends the transaction's last statement together with the commit,
  // as one pipeline.
  await transaction.trx.read(one, {})
  transaction.trx.queue(divide, {})
  await expect(transaction.end('commit', Promise.resolve())).rejects.toMatchObject({ code: '22012' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
