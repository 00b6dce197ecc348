import { expect, test } from 'vitest'
import { createRequest, offersFrom, okay, openChowdeckBench, placeOrder, quoteRequest, reference } from './benches.ts'

test('the Chowdeck adapter converts a fee to an offer in kobo with its price lines', async () => {
  const bench = await openChowdeckBench()
  expect(await offersFrom(bench)).toEqual([
    {
      token: '12001',
      service: 'Relay',
      serviceLevel: 'on_demand',
      vehicle: 'bike',
      priceKobo: 200_050,
      breakdown: [
        { code: 'delivery', label: 'Delivery', amountKobo: 180_000 },
        { code: 'service', label: 'Service', amountKobo: 15_000 },
        { code: 'safety', label: 'Safety fee', amountKobo: 5_050 },
      ],
      pickupMinutes: undefined,
      dropoffMinutes: undefined,
      expiresAt: undefined,
    },
  ])
})

test('the Chowdeck adapter omits price lines that do not add up to the total', async () => {
  const bench = await openChowdeckBench()
  const data = { id: 9, total_amount: '200050', delivery_amount: 1, service_amount: 2 }
  bench.fail('quote', { isAccepted: true, answer: [200, { status: 'success', data }] })
  const [offer] = await offersFrom(bench)
  expect(offer).toMatchObject({ token: '9', breakdown: [{ code: 'delivery', amountKobo: 200_050 }] })
})

test('the Chowdeck adapter sends coordinates for a precise place and the address text for an imprecise place', async () => {
  const bench = await openChowdeckBench()
  await offersFrom(bench)
  expect(bench.server.requests[0]).toMatchObject({
    line: 'POST /relay/delivery/fee',
    headers: { authorization: 'Bearer chowdeck-key-0001' },
    body: {
      source_address_string: '7 Adeola Odeku Street, Victoria Island, Eti-Osa, Lagos, Nigeria',
      destination_address: { latitude: 6.4474, longitude: 3.4723 },
      estimated_order_amount: 3_250_000,
    },
  })
  const { dropoff } = quoteRequest()
  await offersFrom(bench, quoteRequest({ dropoff: { ...dropoff, state: 'FCT', precisionMeters: 30_000 } }))
  expect(bench.server.requests[1]?.body.destination_address_string).toBe(
    '12 Admiralty Way, Flat 4B, near Ebeano Supermarket, Lekki Phase 1, Eti-Osa, Abuja, Nigeria',
  )
})

test('the Chowdeck adapter creates a delivery with the fee, the service’s reference, both contacts and the delivery instructions', async () => {
  const bench = await openChowdeckBench()
  const request = await createRequest(bench, { pin: '4821', undeliverable: 'leave_at_door' })
  const order = okay(await bench.carrier.create(bench.account, request, bench.patience()))
  expect(order).toEqual({
    carrierReference: '7000',
    priceKobo: 200_050,
    trackingUrl: `https://track.example/${reference}`,
    labelUrl: undefined,
    status: 'awaiting_courier',
  })
  expect(bench.server.requests.at(-1)?.body).toEqual({
    fee_id: 12_001,
    reference,
    item_type: 'fashion',
    user_action: 'sending',
    source_contact: { name: 'Ankara House', phone: '+2348031234567', country_code: 'NG' },
    destination_contact: {
      name: 'Adaeze Okafor',
      phone: '+2348029876543',
      country_code: 'NG',
      email: 'adaeze.okafor@example.com',
    },
    estimated_order_amount: 3_250_000,
    customer_delivery_note: 'Opposite Ebeano Supermarket. Call when you are at the gate. Leave it at the door',
    delivery_pin: 4821,
  })
})

test('the Chowdeck adapter creates a delivery with the fee id as a string if Chowdeck’s quote contained it as a string', async () => {
  const bench = await openChowdeckBench()
  const data = { id: '12345', total_amount: 200_050 }
  bench.fail('quote', { isAccepted: true, answer: [200, { status: 'success', data }] })
  await bench.carrier.create(bench.account, await createRequest(bench), bench.patience())
  expect(bench.server.requests.at(-1)?.body).toMatchObject({ fee_id: '12345' })
})

test('the Chowdeck adapter reads the rider’s name from the field driver or rider, as one name or as first and last name', async () => {
  const bench = await openChowdeckBench()
  const order = await placeOrder(bench)
  const named = [{ driver: { first_name: 'Musa', last_name: 'Bello' } }, { rider: { name: 'Musa Bello' } }]
  for (const more of named) {
    const data = { reference, status: 'received', ...more }
    bench.fail('get', { isAccepted: false, answer: [200, { status: 'success', data }] })
    const tracking = okay(await bench.carrier.get(bench.account, order, bench.patience()))
    expect(tracking).toMatchObject({ status: 'courier_assigned', courier: { name: 'Musa Bello' } })
  }
})

