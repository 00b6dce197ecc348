import { expect, test } from 'vitest'
import { dropoffExample } from '../../registry/logistics/place.ts'
import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { quotePhonePrefix } from '../../registry/service/test-phones.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { openSimulatorCarriers } from '../../src/partners/carriers/simulator.ts'
import { useDatabase } from '../support/database.ts'
import {
  granted,
  impatient,
  morningMs,
  newReference,
  noAccount,
  offersOf,
  openSimulated,
  orderFor,
  patient,
  wish,
} from './simulated.ts'

const opened = useDatabase()

const open = (seed?: string) => openSimulated(opened().connectionString, seed === undefined ? {} : { seed })

test('in simulated quotes, Swift is the most expensive and fastest carrier, and Saver the cheapest and slowest', async () => {
  const { carriers } = await open()
  const firsts = await Promise.all(testCarrierCodes.map(async (code) => (await offersOf(carriers[code]))[0]))
  const [swift, steady, saver] = firsts.map((offer) => ({
    kobo: offer?.priceKobo ?? 0,
    minutes: offer?.dropoffMinutes?.p50 ?? 0,
  }))
  expect(swift?.kobo).toBeGreaterThan(steady?.kobo ?? 0)
  expect(steady?.kobo).toBeGreaterThan(saver?.kobo ?? 0)
  expect([swift?.minutes, steady?.minutes, saver?.minutes]).toEqual([4, 7, 14])
})

test('a simulated carrier reuses the connection of a quote for the next quote, and opens a new connection for an order', async () => {
  const { send, simulator } = await open()
  const reused: (boolean | null)[] = []
  const carriers = openSimulatorCarriers(async (request) => {
    const outcome = await send(request)
    reused.push(outcome.isReused)
    return outcome
  }, simulator.url)
  const carrier = carriers['simulator-swift']
  await offersOf(carrier)
  // Requests a second quote from the carrier and takes the first offer of this quote.
  const order = await orderFor(carrier)
  granted(await carrier.create(noAccount, order, patient()))
  expect(reused).toEqual([false, true, false])
})

test('a simulated quote is the sum of its price lines, which are non-negative multiples of fifty naira', async () => {
  const { carriers, clock } = await open()
  for (let hour = 0; hour < 24; hour++) {
    for (const code of testCarrierCodes) {
      for (const { priceKobo, breakdown } of await offersOf(carriers[code])) {
        expect(breakdown.reduce((sum, { amountKobo }) => sum + amountKobo, 0)).toBe(priceKobo)
        for (const { amountKobo } of breakdown) expect(amountKobo % 5_000).toBe(0)
        for (const { amountKobo } of breakdown) expect(amountKobo).toBeGreaterThanOrEqual(0)
      }
    }
    clock.advance(3_600_000)
  }
})

test('simulated prices for the same parcel change only with the seed and the hour', async () => {
  const first = await open('one')
  const again = await open('one')
  const other = await open('two')
  const day = async ({ carriers, clock }: typeof first) => {
    const prices = []
    for (let half = 0; half < 48; half++) {
      const [offer] = await offersOf(carriers['simulator-swift'])
      prices.push(offer?.priceKobo)
      clock.advance(1_800_000)
    }
    return prices
  }
  const prices = await day(first)
  expect(await day(again)).toEqual(prices)
  expect(await day(other)).not.toEqual(prices)
  expect(new Set(prices).size).toBeGreaterThan(5)
  // The test starts at half past an hour, so every other half-hour step starts a new hour.
  for (let half = 1; half < 47; half += 2) expect(prices[half]).toBe(prices[half + 1])
})

test.for([
  ['110', 'simulator-swift', 'simulator-saver'],
  ['011', 'simulator-steady', 'simulator-swift'],
  ['101', 'simulator-saver', 'simulator-steady'],
] as const)('if the recipient’s phone number ends with the quote fault digits %s, the simulated carrier %s does not respond to a quote request, but %s responds', async ([
  digits,
  silent,
  talking,
]) => {
  const { carriers } = await open()
  const request = wish({ recipientPhone: quotePhonePrefix + digits })
  expect(await carriers[silent].quote(noAccount, request, impatient())).toMatchObject({
    is: 'unknown',
    cause: 'timeout',
  })
  expect((await offersOf(carriers[talking], request)).length).toBeGreaterThan(0)
})

