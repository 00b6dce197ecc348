import { describe, expect, test } from 'vitest'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { stoppedClock, systemClock, toMs, toTimestamp } from '../../../src/base/clock.ts'
import { openShipbubble } from '../../../src/partners/carriers/shipbubble.ts'
import {
  createRequest,
  look,
  offersFrom,
  okay,
  openSend,
  openShipbubbleBench,
  placeOrder,
  quoteRequest,
  reference,
} from './benches.ts'

test('the Shipbubble adapter converts each courier’s pickup rate in NGN or ₦ to an offer in kobo, and omits other rates', async () => {
  // Nine in the morning in Lagos.
  const clock = stoppedClock(toMs(toTimestamp(Date.parse('2026-11-21T08:00:00Z'))))
  const bench = await openShipbubbleBench(clock)
  const request = quoteRequest({ pickupAt: toTimestamp(clock.nowMs()) })
  const offers = await offersFrom(bench, request)
  expect(offers).toMatchObject([
    {
      service: 'KWIK',
      subCarrier: 'kwik',
      serviceLevel: 'same_day',
      priceKobo: 215_075,
      breakdown: [
        { code: 'delivery', amountKobo: 200_070 },
        { code: 'vat', amountKobo: 15_005 },
      ],
      dropoffMinutes: { p50: 510, p90: 510 },
      expiresAt: '2026-11-26T08:00:00.000Z',
    },
    { service: 'GIGL', serviceLevel: 'next_day', priceKobo: 390_050, dropoffMinutes: { p50: 720, p90: 1_440 } },
  ])
  expect(bench.server.requests.find(({ line }) => line.endsWith('/fetch_rates'))?.body).toEqual({
    sender_address_code: expect.any(Number),
    reciever_address_code: expect.any(Number),
    pickup_date: '2026-11-21',
    category_id: 74_794_423,
    package_items: [
      { name: 'Ankara maxi dress', description: 'fashion', unit_weight: 0.8, unit_amount: 32_500, quantity: 1 },
    ],
    package_dimension: { length: 30, width: 25, height: 5 },
    service_type: 'pickup',
    delivery_instructions: 'Opposite Ebeano Supermarket. Call when you are at the gate',
  })
})

test('the Shipbubble adapter counts the minutes of an offer’s estimates from the booking and not from the quote', async () => {
  // The quote is requested at nine o'clock in the morning in Lagos, and the order at noon.
  const clock = stoppedClock(toMs(toTimestamp(Date.parse('2026-11-21T08:00:00Z'))))
  const bench = await openShipbubbleBench(clock)
  const calledAt = toTimestamp(clock.nowMs() + 3 * 3_600_000)
  expect(await offersFrom(bench, quoteRequest({ pickupAt: calledAt, calledAt }))).toMatchObject([
    { service: 'KWIK', dropoffMinutes: { p50: 330, p90: 330 } },
    { service: 'GIGL', dropoffMinutes: { p50: 720, p90: 1_440 } },
  ])
  const rate = {
    service_code: 'kwik',
    courier_id: 'kwik',
    courier_name: 'KWIK',
    total: 2_150.75,
    delivery_eta: 'Same day',
  }
  const couriers = [{ ...rate, pickup_eta_time: '2026-11-21 12:45:00' }]
  const answer = [200, { status: 'success', data: { request_token: 'token', couriers } }] as const
  bench.fail('quote', { isAccepted: false, answer })
  expect(await offersFrom(bench, quoteRequest({ pickupAt: calledAt, calledAt }))).toMatchObject([
    { pickupMinutes: { p50: 45, p90: 45 } },
  ])
})

test('if an order is booked at once for a later pickup, the Shipbubble adapter includes the wait for the pickup in the estimated minutes', async () => {
  const clock = stoppedClock(toMs(toTimestamp(Date.parse('2026-11-21T08:00:00Z'))))
  const bench = await openShipbubbleBench(clock)
  const pickupAt = toTimestamp(clock.nowMs() + 3 * 3_600_000)
  expect(await offersFrom(bench, quoteRequest({ pickupAt }))).toMatchObject([
    { service: 'KWIK', dropoffMinutes: { p50: 510, p90: 510 } },
    { service: 'GIGL', dropoffMinutes: { p50: 900, p90: 1_620 } },
  ])
})

