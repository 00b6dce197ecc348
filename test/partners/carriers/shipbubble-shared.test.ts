import { describe, expect, test } from 'vitest'
import { shareCarrierState } from '../../../src/app/share-carrier-state.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import type { CallPriority } from '../../../src/partners/carriers/shared.ts'
import { openShipbubble } from '../../../src/partners/carriers/shipbubble.ts'
import { admitCarrierCall } from '../../../src/store/logistics/carriers/carrier-pace.ts'
import { useApi } from '../../support/api.ts'
import { openShop } from '../../support/shop.ts'
import { okay, openSend, openShipbubbleBench, quoteRequest } from './benches.ts'

/** State that the Shipbubble adapters of several processes share: address codes, and the rate limits of an API key. */

const started = useApi()

async function open(limits?: { perMinute: number; perSecond: number }) {
  const { context, database } = started()
  const { merchantId } = await openShop(context)
  const bench = await openShipbubbleBench()
  const account = { ...bench.account, merchantId }
  /** Opens the Shipbubble adapter as another process does, with empty caches. */
  const process = () =>
    openShipbubble(openSend(), bench.server.url, {
      shared: shareCarrierState({ database, clock: systemClock, log: silentLog }, limits),
    })
  const quote = (request = quoteRequest()) => process().quote(account, request, bench.patience())
  return { bench, account, quote, merchantId, database, process }
}

test('the Shipbubble adapter validates an address only once per account, even if the spelling differs or another process requests the quote', async () => {
  const { bench, quote, database, merchantId } = await open()
  expect(okay(await quote()).length).toBeGreaterThan(0)
  const { dropoff } = quoteRequest()
  const line1 = ` ${dropoff.line1?.toUpperCase()},  `
  expect(okay(await quote(quoteRequest({ dropoff: { ...dropoff, line1 } }))).length).toBeGreaterThan(0)
  expect(bench.server.asked('validate')).toBe(2)
  const { rows } = await database.pool.query('select * from carrier_address_codes where merchant_id = $1', [merchantId])
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toMatch(/Admiralty|Adaeze|sb_prod/i)
  await quote(quoteRequest({ dropoff: { ...dropoff, line2: 'Flat 5' } }))
  expect(bench.server.asked('validate')).toBe(3)
})

test('when Shipbubble no longer accepts its address codes, the Shipbubble adapter validates each address exactly once more', async () => {
  const { bench, quote } = await open()
  await quote()
  bench.server.invalidateAddresses()
  expect(okay(await quote()).length).toBeGreaterThan(0)
  expect(okay(await quote()).length).toBeGreaterThan(0)
  expect(bench.server.asked('validate')).toBe(4)
})

test('the Shipbubble adapter does not validate an address again if another process has already stored a new code for the address', async () => {
  const { bench, account, process } = await open()
  const processes = [process(), process()]
  const quotes = async () => {
    for (const each of processes) okay(await each.quote(account, quoteRequest(), bench.patience()))
  }
  await quotes()
  bench.server.invalidateAddresses()
  await quotes()
  await quotes()
  expect(bench.server.asked('validate')).toBe(4)
})

test('the Shipbubble adapter validates an address separately for each account of a merchant', async () => {
  const { bench, account, quote, process } = await open()
  await quote()
  const other = { ...account, credentials: { ...account.credentials, apiKey: 'sb_prod_another' } }
  expect(await process().quote(other, quoteRequest(), bench.patience())).toMatchObject({ code: 'account_blocked' })
  expect(bench.server.asked('validate')).toBe(4)
})

test('the Shipbubble adapter does not repeat an address validation whose response was lost, even on a reused connection', async () => {
  const { bench, account, process } = await open()
  const carrier = process()
  const { dropoff } = quoteRequest()
  const quoteTo = (line2: string) =>
    carrier.quote(account, quoteRequest({ dropoff: { ...dropoff, line2 } }), bench.patience())
  await quoteTo('Flat 1')
  const breaks = { isAccepted: true, answer: 'breaks_off' } as const
  bench.server.fail('validate', breaks, breaks)
  expect(await quoteTo('Flat 2')).toMatchObject({ is: 'unknown' })
  expect(bench.server.asked('validate')).toBe(3)
})

test('the Shipbubble adapter finds an order even in another process, which knows only the stored address code of the order', async () => {
  const { bench, account, quote, process } = await open()
  const request = quoteRequest()
  const [offer] = okay(await quote(request))
  if (offer === undefined) throw new Error('No offer.')
  const create = { ...request, offer, reference: 'shp_1-1', undeliverable: 'return', pin: undefined } as const
  const order = okay(await process().create(account, create, bench.patience()))
  const found = await process().find?.(account, { request: create, requestedAt: request.pickupAt }, bench.patience())
  expect(found).toMatchObject({ is: 'ok', value: { is: 'found', order: { carrierReference: order.carrierReference } } })
})

