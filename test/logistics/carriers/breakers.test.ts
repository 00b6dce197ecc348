import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { stoppedClock } from '../../../src/base/clock.ts'
import type { CarrierOperation } from '../../../src/logistics/carriers/account-pauses.ts'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { breakMs } from '../../../src/logistics/carriers/circuit-breaker.ts'
import type { CarrierAccount, Outcome, RefusalCode } from '../../../src/partners/carriers/carrier.ts'

/** Tests whether a failed request counts against the carrier or only against one account at the carrier. */

function open() {
  const clock = stoppedClock(Date.parse('2026-11-21T09:00:00Z'))
  const breakers = openBreakers(clock)
  const asked = (key: string) => {
    const account: CarrierAccount = { credentials: { key } }
    return { carrier: { code: 'fez' as const }, account }
  }
  const run = (key: string, outcome: Outcome<string>, operation: CarrierOperation = 'quote') =>
    breakers.run(asked(key), { operation, timeoutMs: 1_000 }, async () => outcome)
  const runs = async (count: number, key: string, outcome: Outcome<string>, operation?: 'create') => {
    for (let index = 0; index < count; index++) await run(key, outcome, operation)
  }
  return { clock, breakers, asked, run, runs }
}

const ok: Outcome<string> = { is: 'ok', value: 'yes' }
const refused = (code: RefusalCode): Outcome<string> => ({ is: 'refused', code, message: `It says ${code}.` })
const tooMany = (retryAfterSeconds?: number): Outcome<string> => ({
  is: 'unavailable',
  message: 'Too many.',
  retryAfterSeconds,
  isOfAccount: true,
})
const outages: readonly Outcome<string>[] = [
  { is: 'unavailable', message: 'Not reached.', retryAfterSeconds: undefined },
  { is: 'unknown', cause: 'timeout', message: 'Too late.' },
  { is: 'unknown', cause: 'reset', message: 'It broke.' },
  { is: 'unknown', cause: 'server_error', message: '500' },
]

describe('a failure of the carrier', () => {
  test.for(
    outages,
  )('repeated calls of one carrier account with the outcome %o open the carrier’s circuit breaker for all accounts', async (outage) => {
    const { breakers, asked, run, runs } = open()
    await runs(30, 'ada', outage)
    expect(await run('bisi', ok)).toEqual({ is: 'circuit_open', message: expect.stringMatching(/not responded/) })
    expect(breakers.openFor(asked('bisi'), 'quote')).toBeDefined()
    expect(breakers.openFor(asked('bisi'), 'create')).toBeUndefined()
  })

  test.for<RefusalCode>([
    'couriers_busy',
    'out_of_area',
    'refused',
    'not_found',
  ])('a carrier’s rejection with the code %s is not counted as a failure of the carrier', async (code) => {
    const { run, runs } = open()
    await runs(30, 'ada', refused(code))
    expect(await run('ada', ok)).toEqual(ok)
  })
})

