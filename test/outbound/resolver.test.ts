import type { LookupAddress } from 'node:dns'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openResolver } from '../../src/outbound/resolver.ts'
import { type FailureStreak, isResolverDown, noFailures, recordNoResponse } from '../../src/outbound/resolver-health.ts'

const found = [{ address: '192.0.2.1', family: 4 }]
const noResponse = Object.assign(new Error('Try again.'), { code: 'EAI_AGAIN' })
const noSuchName = Object.assign(new Error('No such name.'), { code: 'ENOTFOUND' })

/** Returns a resolver whose DNS lookups stay pending until the test answers or fails them. */
function openManualResolver(timeoutMs = 60_000) {
  let nowMs = Date.UTC(2026, 0, 1)
  const pending: { host: string; answer: (addresses: LookupAddress[]) => void; fail: (error: Error) => void }[] = []
  const lookup = (host: string) =>
    new Promise<LookupAddress[]>((answer, fail) => void pending.push({ host, answer, fail }))
  const resolver = openResolver({ lookup, nowMs: () => nowMs, timeoutMs })
  /** Resolves a host name, and answers its DNS lookup or lets it fail at once. */
  const settle = async (host: string, error?: Error) => {
    const resolving = resolver.resolve(host)
    const last = pending.at(-1)
    if (error === undefined) last?.answer(found)
    else last?.fail(error)
    return resolving.then(
      () => 'answered',
      (fault) => fault.errorCode,
    )
  }
  return { resolver, pending, settle, pass: (ms: number) => (nowMs += ms) }
}

describe('the DNS lookups of one host', () => {
  test('a hundred concurrent requests for one host share one DNS lookup', async () => {
    const { resolver, pending } = openManualResolver()
    const all = Array.from({ length: 100 }, () => resolver.resolve('shop.example'))
    expect(pending).toHaveLength(1)
    pending[0]?.answer(found)
    expect(await Promise.all(all)).toEqual(all.map(() => found))
  })

  test('an answer of a DNS lookup is cached for 30 seconds', async () => {
    const { resolver, pending, settle, pass } = openManualResolver()
    await settle('shop.example')
    pass(30_000)
    expect(await resolver.resolve('shop.example')).toEqual(found)
    expect(pending).toHaveLength(1)
    pass(1)
    await settle('shop.example')
    expect(pending).toHaveLength(2)
  })

  test('a failed DNS lookup is not cached', async () => {
    const { pending, settle } = openManualResolver()
    expect(await settle('shop.example', noSuchName)).toBe('dns')
    expect(await settle('shop.example')).toBe('answered')
    expect(pending).toHaveLength(2)
  })

  test('while a DNS lookup that has timed out still occupies its thread, later requests for the host wait for that lookup instead of starting another', async () => {
    const { resolver, pending } = openManualResolver(5)
    await expect(resolver.resolve('slow.example')).rejects.toMatchObject({ errorCode: 'dns' })
    await expect(resolver.resolve('slow.example')).rejects.toMatchObject({ errorCode: 'dns' })
    expect(pending).toHaveLength(1)
    const late = resolver.resolve('slow.example')
    pending[0]?.answer(found)
    expect(await late).toEqual(found)
  })
})