test.each([
  [8 * 24, 'refused'],
  [6 * 24, 'ok'],
] as const)('a quote request for a pickup in %i hours gets the outcome %s from the Shipbubble adapter', async (hours, is) => {
  const clock = stoppedClock(systemClock.nowMs())
  const bench = await openShipbubbleBench(clock)
  const pickupAt = toTimestamp(clock.nowMs() + hours * 3_600_000)
  const outcome = await bench.carrier.quote(bench.account, quoteRequest({ pickupAt }), bench.patience())
  expect(outcome).toMatchObject({ is })
  expect(bench.server.asked('validate')).toBe(is === 'ok' ? 2 : 0)
})

test('the Shipbubble adapter sends at least two words of letters as the name of each contact, and the merchant’s e-mail address for a contact without an e-mail address', async () => {
  const bench = await openShipbubbleBench()
  const { pickup, dropoff } = quoteRequest()
  const request = quoteRequest({
    pickup: { ...pickup, name: 'Ada’s' },
    dropoff: { ...dropoff, name: 'Dr. Ọlá-Bísí 2nd' },
  })
  await offersFrom(bench, request)
  const bodies = bench.server.requests.filter(({ line }) => line.endsWith('/validate')).map(({ body }) => body)
  expect(bodies).toEqual(
    expect.arrayContaining([
      {
        name: 'Adas Sender',
        email: 'shop@example.com',
        phone: '+2348031234567',
        address: '7 Adeola Odeku Street, Victoria Island, Eti-Osa, Lagos, Nigeria',
      },
      expect.objectContaining({ name: 'Dr Ọlá Bísí nd', latitude: 6.4474, longitude: 3.4723 }),
    ]),
  )
})

test('the Shipbubble adapter returns no price when the recipient’s phone number is missing', async () => {
  const bench = await openShipbubbleBench()
  const { pickup, dropoff } = quoteRequest()
  const request = quoteRequest({ pickup: { ...pickup, phone: null }, dropoff: { ...dropoff, phone: null } })
  expect(await bench.carrier.quote(bench.account, request, bench.patience())).toMatchObject({ is: 'invalid' })
  expect(bench.server.requests).toEqual([])
})

test('the Shipbubble adapter attributes a 503 response to the courier of the request, or to Shipbubble if the request names no courier', async () => {
  const bench = await openShipbubbleBench()
  const request = await createRequest(bench)
  const fault = { isAccepted: false, answer: [503, { status: 'failed', message: 'Not available' }] } as const
  bench.fail('create', fault)
  const created = await bench.carrier.create(bench.account, request, bench.patience())
  expect(created).toMatchObject({ is: 'unavailable', isOfSubCarrier: true })
  bench.fail('quote', fault)
  const quoted = await bench.carrier.quote(bench.account, quoteRequest(), bench.patience())
  expect(quoted).toEqual({ is: 'unavailable', message: 'Not available', retryAfterSeconds: undefined })
})

describe('a Shipbubble rate requested before the recipient was known', () => {
  async function quotedBlind() {
    const bench = await openShipbubbleBench()
    const { dropoff } = quoteRequest()
    const [offer] = await offersFrom(bench, quoteRequest({ dropoff: { ...dropoff, name: null, phone: null } }))
    const request = await createRequest(bench)
    return { bench, request: { ...request, offer: offer ?? request.offer } }
  }

  test('the Shipbubble adapter repeats the request for a rate that was quoted without a recipient, so that the label names the recipient', async () => {
    const { bench, request: quoted } = await quotedBlind()
    // The request does not allow the service level of the rate. The adapter must accept the rate nevertheless: the same
    // courier, booked a day after the quote, delivers a day later at the same price.
    const request = { ...quoted, serviceLevels: ['standard'] } as const
    okay(await bench.carrier.create(bench.account, request, bench.patience()))
    expect(bench.server.orders).toMatchObject([
      { courierId: 'kwik', to: { name: 'Adaeze Okafor', phone: '08029876543' } },
    ])
  })

  test('a Shipbubble rate that was quoted without a recipient counts as expired if its price has increased meanwhile', async () => {
    const { bench, request } = await quotedBlind()
    Object.assign(bench.server.day, { priceNaira: 2_150.76 })
    const outcome = await bench.carrier.create(bench.account, request, bench.patience())
    expect(outcome).toMatchObject({ is: 'refused', code: 'quote_expired' })
    expect(bench.accepted()).toEqual([])
  })

  test.each([
    'never',
    'breaks_off',
  ] as const)('the Shipbubble adapter books no shipment if the repeated rate request gets no complete response (simulated fault: %s)', async (answer) => {
    const { bench, request } = await quotedBlind()
    bench.fail('quote', { isAccepted: true, answer }, { isAccepted: true, answer })
    const outcome = await bench.carrier.create(bench.account, request, bench.patience())
    expect(outcome).toMatchObject({ is: 'unavailable' })
    expect(bench.server.asked('create')).toBe(0)
  })
})

