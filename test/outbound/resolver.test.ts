import type { LookupAddress } from 'node:dns'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openResolver } from '../../src/outbound/resolver.ts'
import { type FailureStreak, isResolverDown, noFailures, recordNoResponse } from '../../src/outbound/resolver-health.ts'

const found = [{ address: '192.0.2.1', family: 4 }]
const noAnswer = Object.assign(new Error('Try again.'), { code: 'EAI_AGAIN' })
const noName = Object.assign(new Error('No such name.'), { code: 'ENOTFOUND' })

/** A resolver whose look-ups are answered by hand. */
function openByHand(timeoutMs = 60_000) {
  let nowMs = Date.UTC(2026, 0, 1)
  const pending: { host: string; answer: (addresses: LookupAddress[]) => void; fail: (error: Error) => void }[] = []
  const lookup = (host: string) =>
    new Promise<LookupAddress[]>((answer, fail) => void pending.push({ host, answer, fail }))
  const resolver = openResolver({ lookup, nowMs: () => nowMs, timeoutMs })
  /** Asks, and answers in the same breath. */
  const settle = async (host: string, error?: Error) => {
    const asked = resolver.resolve(host)
    const last = pending.at(-1)
    if (error === undefined) last?.answer(found)
    else last?.fail(error)
    return asked.then(
      () => 'answered',
      (fault) => fault.errorCode,
    )
  }
  return { resolver, pending, settle, pass: (ms: number) => (nowMs += ms) }
}

describe('one host’s look-ups', () => {
  test('a hundred at once ask once', async () => {
    const { resolver, pending } = openByHand()
    const all = Array.from({ length: 100 }, () => resolver.resolve('shop.example'))
    expect(pending).toHaveLength(1)
    pending[0]?.answer(found)
    expect(await Promise.all(all)).toEqual(all.map(() => found))
  })

  test('an answer is kept for half a minute', async () => {
    const { resolver, pending, settle, pass } = openByHand()
    await settle('shop.example')
    pass(30_000)
    expect(await resolver.resolve('shop.example')).toEqual(found)
    expect(pending).toHaveLength(1)
    pass(1)
    await settle('shop.example')
    expect(pending).toHaveLength(2)
  })

  test('a failure is not kept', async () => {
    const { pending, settle } = openByHand()
    expect(await settle('shop.example', noName)).toBe('dns')
    expect(await settle('shop.example')).toBe('answered')
    expect(pending).toHaveLength(2)
  })

  test('one that is given up keeps its thread, so no second one is begun beside it', async () => {
    const { resolver, pending } = openByHand(5)
    await expect(resolver.resolve('slow.example')).rejects.toMatchObject({ errorCode: 'dns' })
    await expect(resolver.resolve('slow.example')).rejects.toMatchObject({ errorCode: 'dns' })
    expect(pending).toHaveLength(1)
    const late = resolver.resolve('slow.example')
    pending[0]?.answer(found)
    expect(await late).toEqual(found)
  })
})