describe('the circuit breaker', () => {
  const outage = outages[0] ?? ok
  const down = { is: 'circuit_open', message: expect.stringMatching(/not responded/) }

  /** Starts a request to a carrier. The test determines the outcome of the request later. */
  const pending = ({ breakers, asked }: ReturnType<typeof open>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<string>>()
    const request = { operation: 'quote', timeoutMs: 1_000 } as const
    return { answer: breakers.run(asked('ada'), request, () => promise), resolve, reject }
  }

  test('the circuit breaker opens only when there were at least eight calls within a minute and at least half of them failed', async () => {
    const { clock, run, runs, breakers, asked } = open()
    await runs(4, 'ada', ok)
    await runs(3, 'ada', outage)
    expect(breakers.openFor(asked('ada'), 'quote')).toBeUndefined()
    clock.advance(59_000)
    await run('ada', outage)
    expect(await run('ada', ok)).toEqual(down)
  })

  test('the circuit breaker ignores failed calls that are older than a minute', async () => {
    const { clock, run, runs } = open()
    await runs(7, 'ada', outage)
    clock.advance(60_000)
    await runs(7, 'ada', outage)
    expect(await run('ada', ok)).toEqual(ok)
  })

  test('the circuit breaker lets the next call through after its open time, and closes when the call succeeds', async () => {
    const { clock, run, runs, breakers, asked } = open()
    await runs(8, 'ada', outage)
    clock.advance(breakMs - 1)
    expect(breakers.openFor(asked('ada'), 'quote')).toEqual(down)
    clock.advance(1)
    expect(breakers.openFor(asked('ada'), 'quote')).toBeUndefined()
    expect(await run('ada', ok)).toEqual(ok)
    await runs(7, 'ada', outage)
    expect(breakers.openFor(asked('ada'), 'quote')).toBeUndefined()
  })

  test('the circuit breaker stays open for another period when the probe fails, and closes after the next successful probe', async () => {
    const { clock, run, runs, breakers, asked } = open()
    await runs(8, 'ada', outage)
    clock.advance(breakMs)
    expect(await run('ada', outage)).toEqual(outage)
    clock.advance(breakMs - 1)
    expect(breakers.openFor(asked('ada'), 'quote')).toEqual(down)
    clock.advance(1)
    expect(await run('ada', ok)).toEqual(ok)
  })

  test('while the probe is in flight, the circuit breaker rejects all other calls immediately', async () => {
    const opened = open()
    await opened.runs(8, 'ada', outage)
    opened.clock.advance(breakMs)
    const probe = pending(opened)
    expect(await opened.run('bisi', ok)).toEqual(down)
    expect(opened.breakers.openFor(opened.asked('bisi'), 'quote')).toEqual(down)
    probe.resolve(ok)
    expect(await probe.answer).toEqual(ok)
    expect(await opened.run('bisi', ok)).toEqual(ok)
  })

  test('the circuit breaker lets another call through as a probe when the previous probe does not end or throws an error', async () => {
    const opened = open()
    await opened.runs(8, 'ada', outage)
    opened.clock.advance(breakMs)
    const hanging = pending(opened)
    opened.clock.advance(30_000)
    const throwing = pending(opened)
    throwing.reject(new Error('A fault of this service.'))
    await expect(throwing.answer).rejects.toThrow('A fault of this service.')
    expect(await opened.run('ada', outage)).toEqual(outage)
    // A carrier request that started before the circuit breaker opened must not close the breaker when it succeeds.
    hanging.resolve(ok)
    await hanging.answer
    expect(await opened.run('ada', ok)).toEqual(down)
  })

  test('a successful call does not close the circuit breaker if the call began before the breaker opened', async () => {
    const opened = open()
    const early = pending(opened)
    await opened.runs(8, 'ada', outage)
    early.resolve(ok)
    expect(await early.answer).toEqual(ok)
    expect(await opened.run('ada', ok)).toEqual(down)
  })

  test('the circuit breaker measures the deadline of a probe from the start of the probe', async () => {
    const { clock, breakers, asked, runs } = open()
    await breakers.run(asked('ada'), { operation: 'quote', timeoutMs: 1 }, async (signal) => {
      if (!signal.aborted) await once(signal, 'abort')
      return outage
    })
    await runs(7, 'ada', outage)
    clock.advance(breakMs)
    const request = { operation: 'quote', timeoutMs: 1_000 } as const
    const probed = await breakers.run<boolean>(asked('ada'), request, async ({ aborted }) => ({
      is: 'ok',
      value: aborted,
    }))
    expect(probed).toEqual({ is: 'ok', value: false })
  })

  test('the circuit breaker sends no probe with an account that is paused', async () => {
    const { clock, run, runs } = open()
    await run('bisi', tooMany(3600))
    await runs(8, 'ada', outage)
    clock.advance(breakMs)
    expect(await run('bisi', ok)).toMatchObject({ message: expect.stringMatching(/this account/) })
    expect(await run('ada', ok)).toEqual(ok)
  })
})

