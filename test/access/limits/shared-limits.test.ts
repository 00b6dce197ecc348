import { expect, onTestFinished, test, vi } from 'vitest'
import type { RatePolicy } from '../../../src/access/limits/allowance.ts'
import { openRateLimiter, type RateLimiter } from '../../../src/access/limits/rate-limiter.ts'
import {
  chargeRateLimits,
  countRateLimitProcesses,
  deleteEndedRateLimitProcesses,
  deleteIdleRateLimits,
} from '../../../src/store/access/rate-charges.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

/** A rate limit whose quota hardly refills during a test. */
const read: RatePolicy = { name: 'read', quota: 100, seconds: 3_600 }

/**
 * Returns the rate limiter of a process with its own database connections. The limiter waits longer for the database
 * than in production, so that it does not decide without the database on a slow machine.
 */
function openProcess(): RateLimiter {
  const database = openDatabase({ connectionString: opened().connectionString, maxConnections: 2 })
  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms === 250 ? 60_000 : ms)
    return () => clearTimeout(timer)
  }
  const report = (charges: Parameters<typeof chargeRateLimits>[1]) => chargeRateLimits(database, charges)
  const limiter = openRateLimiter({ nowMs: () => performance.now(), report, after })
  onTestFinished(async () => {
    limiter.stop()
    await database.close()
  })
  return limiter
}

async function accepted(limiter: RateLimiter, keys: readonly string[], requests: number): Promise<number> {
  const uses = keys.map((key) => ({ key, policy: read }))
  const verdicts = await Promise.all(Array.from({ length: requests }, () => limiter.take(uses)))
  return verdicts.filter(({ is }) => is === 'accepted').length
}

test('two processes together accept as many requests of a token as its rate limit allows, with a deviation of at most a tenth', async () => {
  const processes = [openProcess(), openProcess()]
  const keys = ['read mer_1', 'read tok_1']
  const counts = await Promise.all(processes.map((limiter) => accepted(limiter, keys, 300)))
  const sum = counts.reduce((a, b) => a + b)
  expect(sum).toBeGreaterThanOrEqual(90)
  expect(sum).toBeLessThanOrEqual(110)
  expect(await accepted(openProcess(), keys, 300)).toBeLessThanOrEqual(5)
})

test('two processes that report the same rate limit keys in different orders do not deadlock', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `write tok_${index}`)
  const { database } = opened()
  const reports = Array.from({ length: 40 }, (_, index) => {
    const charges = keys.map((key) => ({ key, chargeMs: 10, ageMs: 0, windowMs: 3_600_000 }))
    return chargeRateLimits(database, index % 2 === 0 ? charges : charges.toReversed())
  })
  const aheads = await Promise.all(reports)
  expect(aheads.map(({ size }) => size)).toEqual(reports.map(() => 100))
})

test('the service deletes only rate limit keys whose quota is full again', async () => {
  const { database } = opened()
  const day = 24 * 60 * 60 * 1000
  await chargeRateLimits(database, [
    { key: 'read tok_busy', chargeMs: day, ageMs: 0, windowMs: 3_600_000 },
    { key: 'read tok_idle', chargeMs: 0, ageMs: day, windowMs: 3_600_000 },
  ])
  await deleteIdleRateLimits(database)
  const { rows } = await database.pool.query(
    "select key from rate_limits where key in ('read tok_busy', 'read tok_idle')",
  )
  expect(rows).toEqual([{ key: 'read tok_busy' }])
})

test('idle rate limit keys are deleted in batches, without waiting for a transaction that locks one of them', async () => {
  const { database } = opened()
  await database.pool.query(
    `insert into rate_limits (key, charge_ms, arrival_at)
     select 'read tok_many_' || number, 0, now() - interval '1 day' from generate_series(1, 6000) as number`,
  )
  const statements = vi.spyOn(database, 'run')
  onTestFinished(() => statements.mockRestore())
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query("select from rate_limits where key = 'read tok_many_7' for update")
    await deleteIdleRateLimits(database)
    const { rows } = await database.pool.query("select key from rate_limits where key like 'read tok_many%'")
    expect(rows).toEqual([{ key: 'read tok_many_7' }])
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(statements).toHaveBeenCalledTimes(2)
})

test('requests that are reported late to the shared rate limits are counted at the time of the requests, not of the report', async () => {
  const { database } = opened()
  const charge = { key: 'read tok_late', chargeMs: 1_000, ageMs: 60_000, windowMs: 3_600_000 }
  await chargeRateLimits(database, [charge])
  const ahead = (await chargeRateLimits(database, [charge])).get(charge.key) ?? 0
  expect(ahead).toBeLessThan(0)
  const fresh = (await chargeRateLimits(database, [{ ...charge, ageMs: 0 }])).get(charge.key) ?? 0
  expect(fresh).toBeGreaterThan(990)
  expect(fresh).toBeLessThanOrEqual(1_000)
})

test('a process is counted among the processes that share the rate limits until ten seconds after its last report to the database', async () => {
  const { database } = opened()
  await database.pool.query('delete from rate_limit_processes')
  for (const [index, process] of ['first', 'second', 'third'].entries())
    expect(await countRateLimitProcesses(database, process)).toBe(index + 1)
  expect(await countRateLimitProcesses(database, 'first')).toBe(3)
  const age = (process: string, by: string) =>
    database.pool.query('update rate_limit_processes set counted_at = now() - $2::interval where id = $1', [
      process,
      by,
    ])
  await age('second', '10 seconds')
  expect(await countRateLimitProcesses(database, 'first')).toBe(2)
  await age('third', '2 hours')
  await deleteEndedRateLimitProcesses(database)
  const { rows } = await database.pool.query('select id from rate_limit_processes order by id')
  expect(rows).toEqual([{ id: 'first' }, { id: 'second' }])
})

test('after the window of a rate limit was shortened, a used up quota blocks its key for at most one new window', async () => {
  const used = openProcess()
  expect(await accepted(used, ['read tok_shortened'], 150)).toBeLessThanOrEqual(110)
  const policy: RatePolicy = { name: 'read', quota: 20, seconds: 2 }
  const take = (limiter: RateLimiter) => limiter.take([{ key: 'read tok_shortened', policy }])
  for (const limiter of [used, openProcess()]) {
    await expect.poll(async () => (await take(limiter)).is, { timeout: 5_000 }).toBe('accepted')
  }
})