describe('hosts that were silent before', () => {
  const tarpits = Array.from({ length: 6 }, (_, index) => `tarpit${index}.example`)

  /** They have kept silent once, each by a thread of its own. */
  async function doubting(timeoutMs?: number) {
    const opened = openByHand(timeoutMs)
    for (const host of tarpits) await opened.settle(host, noAnswer)
    const asked = opened.pending.length
    return { ...opened, begun: () => opened.pending.slice(asked).map(({ host }) => host) }
  }

  test('have one thread among them, and everybody else’s names are looked up beside it', async () => {
    const { resolver, pending, begun } = await doubting()
    const asking = tarpits.map((host) => resolver.resolve(host).catch(({ errorCode }) => errorCode))
    const good = resolver.resolve('shop.example')
    expect(begun()).toEqual(['tarpit0.example', 'shop.example'])
    pending.at(-1)?.answer(found)
    expect(await good).toEqual(found)
    for (const host of tarpits) {
      await expect
        .poll(() =>
          begun()
            .filter((each) => each !== 'shop.example')
            .at(-1),
        )
        .toBe(host)
      pending.findLast((each) => each.host === host)?.fail(noAnswer)
    }
    expect(await Promise.all(asking)).not.toContain(found)
  })

  test('are not blamed for what they waited behind', async () => {
    const { resolver, settle, begun } = await doubting(5)
    // The resolver is well, so blame would be theirs.
    await settle('shop.example')
    const codes = tarpits.slice(0, 2).map((host) => resolver.resolve(host).catch(({ errorCode }) => errorCode))
    expect(await Promise.all(codes)).toEqual(['dns', 'resolver_down'])
    expect(begun()).toEqual(['shop.example', 'tarpit0.example'])
  })

  test('are like everybody else once they have answered, or after an hour', async () => {
    const { resolver, settle, begun, pass } = await doubting()
    expect(await settle('tarpit0.example')).toBe('answered')
    pass(30_001)
    // Given up when their minute is over, long after this test; nobody is left to be told.
    const ask = (host: string) => resolver.resolve(host).catch(({ errorCode }) => errorCode)
    for (const host of ['tarpit1.example', 'tarpit0.example', 'tarpit2.example']) void ask(host)
    expect(begun()).toEqual(['tarpit0.example', 'tarpit1.example', 'tarpit0.example'])
    pass(60 * 60_000)
    void ask('tarpit3.example')
    expect(begun().at(-1)).toBe('tarpit3.example')
  })
})

describe('whose fault a missing answer is', () => {
  test('a lone host that never gets one is at fault itself', async () => {
    const { settle } = openByHand()
    for (let tries = 0; tries < 10; tries++) expect(await settle('dead.example', noAnswer)).toBe('dns')
  })

  test('from the third host in a row it is ours, for all of them', async () => {
    const { settle } = openByHand()
    expect(await settle('a.example', noAnswer)).toBe('dns')
    expect(await settle('b.example', noAnswer)).toBe('dns')
    expect(await settle('c.example', noAnswer)).toBe('resolver_down')
    expect(await settle('a.example', noAnswer)).toBe('resolver_down')
  })

  test.each([
    ['an address', undefined, 'answered'],
    ['that there is no such name', noName, 'dns'],
  ])('%s is an answer and begins the row again', async (_, error, code) => {
    const { settle } = openByHand()
    for (const host of ['a.example', 'b.example', 'c.example']) await settle(host, noAnswer)
    expect(await settle('alive.example', error)).toBe(code)
    expect(await settle('a.example', noAnswer)).toBe('dns')
  })

  test('silence is no answer', async () => {
    const { resolver } = openByHand(5)
    const faults = ['a.example', 'b.example', 'c.example'].map((host) => resolver.resolve(host))
    const codes = (await Promise.allSettled(faults)).map((one) => one.status === 'rejected' && one.reason.errorCode)
    expect(codes).toEqual(['dns', 'dns', 'resolver_down'])
  })

  test('failures more than a minute apart are no row', async () => {
    const { settle, pass } = openByHand()
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) {
      expect(await settle(host, noAnswer)).toBe('dns')
      pass(30_000)
    }
  })

  test('the resolver is down exactly when three hosts were silent within the last minute', () => {
    const heard = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 40_000 })))
    fc.assert(
      fc.property(heard, (steps) => {
        let silence: FailureStreak = noFailures
        let nowMs = 0
        const last = new Map<string, number>()
        for (const [host, passedMs] of steps) {
          nowMs += passedMs
          last.set(host, nowMs)
          silence = recordNoResponse(silence, host, nowMs)
          const hosts = [...last.values()].filter((atMs) => nowMs - atMs < 60_000).length
          expect(isResolverDown(silence)).toBe(hosts >= 3)
        }
      }),
    )
  })
})