test.each([
  '',
  '{}',
  'fee_1',
])('the Shipbubble adapter treats an offer as expired if its token %j is not a token from Shipbubble', async (token) => {
  const bench = await openShipbubbleBench()
  const request = await createRequest(bench)
  const outcome = await bench.carrier.create(
    bench.account,
    { ...request, offer: { ...request.offer, token } },
    bench.patience(),
  )
  expect(outcome).toMatchObject({ is: 'refused', code: 'quote_expired' })
})

describe('the search for a Shipbubble order whose response was lost', () => {
  async function ordered() {
    const bench = await openShipbubbleBench()
    const request = await createRequest(bench)
    const order = okay(await bench.carrier.create(bench.account, request, bench.patience()))
    const [row] = bench.server.orders
    if (row === undefined) throw new Error('There is an order.')
    return { bench, request, order, row }
  }

  test('the search for a lost Shipbubble order finds the order on a later page of the list, regardless of the page size', async () => {
    const { bench, request, order, row } = await ordered()
    for (let number = 0; number < 7; number++) {
      bench.server.orders.push({
        ...row,
        orderId: `SB-other-${number}`,
        to: { ...row.to, phone: `0803000000${number}` },
      })
    }
    Object.assign(bench.server.day, { pageMax: 3 })
    expect(okay(await look(bench, request))).toEqual({ is: 'found', order })
    expect(bench.server.asked('list')).toBe(4)
  })

  test.each([
    ['goes to another number', { to: { phone: '08030000000', address: '12 ADMIRALTY WAY, Lagos', name: '' } }],
    ['was made before', { madeAtMs: systemClock.nowMs() - 10 * 60_000 }],
  ])('the search for a lost Shipbubble order excludes an order that %s', async (_, change) => {
    const { bench, request, row } = await ordered()
    Object.assign(row, change)
    expect(okay(await look(bench, request))).toEqual({ is: 'absent' })
  })

  test.each([
    ['does not say whom it goes to', { to: { phone: undefined, address: '12 ADMIRALTY WAY', name: '' } }],
    ['does not say where it goes to', { to: { phone: '08029876543', address: undefined, name: '' } }],
    ['goes to the same person elsewhere', { to: { phone: '08029876543', address: '3 Bourdillon, Ikoyi', name: '' } }],
    ['goes to the same person for another fee', { feeNaira: 2_150.74 }],
  ])('the search for a lost Shipbubble order is inconclusive when the list contains an order that %s', async (_, change) => {
    const { bench, request, row } = await ordered()
    Object.assign(row, change)
    expect(await look(bench, request)).toMatchObject({ is: 'unknown', cause: 'bad_response', isNeutral: true })
  })

  test('the search for a lost Shipbubble order also finds an order that was booked below the quoted price', async () => {
    const bench = await openShipbubbleBench()
    const { dropoff } = quoteRequest()
    const [offer] = await offersFrom(bench, quoteRequest({ dropoff: { ...dropoff, name: null, phone: null } }))
    Object.assign(bench.server.day, { priceNaira: 2_000 })
    const known = await createRequest(bench)
    const request = { ...known, offer: offer ?? known.offer }
    bench.fail('create', { isAccepted: true, answer: 'breaks_off' })
    expect(await bench.carrier.create(bench.account, request, bench.patience())).toMatchObject({ is: 'unknown' })
    expect(okay(await look(bench, request))).toMatchObject({ is: 'found', order: { priceKobo: 200_000 } })
  })

  test('the search for a lost Shipbubble order is inconclusive when the pages of the order list repeat themselves', async () => {
    const { bench, request, row } = await ordered()
    Object.assign(row, { to: { ...row.to, phone: '08030000000' } })
    Object.assign(bench.server.day, { repeatsFirstPage: true })
    expect(await look(bench, request)).toMatchObject({ is: 'unknown', cause: 'bad_response', isNeutral: true })
    expect(bench.server.asked('list')).toBe(2)
  })

  test('the search for a lost Shipbubble order returns the first of several matching orders, but prefers an order that is not cancelled', async () => {
    const { bench, request, order, row } = await ordered()
    bench.server.orders.push({ ...row, orderId: 'SB-second', madeAtMs: row.madeAtMs + 5_000 })
    const first = { order: { carrierReference: order.carrierReference } }
    const second = { order: { carrierReference: 'SB-second' } }
    const requestedAt = toTimestamp(row.madeAtMs)
    expect(okay(await look(bench, request, requestedAt))).toMatchObject(first)
    // If the clocks of the service and the carrier differ, the first order may seem older than the request that created
    // it.
    expect(okay(await look(bench, request, toTimestamp(row.madeAtMs + 3_000)))).toMatchObject(second)
    row.status = 'cancelled'
    expect(okay(await look(bench, request, requestedAt))).toMatchObject(second)
  })

  test('the search for a lost Shipbubble order excludes orders of other dispatch attempts, regardless of their price', async () => {
    const { bench, request, order, row } = await ordered()
    bench.server.orders.push({ ...row, orderId: 'SB-second', madeAtMs: row.madeAtMs + 5_000 })
    bench.server.orders.push({ ...row, orderId: 'SB-dearer', madeAtMs: row.madeAtMs + 5_000, feeNaira: 9_000 })
    const search = (...taken: readonly string[]) => {
      const requestedAt = toTimestamp(row.madeAtMs)
      const others = { taken: new Set(['SB-dearer', ...taken]) }
      return bench.carrier.find?.(bench.account, { request, requestedAt, ...others }, bench.patience())
    }
    const first = order.carrierReference
    expect(await search(first)).toMatchObject({ value: { order: { carrierReference: 'SB-second' } } })
    expect(await search(first, 'SB-second')).toEqual({ is: 'ok', value: { is: 'absent' } })
  })

  test('the search for a lost Shipbubble order is inconclusive when the found order may belong to a later dispatch attempt', async () => {
    const { bench, request, row } = await ordered()
    const search = (rivalRequestedAt: Timestamp | undefined) => {
      const requestedAt = toTimestamp(row.madeAtMs)
      return bench.carrier.find?.(bench.account, { request, requestedAt, rivalRequestedAt }, bench.patience())
    }
    const found = { is: 'ok', value: { is: 'found' } }
    expect(await search(toTimestamp(row.madeAtMs))).toMatchObject({ is: 'unknown' })
    // The clocks of the service and of the carrier may differ by up to two minutes.
    expect(await search(toTimestamp(row.madeAtMs + 60_000))).toMatchObject({ is: 'unknown' })
    expect(await search(toTimestamp(row.madeAtMs + 130_000))).toMatchObject(found)
    expect(await search(undefined)).toMatchObject(found)
  })

  test('the search for a lost Shipbubble order also works in a process that has not cached the quote', async () => {
    const { bench, request, order } = await ordered()
    const carrier = openShipbubble(openSend(), bench.server.url)
    expect(okay(await look({ ...bench, carrier }, request))).toEqual({ is: 'found', order })
  })
})

