import { expect, test } from 'vitest'
import { stoppedClock, systemClock } from '../../../src/base/clock.ts'
import { offersFrom, openShipbubbleBench, quoteRequest } from './benches.ts'

/**
 * Tests when the adapter calls Shipbubble's address validation, which costs money, and when it reuses an address code.
 */

test('the Shipbubble adapter validates the same address only once per account, and a changed address again', async () => {
  const bench = await openShipbubbleBench()
  const { dropoff } = quoteRequest()
  await offersFrom(bench)
  await offersFrom(bench)
  expect([bench.server.asked('validate'), bench.server.asked('categories')]).toEqual([2, 1])
  await offersFrom(bench, quoteRequest({ dropoff: { ...dropoff, line2: 'Flat 5' } }))
  expect(bench.server.asked('validate')).toBe(3)
  const other = { credentials: { ...bench.account.credentials, apiKey: 'sb_prod_another' } }
  expect(await bench.carrier.quote(other, quoteRequest(), bench.patience())).toMatchObject({ code: 'account_blocked' })
  expect(bench.server.asked('validate')).toBe(5)
})

test('the Shipbubble adapter validates an address once for concurrent quotes', async () => {
  const bench = await openShipbubbleBench()
  const offers = await Promise.all([1, 2, 3].map(() => offersFrom(bench)))
  expect(offers.map(({ length }) => length > 0)).toEqual([true, true, true])
  expect(bench.server.asked('validate')).toBe(2)
})

test('the Shipbubble adapter reuses a paid address validation even if the quote that requested it timed out', async () => {
  const bench = await openShipbubbleBench()
  const late = { isAccepted: true, answer: 'later' } as const
  bench.server.fail('validate', late, late)
  const patience = new AbortController()
  const quote = bench.carrier.quote(bench.account, quoteRequest(), patience.signal)
  await expect.poll(() => bench.server.asked('validate'), { interval: 5 }).toBe(2)
  patience.abort()
  expect(await quote).toMatchObject({ is: 'unknown', cause: 'timeout' })
  const [offers] = await Promise.all([offersFrom(bench), bench.server.release()])
  expect(offers.length).toBeGreaterThan(0)
  expect(bench.server.asked('validate')).toBe(2)
})

test('the Shipbubble adapter does not validate addresses again if Shipbubble finds no rates for a reason other than the address codes', async () => {
  const bench = await openShipbubbleBench()
  await offersFrom(bench)
  bench.fail('quote', { isAccepted: false, answer: [404, { status: 'failed', message: 'No rates found' }] })
  const outcome = await bench.carrier.quote(bench.account, quoteRequest(), bench.patience())
  expect(outcome).toMatchObject({ is: 'refused', message: 'No rates found' })
  await offersFrom(bench)
  expect([bench.server.asked('rates'), bench.server.asked('validate')]).toEqual([3, 2])
})

test('the Shipbubble adapter validates again only the address whose code Shipbubble no longer accepts', async () => {
  const bench = await openShipbubbleBench()
  await offersFrom(bench)
  bench.server.invalidateAddresses(1)
  await offersFrom(bench)
  expect(bench.server.asked('validate')).toBe(3)
})

test('the Shipbubble adapter requests address codes and categories again after a day', async () => {
  const clock = stoppedClock(systemClock.nowMs())
  const bench = await openShipbubbleBench(clock)
  await offersFrom(bench)
  clock.advance(24 * 3_600_000)
  await offersFrom(bench)
  expect([bench.server.asked('validate'), bench.server.asked('categories')]).toEqual([2, 1])
  clock.advance(1)
  await offersFrom(bench)
  expect([bench.server.asked('validate'), bench.server.asked('categories')]).toEqual([4, 2])
})
