import { describe, expect, test } from 'vitest'
import type { RatePolicy } from '../../../src/access/limits/allowance.ts'
import { openRateLimiter, type RateLimiter, type Use, type Verdict } from '../../../src/access/limits/rate-limiter.ts'
import type { ReportUses } from '../../../src/access/limits/reports.ts'
import { settled, sharedTable, virtualTime } from './virtual-time.ts'

const read: RatePolicy = { name: 'read', quota: 60, seconds: 3 }
const ofMerchant: RatePolicy = { name: 'read-merchant', quota: 120, seconds: 3 }

/** Two rate limits. The limit of the token refills one request every 60 s, the limit of the merchant one every 15 s. */
const refundUses = (token: string): readonly Use[] => [
  { key: 'refund mer_1', policy: { name: 'refund-merchant', quota: 4, seconds: 60 } },
  { key: `refund ${token}`, policy: { name: 'refund', quota: 1, seconds: 60 } },
]

const use = (policy: RatePolicy, key = 'read tok_1') => [{ key, policy }]

async function flood(limiter: RateLimiter, requests: number, policy = read): Promise<readonly Verdict[]> {
  return Promise.all(Array.from({ length: requests }, () => limiter.take(use(policy))))
}

const countAccepted = (verdicts: readonly Verdict[]) => verdicts.filter(({ is }) => is === 'accepted').length

describe('the rate limits of a single process', () => {
  test('a single process accepts a burst of exactly as many requests as the quota of the rate limit', async () => {
    const limiter = openRateLimiter(virtualTime())
    expect(countAccepted(await flood(limiter, 500))).toBe(60)
  })

  test('a single process that rejects a request returns the exact time until it accepts the next request', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter(time)
    await flood(limiter, 60)
    expect(limiter.take(use(read))).toMatchObject({ is: 'rejected', waitMs: 50 })
    await time.advance(49)
    expect(limiter.take(use(read))).toMatchObject({ is: 'rejected', waitMs: 1 })
    await time.advance(1)
    expect(limiter.take(use(read))).toMatchObject({ is: 'accepted' })
    expect(limiter.take(use(read))).toMatchObject({ is: 'rejected', waitMs: 50 })
  })

  test('a single process whose rate limit gets a shorter window rejects requests only until the new limit refills a request', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter(time)
    await flood(limiter, 10, { name: 'read', quota: 10, seconds: 3_600 })
    expect(limiter.take(use(read))).toMatchObject({ is: 'rejected', waitMs: 50 })
    await time.advance(50)
    expect(limiter.take(use(read))).toMatchObject({ is: 'accepted' })
  })

  test('a single process accepts requests at the sustained rate after the quota is used', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter(time)
    let accepted = 0
    for (let tick = 0; tick < 1_000; tick++) {
      accepted += countAccepted(await flood(limiter, 2))
      await time.advance(10)
    }
    // The process accepts the quota of 60 requests, then 20 requests a second for ten seconds. The loop ends 10 ms
    // before the last of these 200 requests would be accepted.
    expect(accepted).toBe(60 + 199)
  })

  test('a single process returns the number of remaining requests and the time until the quota is full again', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter(time)
    const standing = (verdict: Verdict) => (verdict.is === 'accepted' ? verdict.standings : [])
    expect(standing(await limiter.take(use(read)))).toMatchObject([{ remaining: 59, resetMs: 50 }])
    await flood(limiter, 58)
    expect(standing(await limiter.take(use(read)))).toMatchObject([{ remaining: 0, resetMs: 50 }])
    await time.advance(2_000)
    expect(standing(await limiter.take(use(read)))).toMatchObject([{ remaining: 39, resetMs: 1_050 }])
  })

  test('a request that exceeds the rate limit of its token is not counted against the merchant’s rate limit', async () => {
    const limiter = openRateLimiter(virtualTime())
    const both = (token: string) => [
      { key: 'read mer_1', policy: ofMerchant },
      { key: `read ${token}`, policy: read },
    ]
    const take = (token: string) => Promise.all(Array.from({ length: 100 }, () => limiter.take(both(token))))
    expect(countAccepted(await take('tok_1'))).toBe(60)
    expect(countAccepted(await take('tok_2'))).toBe(60)
    const [rejected] = await take('tok_3')
    expect(rejected).toMatchObject({ is: 'rejected', standing: { policy: { name: 'read-merchant' } } })
  })

  test('a rate limit rejection returns the longer wait when both the limit of the token and the limit of the merchant are exceeded', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter(time)
    for (const token of ['tok_1', 'tok_2', 'tok_3', 'tok_4'])
      expect(limiter.take(refundUses(token))).toMatchObject({ is: 'accepted' })
    // The limit of the merchant would allow the next request after 15 s, earlier than the limit of the token.
    const rejected = { is: 'rejected', standing: { policy: { name: 'refund' } }, waitMs: 60_000 }
    expect(limiter.take(refundUses('tok_1'))).toMatchObject(rejected)
    expect(limiter.rejection(refundUses('tok_1'))).toMatchObject(rejected)
    expect(limiter.take(refundUses('tok_5'))).toMatchObject({
      standing: { policy: { name: 'refund-merchant' } },
      waitMs: 15_000,
    })
    await time.advance(rejected.waitMs)
    expect(limiter.take(refundUses('tok_1'))).toMatchObject({ is: 'accepted' })
  })

  test('the rate limiter keeps the state of a rate limit key while requests use thousands of other keys', async () => {
    const limiter = openRateLimiter(virtualTime())
    await flood(limiter, 60)
    for (let key = 0; key < 10_000; key++) void limiter.take(use(read, `read tok_other_${key}`))
    expect(countAccepted(await flood(limiter, 10))).toBe(0)
  })

  test('an exhausted rate limit still rejects requests after requests with 30,000 other keys', () => {
    const { nowMs } = virtualTime()
    const limiter = openRateLimiter({ nowMs })
    const use = { key: 'flooding', policy: read }
    for (let count = 0; count < read.quota; count++) void limiter.take([use])
    for (let count = 0; count < 30_000; count++)
      expect(limiter.rejection([{ key: `${count}`, policy: read }])).toBeUndefined()
    expect(limiter.rejection([use])).toMatchObject({ is: 'rejected' })
  })
})