describe('hosts whose last lookup got no response', () => {
  const tarpits = Array.from({ length: 6 }, (_, index) => `tarpit${index}.example`)

  /**
   * Returns a resolver for several hosts whose name servers never respond. It has already started one DNS lookup for
   * each of these hosts.
   */
  async function openWithSilentHosts(timeoutMs?: number) {
    const opened = openManualResolver(timeoutMs)
    for (const host of tarpits) await opened.settle(host, noResponse)
    const earlier = opened.pending.length
    return { ...opened, started: () => opened.pending.slice(earlier).map(({ host }) => host) }
  }

  test('hosts whose last DNS lookup got no response share one thread, and other hosts are looked up in parallel', async () => {
    const { resolver, pending, started } = await openWithSilentHosts()
    const resolving = tarpits.map((host) => resolver.resolve(host).catch(({ errorCode }) => errorCode))
    const healthy = resolver.resolve('shop.example')
    expect(started()).toEqual(['tarpit0.example', 'shop.example'])
    pending.at(-1)?.answer(found)
    expect(await healthy).toEqual(found)
    for (const host of tarpits) {
      await expect
        .poll(() =>
          started()
            .filter((each) => each !== 'shop.example')
            .at(-1),
        )
        .toBe(host)
      pending.findLast((each) => each.host === host)?.fail(noResponse)
    }
    expect(await Promise.all(resolving)).not.toContain(found)
  })

  test('a request fails with resolver_down if the DNS lookup of its host could not start before the timeout', async () => {
    const { resolver, settle, started } = await openWithSilentHosts(5)
    // One DNS lookup of the host succeeds, so that from now on a missing response counts as a failure of the host.
    await settle('shop.example')
    const codes = tarpits.slice(0, 2).map((host) => resolver.resolve(host).catch(({ errorCode }) => errorCode))
    expect(await Promise.all(codes)).toEqual(['dns', 'resolver_down'])
    expect(started()).toEqual(['shop.example', 'tarpit0.example'])
  })

  test('all hosts without a DNS response share one lookup thread; a host gets its own thread again after a response or after an hour', async () => {
    const { resolver, settle, started, pass } = await openWithSilentHosts()
    expect(await settle('tarpit0.example')).toBe('answered')
    pass(30_001)
    // The test does not await the DNS lookups of these hosts, because they time out only after a minute.
    const resolve = (host: string) => resolver.resolve(host).catch(({ errorCode }) => errorCode)
    for (const host of ['tarpit1.example', 'tarpit0.example', 'tarpit2.example']) void resolve(host)
    expect(started()).toEqual(['tarpit0.example', 'tarpit1.example', 'tarpit0.example'])
    pass(60 * 60_000)
    void resolve('tarpit3.example')
    expect(started().at(-1)).toBe('tarpit3.example')
  })
})

describe('a lookup without a response', () => {
  test('if the DNS lookups of only one host get no response, every lookup of this host fails with the error dns', async () => {
    const { settle } = openManualResolver()
    for (let attempts = 0; attempts < 10; attempts++) expect(await settle('dead.example', noResponse)).toBe('dns')
  })

  test('after the DNS lookups of three hosts in a row got no response, every further lookup that gets no response fails with the error resolver_down', async () => {
    const { settle } = openManualResolver()
    expect(await settle('a.example', noResponse)).toBe('dns')
    expect(await settle('b.example', noResponse)).toBe('dns')
    expect(await settle('c.example', noResponse)).toBe('resolver_down')
    expect(await settle('a.example', noResponse)).toBe('resolver_down')
  })

  test.each([
    ['an address', undefined, 'answered'],
    ['a nonexistent name', noSuchName, 'dns'],
  ])('the DNS lookup result %s is a response, so the count of consecutive hosts without a response starts again', async (_, error, code) => {
    const { settle } = openManualResolver()
    for (const host of ['a.example', 'b.example', 'c.example']) await settle(host, noResponse)
    expect(await settle('alive.example', error)).toBe(code)
    expect(await settle('a.example', noResponse)).toBe('dns')
  })

  test('a timeout of a DNS lookup is treated as a lookup without a response', async () => {
    const { resolver } = openManualResolver(5)
    const faults = ['a.example', 'b.example', 'c.example'].map((host) => resolver.resolve(host))
    const codes = (await Promise.allSettled(faults)).map((one) => one.status === 'rejected' && one.reason.errorCode)
    expect(codes).toEqual(['dns', 'dns', 'resolver_down'])
  })

  test('failed DNS lookups that are more than a minute apart are not counted together towards resolver_down', async () => {
    const { settle, pass } = openManualResolver()
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) {
      expect(await settle(host, noResponse)).toBe('dns')
      pass(30_000)
    }
  })

  test('the DNS resolver counts as down if and only if the lookups of three hosts got no response within the last minute', () => {
    const failures = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 40_000 })))
    fc.assert(
      fc.property(failures, (steps) => {
        let streak: FailureStreak = noFailures
        let nowMs = 0
        const last = new Map<string, number>()
        for (const [host, passedMs] of steps) {
          nowMs += passedMs
          last.set(host, nowMs)
          streak = recordNoResponse(streak, host, nowMs)
          const hosts = [...last.values()].filter((atMs) => nowMs - atMs < 60_000).length
          expect(isResolverDown(streak)).toBe(hosts >= 3)
        }
      }),
    )
  })
})