describe('outcomes that do not show whether the carrier’s servers work', () => {
  const own = { retryAfterSeconds: 20, isNeutral: true } as const
  const neutral: readonly Outcome<string>[] = [
    { is: 'unavailable', message: 'This service’s own limit of calls is reached.', ...own },
    { is: 'unknown', cause: 'bad_response', message: 'A 409.', isNeutral: true },
    { is: 'invalid', message: 'Chowdeck needs a name.' },
    refused('account_blocked'),
    tooMany(),
  ]
  const fault = { is: 'unknown', cause: 'timeout', message: 'Too late.' } as const

  test.for(
    neutral,
  )('a response that proves nothing about the carrier’s servers does not open the circuit breaker: %o', async (outcome) => {
    const { breakers, asked, run } = open()
    for (let index = 0; index < 30; index++) await run(`account ${index}`, outcome)
    expect(breakers.openFor(asked('bisi'), 'quote')).toBeUndefined()
  })

  test.for(
    neutral,
  )('a response that proves nothing about the carrier’s servers is not counted as a success in the circuit breaker: %o', async (outcome) => {
    const { breakers, asked, run, runs } = open()
    await runs(7, 'bisi', fault)
    for (let index = 0; index < 30; index++) await run(`account ${index}`, outcome)
    await run('bisi', fault)
    expect(breakers.openFor(asked('bisi'), 'quote')).toBeDefined()
  })

  test.for(
    neutral,
  )('a response that proves nothing about the carrier’s servers does not close the breaker, and the next call is the probe: %o', async (outcome) => {
    const { clock, run, runs, breakers, asked } = open()
    await runs(8, 'bisi', fault)
    clock.advance(breakMs)
    await run('ada', outcome)
    expect(await run('bisi', fault)).toEqual(fault)
    expect(breakers.openFor(asked('bisi'), 'quote')).toBeDefined()
  })

  test('a response that proves nothing about the carrier’s servers does not pause the carrier account', async () => {
    const { run } = open()
    await run('ada', neutral[0] ?? ok, 'read')
    expect(await run('ada', ok, 'quote')).toEqual(ok)
  })
})

test('the circuit breaker of a carrier broker stays closed when only the broker’s sub-carriers do not respond', async () => {
  const { run, runs } = open()
  const message = 'Kwik is not available.'
  await runs(30, 'ada', { is: 'unavailable', message, retryAfterSeconds: undefined, isOfSubCarrier: true })
  expect(await run('ada', ok)).toEqual(ok)
})

describe('failures of a single carrier account', () => {
  test.for<[string, Outcome<string>]>([
    ['credentials it declines', refused('account_blocked')],
    ['an empty wallet', refused('wallet_insufficient')],
    ['429', tooMany()],
  ])('the failure “%s” of a carrier account pauses requests with that account and with no other account', async ([
    ,
    outcome,
  ]) => {
    const { breakers, asked, run, runs } = open()
    // Many accounts are paused at once, so that the test would notice if their failures opened the circuit breaker of
    // the whole carrier.
    const accounts = Array.from({ length: 30 }, (_, index) => `ada ${index}`)
    for (const account of accounts) await runs(5, account, outcome)
    expect(breakers.openFor(asked('bisi'), 'quote')).toBeUndefined()
    expect(await run('bisi', ok)).toEqual(ok)
    for (const account of accounts) {
      const held = { is: 'circuit_open', message: expect.stringMatching(/this account/) }
      expect(await run(account, ok)).toMatchObject(held)
      expect(breakers.openFor(asked(account), 'quote')).toMatchObject(held)
    }
  })

  test('a request with a paused carrier account is rejected with a message that names the number and the code of the failures', async () => {
    const { run, runs } = open()
    await runs(5, 'ada', refused('wallet_insufficient'))
    expect(await run('ada', ok)).toMatchObject({ message: expect.stringMatching(/5 times.*wallet_insufficient/) })
  })

  test('four requests declined for lack of funds do not pause a carrier account, and one success resets their count', async () => {
    const { run, runs } = open()
    await runs(4, 'ada', refused('wallet_insufficient'))
    expect(await run('ada', ok)).toEqual(ok)
    await runs(4, 'ada', refused('wallet_insufficient'))
    expect(await run('ada', ok)).toEqual(ok)
  })

  test('an empty carrier wallet pauses only the account’s requests that cost money, for half a minute', async () => {
    const { clock, run, runs } = open()
    await runs(5, 'ada', refused('wallet_insufficient'), 'create')
    expect(await run('ada', ok, 'quote')).toEqual(ok)
    clock.advance(29_999)
    expect(await run('ada', ok, 'create')).toMatchObject({ is: 'circuit_open' })
    clock.advance(1)
    expect(await run('ada', refused('wallet_insufficient'), 'create')).toMatchObject({ is: 'refused' })
    expect(await run('ada', ok, 'create')).toMatchObject({ is: 'circuit_open' })
  })

  test('new credentials of a paused carrier account are used at once', async () => {
    const { run, runs } = open()
    await runs(30, 'old key', refused('account_blocked'))
    expect(await run('new key', ok)).toEqual(ok)
  })
})