describe('the rate limits of two processes', () => {
  const open = () => {
    const time = virtualTime()
    const report = sharedTable(time)
    const limiters = [openRateLimiter({ ...time, report }), openRateLimiter({ ...time, report })] as const
    return { time, limiters }
  }

  test('in a burst, two processes together exceed the quota of a rate limit by at most a tenth', async () => {
    const { time, limiters } = open()
    const all = Promise.all(limiters.map((limiter) => flood(limiter, 200)))
    await time.advance(1_000)
    const accepted = countAccepted((await all).flat())
    expect(accepted).toBeGreaterThanOrEqual(60)
    expect(accepted).toBeLessThanOrEqual(66)
  })

  test('two processes together accept requests at the sustained rate of a rate limit, with a deviation of at most a tenth', async () => {
    const { time, limiters } = open()
    const verdicts: Promise<Verdict>[] = []
    for (let tick = 0; tick < 1_000; tick++) {
      for (const limiter of limiters) verdicts.push(Promise.resolve(limiter.take(use(read))))
      await time.advance(10)
    }
    await time.advance(1_000)
    const accepted = countAccepted(await Promise.all(verdicts))
    const allowed = 60 + 200
    expect(accepted / allowed).toBeGreaterThan(0.9)
    expect(accepted / allowed).toBeLessThan(1.1)
  })

  test('if one process has used up the quota of a rate limit key, a second process that uses the key for the first time does not accept another burst of requests', async () => {
    const { time, limiters } = open()
    const [first, second] = limiters
    const before = flood(first, 60)
    await time.advance(200)
    expect(countAccepted(await before)).toBe(60)
    const after = flood(second, 60)
    await time.advance(200)
    // In 400 ms, the rate limit refills eight requests.
    expect(countAccepted(await after)).toBeLessThanOrEqual(8)
  })

  test('every request of a client that sends at exactly the sustained rate is accepted, even if the requests are reported to the database late', async () => {
    const time = virtualTime()
    const shared = sharedTable(time)
    const slow: ReportUses = (charges) => new Promise((resolve) => time.after(240, () => resolve(shared(charges))))
    const limiter = openRateLimiter({ ...time, report: slow })
    const verdicts: Promise<Verdict>[] = []
    for (let count = 0; count < 2_000; count++) {
      verdicts.push(Promise.resolve(limiter.take(use(read))))
      await time.advance(50)
    }
    await time.advance(1_000)
    expect(countAccepted(await Promise.all(verdicts))).toBe(2_000)
  })

  test('if a request exceeds two rate limits according to the shared database table, the rejection returns the longer wait', async () => {
    const { time, limiters } = open()
    const [first, second] = limiters
    const before = ['tok_1', 'tok_2', 'tok_3', 'tok_4'].map((token) => first.take(refundUses(token)))
    await time.advance(200)
    expect(countAccepted(await Promise.all(before))).toBe(4)
    // A process accepts the first request without a database query. The second request waits for the database.
    const verdicts = Promise.all(['tok_5', 'tok_1'].map((token) => second.take(refundUses(token))))
    await time.advance(200)
    expect((await verdicts)[1]).toMatchObject({ is: 'rejected', standing: { policy: { name: 'refund' } } })
  })

  test('a process reports all the rate limit keys of one reporting interval to the database in a single SQL statement', async () => {
    const time = virtualTime()
    const statements: number[] = []
    const report: ReportUses = (charges) => {
      statements.push(charges.length)
      return sharedTable(time)(charges)
    }
    const limiter = openRateLimiter({ ...time, report })
    for (let key = 0; key < 50; key++) void limiter.take(use(read, `read tok_${key}`))
    await time.advance(5_000)
    expect(statements).toEqual([50])
  })
})