test('the Chowdeck adapter treats a response with another order’s reference as an unknown outcome', async () => {
  const bench = await openChowdeckBench()
  const data = { id: 1, reference: 'another-reference', delivery_price: 1, status: 'ORDER_CREATED' }
  bench.fail('create', { isAccepted: false, answer: [200, { status: 'success', data }] })
  const outcome = await bench.carrier.create(bench.account, await createRequest(bench), bench.patience())
  expect(outcome).toMatchObject({ is: 'unknown', cause: 'bad_response' })
})

test.each([
  [409, { status: 'failed', message: 'Conflict' }, true],
  [404, '<html>Not here</html>', true],
  [408, { status: 'failed', message: 'Request timeout' }, undefined],
  [500, { status: 'failed', message: 'Sorry' }, undefined],
  [200, '<html>Welcome</html>', undefined],
] as const)('the Chowdeck adapter maps an inconclusive %i response to the outcome unknown, and treats the response as a failure of the carrier unless its status is 4xx and not 408', async (status, body, isNeutral) => {
  const bench = await openChowdeckBench()
  const request = await createRequest(bench)
  bench.fail('create', { isAccepted: false, answer: [status, body] })
  const outcome = await bench.carrier.create(bench.account, request, bench.patience())
  expect(outcome).toMatchObject({ is: 'unknown' })
  expect(Reflect.get(outcome, 'isNeutral')).toBe(isNeutral)
})

test('the Chowdeck adapter looks up a delivery by the service’s reference, and returns the status, the rider and the time of the delivery', async () => {
  const bench = await openChowdeckBench()
  const order = await placeOrder(bench)
  for (const delivery of bench.server.deliveries) delivery.driver = 'Musa'
  expect(okay(await bench.carrier.get(bench.account, order, bench.patience()))).toEqual({
    status: 'courier_assigned',
    carrierStatus: 'received',
    priceKobo: 200_050,
    at: '2026-11-21T08:15:00.000Z',
    position: undefined,
    courier: { name: 'Musa', vehicle: undefined, phone: undefined, plateLastFour: undefined },
    isCourierOpen: false,
    dropoffAt: undefined,
    proof: [],
  })
  expect(bench.server.requests.at(-1)?.line).toBe(`GET /relay/delivery/${reference}`)
})

test('the Chowdeck adapter returns no shipment status for an undocumented carrier status', async () => {
  const bench = await openChowdeckBench()
  const order = await placeOrder(bench)
  for (const delivery of bench.server.deliveries) delivery.status = 'ORDER_IN_ORBIT'
  const tracking = okay(await bench.carrier.get(bench.account, order, bench.patience()))
  expect(tracking).toMatchObject({ status: undefined, carrierStatus: 'ORDER_IN_ORBIT' })
})

test('the Chowdeck adapter returns the refunded amount of a cancellation, or reports that the cancellation was only requested', async () => {
  const bench = await openChowdeckBench()
  const order = await placeOrder(bench)
  const data = { id: 7000, reference, status: 'cancellation_requested' }
  bench.fail('cancel', { isAccepted: false, answer: [200, { status: 'success', data }] })
  const cancel = () => bench.carrier.cancel(bench.account, order, 'out_of_stock', bench.patience())
  expect(okay(await cancel())).toEqual({ is: 'requested', feeKobo: undefined, refundKobo: undefined })
  expect(okay(await cancel())).toEqual({ is: 'cancelled', feeKobo: undefined, refundKobo: 200_050 })
  expect(bench.server.requests.at(-1)?.body).toEqual({ reason: 'out_of_stock' })
})

test('the Chowdeck adapter reads callbacks in any sequence, and does not treat the assignment of a second rider as a duplicate of the first assignment', async () => {
  const { carrier, account, server } = await openChowdeckBench()
  const categories = ['ORDER_COMPLETE', 'ORDER_ASSIGNED', 'ORDER_PICKED_UP', 'ORDER_SOMETHING_NEW']
  const read = categories.map((category) =>
    carrier.readCallback(
      account,
      server.callback(category, { id: 7000, reference, updated_at: '2026-11-21 09:15:00' }),
    ),
  )
  expect(read.map((reading) => (reading.is === 'trusted' ? reading.events[0]?.tracking.status : reading.is))).toEqual([
    'delivered',
    'courier_assigned',
    'picked_up',
    undefined,
  ])
  const keys = ['Musa', 'Bola', 'Musa'].map((rider) => {
    const reading = carrier.readCallback(account, server.callback('ORDER_ASSIGNED', { reference, rider }))
    return reading.is === 'trusted' ? reading.events[0]?.dedupeKey : reading.is
  })
  expect(keys[2]).toBe(keys[0])
  expect(keys[1]).not.toBe(keys[0])
})

test('the Chowdeck adapter reads no events from a signed callback without an order, and does not trust callbacks when no webhook secret is configured', async () => {
  const { carrier, account, server } = await openChowdeckBench()
  expect(carrier.readCallback(account, server.callback('ORDER_CREATED', {}))).toEqual({ is: 'trusted', events: [] })
  const { webhookSecret: _, ...credentials } = account.credentials
  const reading = carrier.readCallback({ credentials }, server.callback('ORDER_COMPLETE', { id: 7000, reference }))
  expect(reading).toEqual({ is: 'hint', orders: [{ carrierReference: '7000', reference }] })
})