test.for([
  ['2', { is: 'unknown', cause: 'server_error' }],
  ['3', { is: 'refused', code: 'out_of_area' }],
  ['4', { is: 'ok', value: [] }],
] as const)('a quote request with the fault digit %s in the phone number gets the result %o from each simulated carrier', async ([
  digit,
  outcome,
]) => {
  const { carriers } = await open()
  for (const code of testCarrierCodes) {
    const request = wish({ recipientPhone: quotePhonePrefix + digit.repeat(3) })
    expect(await carriers[code].quote(noAccount, request, patient())).toMatchObject(outcome)
  }
})

test('only the simulated carrier Saver offers deliveries to a state that the other simulated carriers do not serve', async () => {
  const { carriers } = await open()
  const kano = { ...wish(), dropoff: { ...wish().dropoff, state: 'Kano' as const, location: { lat: 12, lng: 8.52 } } }
  const outcomes = await Promise.all(testCarrierCodes.map((code) => carriers[code].quote(noAccount, kano, patient())))
  expect(outcomes.map(({ is }) => is)).toEqual(['refused', 'refused', 'ok'])
  expect((await offersOf(carriers['simulator-saver'], kano)).map(({ service }) => service)).toEqual(['economy'])
})

test('a simulated carrier offers nothing for a parcel that is too heavy or for a vehicle that the carrier does not have', async () => {
  const { carriers } = await open()
  expect(await offersOf(carriers['simulator-swift'], wish({ weightGrams: 25_002 }))).toEqual([])
  expect(await offersOf(carriers['simulator-swift'], { ...wish(), vehicle: 'van' })).toEqual([])
  expect((await offersOf(carriers['simulator-steady'], { ...wish(), vehicle: 'van' })).length).toBe(2)
})

test('a simulated carrier offers only the requested service levels', async () => {
  const { carriers } = await open()
  const offers = await offersOf(carriers['simulator-steady'], { ...wish(), serviceLevels: ['same_day'] })
  expect(offers.map(({ serviceLevel }) => serviceLevel)).toEqual(['same_day'])
})

test('an offer of a simulated carrier is accepted until a millisecond before its expiry time, and then rejected as expired', async () => {
  const { carriers, clock } = await open()
  const carrier = carriers['simulator-swift']
  const order = await orderFor(carrier)
  expect(order.offer.expiresAt).toBe(toTimestamp(morningMs + 600_000))
  clock.advance(599_999)
  expect(granted(await carrier.create(noAccount, order, patient())).priceKobo).toBe(order.offer.priceKobo)
  clock.advance(1)
  const late = { ...order, reference: newReference() }
  expect(await carrier.create(noAccount, late, patient())).toMatchObject({ is: 'refused', code: 'quote_expired' })
})

test('a simulated carrier charges the quoted price even if its price would be different at the time of the order', async () => {
  const { carriers, clock } = await open()
  const carrier = carriers['simulator-saver']
  const order = await orderFor(carrier)
  clock.advance(20 * 3_600_000)
  expect(granted(await carrier.create(noAccount, order, patient())).priceKobo).toBe(order.offer.priceKobo)
})

test('a simulated carrier rejects an order with another carrier’s offer or with an offer that no carrier made', async () => {
  const { carriers } = await open()
  const order = await orderFor(carriers['simulator-steady'])
  expect(await carriers['simulator-swift'].create(noAccount, order, patient())).toMatchObject({ is: 'invalid' })
  for (const token of [
    '',
    'direct',
    'direct.',
    'direct.1',
    `direct.${morningMs + 3_600_000}`,
    'nothing.1795336200000',
  ]) {
    const forged = { ...order, offer: { ...order.offer, token } }
    expect(await carriers['simulator-steady'].create(noAccount, forged, patient())).toMatchObject({ is: 'invalid' })
  }
})

test('a simulated carrier rejects an order without a contact', async () => {
  const { carriers } = await open()
  const carrier = carriers['simulator-swift']
  const request = { ...wish(), dropoff: { ...dropoffExample, phone: null, name: null } }
  const [offer] = granted(await carrier.quote(noAccount, request, patient()))
  if (offer === undefined) throw new Error('There is no offer.')
  const order = { ...request, reference: newReference(), offer, undeliverable: 'return' as const, pin: undefined }
  expect(await carrier.create(noAccount, order, patient())).toMatchObject({
    is: 'invalid',
    message: expect.stringContaining('dropoff.phone'),
  })
})