/** Simulated duration of a round trip to the database within a data centre. */
const roundTripMs = 3

/**
 * Opens the rate limiters of several processes. Each process already knows the number of processes. Each report to the
 * database takes one simulated round trip.
 */
async function openProcesses(count: number) {
  const time = virtualTime()
  const shared = sharedTable(time)
  const report: ReportUses = (charges) =>
    new Promise((resolve) => time.after(roundTripMs, () => resolve(shared(charges))))
  const countProcesses = async () => count
  const limiters = Array.from({ length: count }, () => openRateLimiter({ ...time, report, countProcesses }))
  await time.advance(10_000)
  return { time, limiters }
}

describe.each([2, 4, 16])('the rate limits shared by %i processes', (count) => {
  test.each([
    { policy: read, name: 'reads' },
    { policy: { name: 'refund', quota: 10, seconds: 5 } as const, name: 'refunds' },
  ])('in a flood of requests, the number of $name that several processes accept together differs from the quota plus its refill by at most a tenth', async ({
    policy,
  }) => {
    const { time, limiters } = await openProcesses(count)
    const allowedAt = (ms: number) => policy.quota + (ms / (policy.seconds * 1000)) * policy.quota
    let accepted = 0
    let excess = 0
    for (let ms = 10; ms <= 6_000; ms += 10) {
      for (const limiter of limiters) {
        const decision = Promise.resolve(limiter.take(use(policy)))
        void decision.then(({ is }) => (accepted += is === 'accepted' ? 1 : 0))
      }
      await time.advance(10)
      excess = Math.max(excess, accepted - allowedAt(ms))
    }
    expect(excess).toBeLessThanOrEqual(policy.quota / 10)
    expect(accepted).toBeGreaterThan(0.9 * allowedAt(6_000))
  })
})

test('a process that has just started reports each request to the shared rate limits before accepting the request', async () => {
  const time = virtualTime()
  const shared = sharedTable(time)
  const reported: number[] = []
  const report: ReportUses = (charges) => {
    reported.push(charges.length)
    return shared(charges)
  }
  const limiter = openRateLimiter({ ...time, report, countProcesses: async () => 1 })
  const first = limiter.take(use(read))
  await time.advance(0)
  expect(await first).toMatchObject({ is: 'accepted' })
  expect(reported).toEqual([1])
  await time.advance(10_000)
  expect(limiter.take(use(read))).toMatchObject({ is: 'accepted' })
})

describe('a process whose database does not respond', () => {
  test('while its database does not respond, a process counts only its own requests towards each rate limit', async () => {
    const time = virtualTime()
    const limiter = openRateLimiter({ ...time, report: () => new Promise(() => undefined) })
    const first = flood(limiter, 100)
    await time.advance(500)
    expect(countAccepted(await first)).toBe(60)
    expect(countAccepted(await flood(limiter, 100))).toBe(10)
  })

  test('if the database does not respond to a process’s report of its requests, the process delays no request by more than 250 ms', async () => {
    const time = virtualTime()
    const report: ReportUses = () => new Promise((_, reject) => time.after(20_000, () => reject(new Error('Lost.'))))
    const limiter = openRateLimiter({ ...time, report })
    const decided: number[] = []
    for (let tick = 0; tick < 300; tick++) {
      const startMs = time.nowMs()
      // A process accepts a twentieth of the quota without a report to the database. Ten requests exceed this share.
      void flood(limiter, 10).then(() => decided.push(time.nowMs() - startMs))
      await time.advance(100)
    }
    await settled()
    expect(decided).toHaveLength(300)
    expect(Math.max(...decided)).toBeLessThanOrEqual(300)
  })

  test('after a database error, a process counts only its own requests towards each rate limit, and shares the limit with other processes again once the database responds', async () => {
    const time = virtualTime()
    const shared = sharedTable(time)
    let isDown = true
    const report: ReportUses = async (charges) => {
      if (isDown) throw new Error('The server is down.')
      return shared(charges)
    }
    const limiter = openRateLimiter({ ...time, report })
    const first = flood(limiter, 100)
    await time.advance(10)
    expect(countAccepted(await first)).toBe(60)
    isDown = false
    await time.advance(2_000)
    const second = flood(openRateLimiter({ ...time, report }), 100)
    await time.advance(100)
    // The first process reported its 60 requests late. In two seconds, the limit has refilled 40 requests. The limiter
    // accepts at most a tenth more than these 40 requests.
    expect(countAccepted(await second)).toBeLessThanOrEqual(44)
  })
})
