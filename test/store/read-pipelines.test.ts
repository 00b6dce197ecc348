import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withinBounds } from '../../src/base/deadline.ts'
import { isCancelled } from '../../src/store/core/faults.ts'
import { shareDatabase } from '../../src/store/core/shared-database.ts'
import { shortReading } from '../../src/store/core/statement.ts'
import { useDatabase } from '../support/database.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'

/** Tests short reads of concurrent requests, which share connections and pipelines. */

const opened = useDatabase()

const quotient = shortReading<{ divisor: number }>()(
  'quotient',
  (p) => sql<{ quotient: number; pid: number }>`
    select 60 / ${p.divisor}::integer as quotient, pg_backend_pid() as pid`,
)
const orders = shortReading<object>()(
  'count_orders',
  () => sql<{ count: number }>`select count(*)::integer from orders`,
)

test('a read that fails does not affect the other reads of its pipeline', async () => {
  const { database } = opened()
  const divisors = [1, 2, 0, 3, 0, 4, 5, 6, 10, 12]
  const results = await Promise.allSettled(divisors.map((divisor) => database.read(quotient, { divisor })))
  for (const [index, divisor] of divisors.entries()) {
    const result = results[index]
    if (divisor === 0) expect(result).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    else expect(result).toMatchObject({ status: 'fulfilled', value: [{ quotient: 60 / divisor }] })
  }
})

test('a hundred concurrent short reads use at most eight connections', async () => {
  const { database } = opened()
  const rows = await Promise.all(Array.from({ length: 100 }, () => database.read(quotient, { divisor: 3 })))
  expect(rows.flat()).toHaveLength(100)
  expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBeLessThanOrEqual(8)
})

test('short database reads do not wait, even if slow reads use all connections that usually serve short reads', async () => {
  const { database, ownerConnectionString } = opened()
  const slow = await whileLocked({ ownerConnectionString }, { text: 'lock table orders' }, async () => {
    // Each read waits for the lock before the next one is sent. Together, they use all connections that short reads
    // usually have.
    const waiting = []
    for (const count of [1, 2, 3]) {
      waiting.push(database.read(orders, {}))
      await untilWaiting({ database }, count)
    }
    expect(await database.read(quotient, { divisor: 4 })).toMatchObject([{ quotient: 15 }])
    return waiting
  })
  expect(await Promise.all(slow)).toEqual([[{ count: 0 }], [{ count: 0 }], [{ count: 0 }]])
})

test('a short database read is cancelled at the deadline of its request, and its connection is not used again', async () => {
  const { database, ownerConnectionString } = opened()
  const shared = shareDatabase(database)
  const bounds = { queuedMs: 1_000, totalMs: 1_000, onDisconnect: () => () => undefined }
  const failure = await whileLocked({ ownerConnectionString }, { text: 'lock table orders' }, () =>
    withinBounds(bounds, () => shared.read(orders, {})).catch((error: unknown) => error),
  )
  expect(isCancelled(failure)).toBe(true)
  expect(await shared.read(orders, {})).toEqual([{ count: 0 }])
})

test('if several short reads share a database server process that hangs, the reads whose deadline has not passed are sent again on another connection', async () => {
  const { database, ownerConnectionString } = opened()
  const shared = shareDatabase(database)
  const readWithin = (ms: number) =>
    withinBounds({ queuedMs: ms, totalMs: ms, onDisconnect: () => () => undefined }, () => shared.read(orders, {}))
  const frozen: number[] = []
  try {
    const patient = await whileLocked({ ownerConnectionString }, { text: 'lock table orders' }, async () => {
      const reads = [1_000, 60_000, 1_000, 60_000].map(readWithin)
      await untilWaiting({ database }, 2)
      for (const { pid } of await waitingProcesses()) {
        process.kill(pid, 'SIGSTOP')
        frozen.push(pid)
      }
      await expect(reads[0]).rejects.toThrow()
      await expect(reads[2]).rejects.toThrow()
      return [reads[1], reads[3]]
    })
    expect(await Promise.all(patient)).toEqual([[{ count: 0 }], [{ count: 0 }]])
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
  }
})

test('a short read with time left is not cancelled when the deadline of another read in its pipeline passes', async () => {
  const { database, ownerConnectionString } = opened()
  const shared = shareDatabase(database)
  const readWithin = (ms: number) =>
    withinBounds({ queuedMs: ms, totalMs: ms, onDisconnect: () => () => undefined }, () => shared.read(orders, {}))
  const patient = await whileLocked({ ownerConnectionString }, { text: 'lock table orders' }, async () => {
    // Two connections execute three reads each, in order. The fourth read must not be cancelled when the deadline of
    // the fifth passes.
    const reads = [9_000, 9_000, 9_000, 9_000, 1_000, 9_000].map(readWithin)
    await expect(reads[4]).rejects.toThrow()
    return reads.filter((_, index) => index !== 4)
  })
  expect(await Promise.all(patient)).toEqual(patient.map(() => [{ count: 0 }]))
})

async function waitingProcesses(): Promise<readonly { readonly pid: number }[]> {
  const text = `
    select distinct pid from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`
  return (await opened().database.pool.query<{ pid: number }>(text)).rows
}