test('the Shipbubble adapter reads an order’s price, tracking page and rider’s name', async () => {
  const bench = await openShipbubbleBench()
  const request = await createRequest(bench)
  const order = okay(await bench.carrier.create(bench.account, request, bench.patience()))
  expect(order).toMatchObject({
    carrierReference: 'SB-1000',
    priceKobo: 215_075,
    trackingUrl: 'https://shipbubble.example/SB-1000',
    status: 'awaiting_courier',
  })
  bench.pickUp()
  const named = { carrierReference: 'SB-1000', reference }
  expect(okay(await bench.carrier.get(bench.account, named, bench.patience()))).toMatchObject({
    carrierStatus: 'picked_up',
    at: expect.stringMatching(/Z$/),
    courier: { name: 'Bola', phone: undefined },
  })
})

test('the Shipbubble adapter reads callbacks in any sequence, signed with the configured hash', async () => {
  const bench = await openShipbubbleBench()
  const { carrier, account, server } = bench
  const { carrierReference } = await placeOrder(bench)
  const read = [
    ['shipment.cancelled', {}],
    ['shipment.status.changed', { status: 'completed' }],
    ['shipment.status.changed', { status: 'in_transit' }],
    ['shipment.label.created', { status: 'pending' }],
    ['shipment.status.changed', { status: 'teleported' }],
  ].map(([event, fields]) => {
    const body = { order_id: carrierReference, ...Object(fields) }
    const reading = carrier.readCallback(account, server.callback(String(event), body))
    return reading.is === 'trusted' ? reading.events[0]?.tracking.status : reading.is
  })
  expect(read).toEqual(['cancelled', 'delivered', 'in_transit', 'awaiting_courier', undefined])
  const older = server.callback('shipment.cancelled', { order_id: carrierReference }, 'sha256')
  expect(carrier.readCallback(account, older)).toMatchObject({ is: 'trusted', events: [{}] })
  expect(carrier.readCallback(account, server.callback('shipment.cancelled', {}))).toEqual({
    is: 'trusted',
    events: [],
  })
})
