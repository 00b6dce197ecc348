import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { toKobo } from '../../src/commerce/money.ts'
import type { SafeFetch } from '../../src/outbound/safe-fetch.ts'
import type { Carrier, CarrierAccount, CreateRequest } from '../../src/partners/carriers/carrier.ts'
import { openCarriers } from '../../src/partners/carriers/carriers.ts'
import { quoteRequest } from '../partners/carriers/benches.ts'

/**
 * For every response of a carrier, the adapter returns an outcome: it never throws an error, and never interprets an
 * invalid response as an order.
 */

const reference = 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k-1'
const account: CarrierAccount = {
  credentials: {
    apiKey: 'key-000000',
    webhookSecret: 'whs',
    userId: 'u',
    password: 'p',
    secretKey: 's',
    email: 'a@b.co',
  },
}

/** Valid responses of carriers. In each, the test replaces one part with an arbitrary value. */
const fitting: readonly object[] = [
  { status: 'success', data: { id: 1, total_amount: 5, delivery_amount: 2, service_amount: 2, safety_fee: 1 } },
  { status: 'success', data: { id: 1, reference, delivery_price: 5, status: 'ORDER_CREATED', tracking_url: 'x' } },
  {
    status: 'Success',
    authDetails: { authToken: 'x', expireToken: '2026-11-21 09:00:00' },
    orgDetails: { 'secret-key': 'x' },
  },
  { status: 'Success', totalCost: '4,350.75', orderNos: { [reference]: 'J1' } },
  { status: 'Error', description: 'x', duplicateUniqueIds: { [reference]: 'J1' } },
  { status: 'Success', order: { orderStatus: 'Delivered' }, history: [{ orderStatus: 'x', statusCreationDate: 'x' }] },
  { status: 'success', data: { address_code: 1, formatted_address: 'x' } },
  { status: 'success', data: [{ category_id: 1, category: 'Fashion' }] },
  {
    status: 'success',
    data: {
      request_token: 't',
      couriers: [{ courier_id: 1, courier_name: 'K', service_code: 's', total: 12.5, vat: 1, currency: 'NGN' }],
      results: [
        { order_id: 'SB-1', status: 'pending', payment: { shipping_fee: 1 }, ship_to: { phone: '1', address: 'x' } },
      ],
    },
  },
]

const scrap = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, '', -1, 1e308, 1e11, {}, [], '__proto__', '2026-13-41 00:00:00'),
)

const bodies = fc.oneof(
  fc.string(),
  fc.json(),
  fc.tuple(fc.constantFrom(...fitting), fc.nat(12), scrap).map(([answer, place, value]) => {
    let at = -1
    return JSON.stringify(answer, (_, part) => {
      at++
      return at === place ? value : part
    })
  }),
)

const statuses = fc.constantFrom(200, 200, 200, 201, 204, 302, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503)

const root = 'http://127.0.0.1:1'

function carriersThatHear(answers: readonly (readonly [number, string])[]): readonly Carrier[] {
  let next = 0
  const send: SafeFetch['fetch'] = async () => {
    const [status, body] = answers[next++ % answers.length] ?? [200, '']
    const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
    return { is: 'answered', status, body, durationMs: 0, timings, isReused: false }
  }
  return [...openCarriers(send, { chowdeck: root, fez: root, shipbubble: root }).values()]
}

const request: CreateRequest = {
  ...quoteRequest(),
  reference,
  offer: {
    token: '{"requestToken":"t","serviceCode":"s","courierId":"1","people":""}',
    service: 'any',
    serviceLevel: 'same_day',
    vehicle: 'bike',
    priceKobo: toKobo(1_250),
    breakdown: [],
    pickupMinutes: undefined,
    dropoffMinutes: undefined,
    expiresAt: undefined,
  },
  undeliverable: 'return',
  pin: undefined,
}

const kinds = ['ok', 'refused', 'unavailable', 'invalid', 'unknown']

describe('adapters with an arbitrary response of a carrier', () => {
  test('each call of a carrier adapter returns an outcome, regardless of the carrier’s response', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(statuses, bodies), { minLength: 1, maxLength: 6 }), async (answers) => {
        const { signal } = new AbortController()
        const named = { carrierReference: 'SB-1', reference }
        const sought = { request, requestedAt: toTimestamp(systemClock.nowMs()) }
        for (const carrier of carriersThatHear(answers)) {
          const outcomes = [
            await carrier.quote(account, request, signal),
            await carrier.create(account, request, signal),
            await carrier.find?.(account, sought, signal),
            await carrier.get(account, named, signal),
            await carrier.cancel(account, named, 'other', signal),
          ]
          for (const outcome of outcomes) expect(kinds).toContain(outcome?.is ?? 'ok')
          const [, created] = outcomes
          if (created?.is === 'ok')
            expect(created.value).toMatchObject({ carrierReference: expect.stringMatching(/./) })
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a carrier adapter treats an order as accepted only after a 2xx response or a response that contains the number of an existing order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(302, 400, 404, 409, 422, 500, 503), fc.nat(8), async (status, which) => {
        const body = JSON.stringify(fitting[which])
        for (const carrier of carriersThatHear([[status, body]])) {
          expect((await carrier.create(account, request, new AbortController().signal)).is).not.toBe('ok')
        }
      }),
    )
  })
})

test('a carrier adapter throws no exception for any callback, signed or unsigned', () => {
  const callbackBody = fc.oneof(
    bodies,
    scrap.map((value) => JSON.stringify({ category: 'ORDER_CREATED', payload: { id: value, reference: value } })),
    scrap.map((value) =>
      JSON.stringify({ event: 'shipment.cancelled', order_id: 'SB-1', status: value, courier: value }),
    ),
    scrap.map((value) => JSON.stringify({ orderNumber: value, status: value, signature: value, timestamp: value })),
  )
  const carriers = carriersThatHear([[200, '']])
  fc.assert(
    fc.property(callbackBody, (body) => {
      const sign = (hash: string, secret: string) => createHmac(hash, secret).update(body).digest('hex')
      const signed = { 'x-chowdeck-signature': sign('sha256', 'whs'), 'x-ship-signature': sign('sha512', 'key-000000') }
      for (const carrier of carriers) {
        for (const headers of [{}, signed]) {
          const reading = carrier.readCallback(account, { body: Buffer.from(body), headers })
          expect(['rejected', 'trusted', 'hint']).toContain(reading.is)
          if (headers === signed && carrier.code !== 'fez') expect(reading.is).toBe('trusted')
        }
      }
    }),
    { numRuns: 500 },
  )
})