describe('429 from a carrier', () => {
  test('a 429 response of a carrier pauses every request of the account for exactly Retry-After', async () => {
    const { clock, run } = open()
    await run('ada', tooMany(90))
    clock.advance(89_999)
    expect(await run('ada', ok, 'quote')).toMatchObject({ is: 'circuit_open' })
    expect(await run('ada', ok, 'create')).toMatchObject({ is: 'circuit_open' })
    clock.advance(1)
    expect(await run('ada', ok, 'create')).toEqual(ok)
  })

  test('a 429 response of a carrier does not pause cancellations, and pauses polls for at most a minute', async () => {
    const { clock, run } = open()
    await run('ada', tooMany(3600))
    expect(await run('ada', ok, 'cancel')).toEqual(ok)
    clock.advance(59_999)
    expect(await run('ada', ok, 'read')).toMatchObject({ is: 'circuit_open' })
    clock.advance(1)
    expect(await run('ada', ok, 'read')).toEqual(ok)
    expect(await run('ada', ok, 'quote')).toMatchObject({ is: 'circuit_open' })
  })

  test('each 429 response without Retry-After doubles the pause of the carrier account, up to five minutes, until a request succeeds', async () => {
    const { clock, breakers, asked, run } = open()
    for (const seconds of [30, 60, 120, 240, 300, 300]) {
      await run('ada', tooMany())
      clock.advance(seconds * 1000 - 1)
      expect(breakers.openFor(asked('ada'), 'quote')).toBeDefined()
      clock.advance(1)
      expect(breakers.openFor(asked('ada'), 'quote')).toBeUndefined()
    }
    await run('ada', ok)
    await run('ada', tooMany())
    clock.advance(30_000)
    expect(await run('ada', ok)).toEqual(ok)
  })

  test('a 429 response of a carrier with a Retry-After above an hour pauses the merchant’s account at the carrier for one hour', async () => {
    const { clock, run } = open()
    await run('ada', tooMany(9_999_999_999))
    clock.advance(3_600_000)
    expect(await run('ada', ok)).toEqual(ok)
  })

  test('a pause after a 429 response is not reset by a response to an earlier request', async () => {
    const { breakers, asked, run } = open()
    const { promise, resolve } = Promise.withResolvers<Outcome<string>>()
    const earlier = breakers.run(asked('ada'), { operation: 'create', timeoutMs: 1_000 }, () => promise)
    await run('ada', tooMany(60))
    resolve(ok)
    expect(await earlier).toEqual(ok)
    expect(await run('ada', ok)).toMatchObject({ is: 'circuit_open' })
  })
})

test('a paused carrier account can send requests again once ten thousand other accounts have been paused after it', async () => {
  const { run } = open()
  await run('first', tooMany(3600))
  expect(await run('first', ok)).toMatchObject({ is: 'circuit_open' })
  for (let index = 0; index < 10_000; index++) await run(`account ${index}`, tooMany(3600))
  expect(await run('first', ok)).toEqual(ok)
})