test('the Shipbubble adapter sends no requests beyond the limit per minute, and the unsent requests are not counted as failures of Shipbubble', async () => {
  const { bench, quote } = await open({ perMinute: 1, perSecond: 100 })
  const outcome = await quote()
  expect(outcome).toMatchObject({ is: 'unavailable', isNeutral: true })
  if (outcome.is === 'unavailable') expect(outcome.retryAfterSeconds).toBeGreaterThanOrEqual(1)
  // During the test, the carrier gets at most one request, or two if a new minute starts in between.
  expect(bench.server.requests.length).toBeLessThanOrEqual(2)
})

test('the Shipbubble adapter counts the requests of all processes together towards the request limit, in periods of the database’s clock', async () => {
  const { merchantId, database } = await open()
  const limits = { perMinute: 3, perSecond: 100 }
  for (let round = 0; ; round++) {
    const call = { merchantId, carrier: 'shipbubble', accountDigest: String(round), ...limits }
    const admissions = await Promise.all([1, 2, 3, 4, 5].map(() => admitCarrierCall(database, call)))
    const seconds = admissions.map(({ secondsLeft }) => secondsLeft)
    // If a new minute has started during the test, the count of requests has started again, so the test is repeated.
    if (Math.max(...seconds) - Math.min(...seconds) > 30) continue
    expect(admissions.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(3)
    return
  }
})

describe('the documented request limits of a Shipbubble key', () => {
  /**
   * Sets the numbers of requests in the current minute and in the current second, then requests admission for two more
   * requests. Returns undefined if the clock reached the next second in the meantime.
   */
  async function admitTwice(priority: CallPriority, sent: { readonly minute: number; readonly second: number }) {
    const { database, account, merchantId } = await open()
    const { pace } = shareCarrierState({ database, clock: systemClock, log: silentLog })
    // With an aborted signal, the caller does not wait for the next second but gets the result of its admission at
    // once.
    const admit = () => pace.admit(account, priority, AbortSignal.abort())
    await admit()
    const { rows } = await database.pool.query(
      `update carrier_call_windows
       set minute_calls = $2, second_calls = $3, minute_at = date_trunc('minute', now()), second_at = date_trunc('second', now())
       where merchant_id = $1
       returning second_at::text as second`,
      [merchantId, sent.minute, sent.second],
    )
    const admissions = [await admit(), await admit()]
    const ended = await database.pool.query("select date_trunc('second', now())::text as second")
    return ended.rows[0].second === rows[0].second ? admissions : undefined
  }

  test.for([
    ['60 interactive calls a minute', 'interactive', { minute: 59, second: 0 }],
    ['10 interactive calls a second', 'interactive', { minute: 9, second: 9 }],
    ['30 background calls a minute', 'background', { minute: 29, second: 0 }],
    ['5 background calls a second', 'background', { minute: 4, second: 4 }],
  ] as const)('the service sends at most %s with one Shipbubble key', async ([, priority, sent]) => {
    let admissions: Awaited<ReturnType<typeof admitTwice>>
    while (admissions === undefined) admissions = await admitTwice(priority, sent)
    const admitted = { is: 'admitted', hasWaited: false }
    expect(admissions).toEqual([admitted, { is: 'limited', retryAfterSeconds: expect.any(Number) }])
  })

  test('polls use at most half of the request limit of a Shipbubble key, so that the other half is available for quotes and cancellations', async () => {
    const { bench, account, process, quote, merchantId, database } = await open()
    const order = { carrierReference: 'SB-1000', reference: 'shp_1-1' }
    const setMinute = () =>
      database.pool.query(
        `update carrier_call_windows set minute_calls = 30, minute_at = date_trunc('minute', now()) where merchant_id = $1`,
        [merchantId],
      )
    await quote()
    const poll = async () => {
      await setMinute()
      return process().get(account, order, bench.patience())
    }
    // Polls repeatedly: a new minute resets the number of counted requests, so a single poll could be admitted.
    await expect.poll(poll, { interval: 0 }).toMatchObject({ is: 'unavailable', isNeutral: true })
    expect(okay(await quote()).length).toBeGreaterThan(0)
    const cancelled = await process().cancel(account, order, 'other', bench.patience())
    expect(cancelled).toMatchObject({ is: 'refused', code: 'not_found' })
  })

  test('after the request limit per second of a Shipbubble key is used up, a request is admitted in the next second', async () => {
    const { merchantId, database } = await open()
    const call = { merchantId, carrier: 'shipbubble', accountDigest: 'a', perMinute: 60, perSecond: 1 }
    const admitted = async () => (await admitCarrierCall(database, call)).isAdmitted
    expect(await admitted()).toBe(true)
    await expect.poll(admitted, { interval: 100 }).toBe(true)
  })
})
