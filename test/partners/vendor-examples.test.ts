import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { newOrderId } from '../../src/base/records.ts'
import { openFlutterwave } from '../../src/partners/payments/flutterwave.ts'
import { readFlutterwaveCallback } from '../../src/partners/payments/flutterwave-callback.ts'
import { openPaystack } from '../../src/partners/payments/paystack.ts'
import { readPaystackCallback } from '../../src/partners/payments/paystack-callback.ts'
import {
  createRequest,
  offersFrom,
  okay,
  openChowdeckBench,
  openFezBench,
  openSend,
  openShipbubbleBench,
  placeOrder,
  quoteRequest,
} from './carriers/benches.ts'
import { openContractServer } from './carriers/contract-server.ts'
import { vendorExample } from './examples/example.ts'

/** Sends the vendors' own examples exactly as published. Each file in examples/ names its source. */

describe('examples of Chowdeck’s documentation', () => {
  test('the Chowdeck adapter reads the documented example of a fee', async () => {
    const bench = await openChowdeckBench()
    bench.server.replay('fee', 'chowdeck-fee')
    expect(await offersFrom(bench)).toMatchObject([{ token: '12345', priceKobo: 80_000 }])
  })

  test('the Chowdeck adapter reads the documented example of a cancellation', async () => {
    const bench = await openChowdeckBench()
    bench.server.replay('cancel', 'chowdeck-cancel')
    const order = { carrierReference: '98765', reference: 'my-delivery-ref-001' }
    const outcome = await bench.carrier.cancel(bench.account, order, 'other', bench.patience())
    expect(okay(outcome)).toMatchObject({ is: 'cancelled', refundKobo: 80_000 })
  })
})

describe('examples of Fez’s documentation', () => {
  test('the Fez adapter reads the documented example of a tracked order', async () => {
    const bench = await openFezBench()
    bench.server.replay('track', 'fez-track')
    const order = { carrierReference: '1T7002122309', reference: 'shp_1-1' }
    expect(okay(await bench.carrier.get(bench.account, order, bench.patience()))).toMatchObject({
      status: 'in_transit',
      carrierStatus: 'Dispatched',
      at: '2023-12-02T12:14:40.000Z',
    })
  })

  test('the Fez adapter reads the documented example of a callback', async () => {
    const { carrier, account } = await openFezBench()
    const body = Buffer.from(JSON.stringify(vendorExample('fez-order-callback').body))
    expect(carrier.readCallback(account, { body, headers: {} })).toEqual({
      is: 'hint',
      orders: [{ carrierReference: 'UKOOIE001F35' }],
    })
  })

  test('the Fez adapter reads the documented example of a rejection', async () => {
    const bench = await openFezBench()
    const request = await createRequest(bench)
    bench.server.replay('create', 'fez-update', 401)
    bench.server.replay('create', 'fez-update', 401)
    const outcome = await bench.carrier.create(bench.account, request, bench.patience())
    expect(outcome).toMatchObject({ is: 'refused', code: 'account_blocked' })
  })
})

describe('examples of Shipbubble’s documentation', () => {
  test('the Shipbubble adapter reads the documented example of a validated address, its categories and its rates', async () => {
    const bench = await openShipbubbleBench()
    bench.server.replay('validate', 'shipbubble-validate')
    bench.server.replay('validate', 'shipbubble-validate')
    bench.server.replay('categories', 'shipbubble-categories')
    bench.server.replay('rates', 'shipbubble-rates')
    const offers = await offersFrom(bench)
    expect(bench.server.requests.find(({ path }) => path.endsWith('/fetch_rates'))?.body).toMatchObject({
      sender_address_code: 98794022,
      category_id: 98246239,
    })
    const { couriers } = vendorExample('shipbubble-rates').body.data
    const named = couriers.filter((each: { courier_id?: string; service_type: string }) => {
      return each.courier_id !== undefined && each.service_type === 'pickup'
    })
    expect(offers.map(({ priceKobo }) => priceKobo)).toEqual(
      named.map(({ total }: { total: number }) => Math.round(total * 100)),
    )
  })

  test('the Shipbubble adapter reads the documented example of a rejected address', async () => {
    const bench = await openShipbubbleBench()
    bench.server.replay('validate', 'shipbubble-validate-refused', 422)
    const outcome = await bench.carrier.quote(bench.account, quoteRequest(), bench.patience())
    expect(outcome).toMatchObject({
      is: 'invalid',
      message: expect.stringContaining('Recipient phone number is required'),
    })
  })

  test('the Shipbubble adapter reads the documented example of a label, alone and in a list', async () => {
    const bench = await openShipbubbleBench()
    const request = await createRequest(bench)
    bench.server.replay('create', 'shipbubble-create')
    const order = okay(await bench.carrier.create(bench.account, request, bench.patience()))
    expect(order).toMatchObject({ carrierReference: 'GET-2CF48272', priceKobo: 278_500, status: 'awaiting_courier' })
    bench.server.replay('read', 'shipbubble-read')
    const name = { carrierReference: 'GET-BB7EDE9F', reference: 'shp_1-1' }
    expect(okay(await bench.carrier.get(bench.account, name, bench.patience()))).toMatchObject({ status: 'picked_up' })
    bench.server.replay('list', 'shipbubble-list')
    const sought = { request, requestedAt: toTimestamp(Date.parse('2026-11-21T08:00:00Z')) }
    const found = await bench.carrier.find?.(bench.account, sought, bench.patience())
    expect(found).toEqual({ is: 'ok', value: { is: 'absent' } })
  })

  test('the Shipbubble adapter reads the documented example of a cancellation', async () => {
    const bench = await openShipbubbleBench()
    const order = await placeOrder(bench)
    bench.server.replay('cancel', 'shipbubble-cancel')
    const outcome = await bench.carrier.cancel(bench.account, order, 'other', bench.patience())
    expect(okay(outcome)).toMatchObject({ is: 'cancelled' })
  })
})

describe('examples of Paystack’s documentation', () => {
  /** Responds to every request with one of the vendor's examples. */
  const answering = async (...examples: readonly string[]) => {
    const server = await openContractServer<'any'>({ operationOf: () => 'any', work: () => [404, {}] })
    for (const example of examples) server.replay('any', example)
    return openPaystack(openSend(), server.url)
  }

  test('the Paystack client reads the documented examples of a created, a fetched and a retried refund', async () => {
    const request = { transaction: 'T685312322670591', amountKobo: 10_000, note: 'rfd' }
    const created = await (await answering('paystack-refund-create')).refund('sk_test_x', request)
    expect(created).toMatchObject({
      is: 'accepted',
      report: { reference: '3018284', amountKobo: 10_000, status: 'pending' },
    })
    const read = await (await answering('paystack-refund-fetch')).findRefund('sk_test_x', '1')
    expect(read).toMatchObject({ is: 'found', report: { reference: '1', amountKobo: 500_000, status: 'succeeded' } })
    const account = { accountNumber: '0123456789', bankCode: '801' }
    const retried = await (await answering('paystack-banks', 'paystack-refund-retry')).setBankDetails(
      'sk',
      '1234567',
      account,
    )
    expect(retried).toMatchObject({ is: 'accepted', report: { reference: '1234567', status: 'processing' } })
  })

  test('the Paystack client reads the documented example of a list of refunds', async () => {
    const paystack = await answering('paystack-refund-list')
    const found = await paystack.searchRefund('sk_test_x', { note: 'xxx', since: toTimestamp(0) })
    expect(found).toMatchObject({ is: 'found', report: { reference: '1', status: 'succeeded' } })
  })

  test('the Paystack client reads the documented example of a verified payment', async () => {
    const paystack = await answering('paystack-transaction-verify')
    expect(await paystack.findPayment('sk_test_x', 're4lyvq3s3')).toMatchObject({
      is: 'found',
      report: { isPaid: true, amountKobo: 40_333, method: 'card', paidAt: '2024-08-22T09:15:02.000Z' },
    })
  })

  test('the Paystack client reads the documented example of an initialized transaction', async () => {
    const paystack = await answering('paystack-transaction-initialize')
    const request = { reference: 're4lyvq3s3', amountKobo: 20_000, email: 'customer@email.com', callbackUrl: undefined }
    expect(await paystack.createCheckout('sk_test_x', { ...request, orderId: newOrderId(0) })).toEqual({
      is: 'created',
      url: 'https://checkout.paystack.com/3ni8kdavz62431k',
    })
  })

  test.for([
    ['refund-failed', { is: 'refund_moved', status: 'failed', amountKobo: 20_000 }],
    ['refund-needs-attention', { is: 'refund_moved', status: 'needs_attention', reference: '123456' }],
    ['refund-pending', { is: 'refund_moved', status: 'pending', amountKobo: 10_000 }],
    ['refund-processed', { is: 'refund_moved', status: 'succeeded', amountKobo: 5_000 }],
    ['refund-processing', { is: 'refund_moved', status: 'processing' }],
    ['charge-success', { is: 'unmatched', reason: 'no_order' }],
  ] as const)('the Paystack client reads the documented example of a %s event', ([name, report]) => {
    const { body } = vendorExample(`paystack-${name}-event`)
    expect(readPaystackCallback(Buffer.from(JSON.stringify(body))).report).toMatchObject(report)
  })

  test('the Paystack client reads the documented examples of an opened and a resolved dispute', () => {
    const read = (name: string) => readPaystackCallback(Buffer.from(JSON.stringify(vendorExample(name).body))).report
    expect(read('paystack-dispute-create')).toMatchObject({
      is: 'dispute',
      status: 'open',
      transaction: 'v3mjfgbnc19v97x',
    })
    expect(read('paystack-dispute-resolve')).toMatchObject({
      is: 'dispute',
      status: 'lost',
      resolution: 'auto-accepted',
    })
  })
})

describe('examples of Flutterwave’s documentation', () => {
  /** Responds to the requests with the vendor's examples, in turn. */
  const answering = async (...examples: readonly string[]) => {
    const server = await openContractServer<'any'>({ operationOf: () => 'any', work: () => [404, {}] })
    for (const example of examples) server.replay('any', example)
    return { server, flutterwave: openFlutterwave(openSend(), server.url) }
  }

  test('the Flutterwave client reads the documented example of a verified payment', async () => {
    const { server, flutterwave } = await answering('flutterwave-transaction-verify')
    expect(await flutterwave.findPayment('FLWSECK_TEST-x', 'txref-DI0NzMx13')).toMatchObject({
      is: 'found',
      report: {
        reference: 'txref-DI0NzMx13',
        providerId: '8415006',
        isPaid: true,
        amountKobo: 250_000,
        currency: 'NGN',
        method: 'card',
        paidAt: '2025-02-27T18:29:34.000Z',
        orderId: undefined,
      },
    })
    expect(server.requests.map(({ path, query }) => [path, query.get('tx_ref')])).toEqual([
      ['/transactions/verify_by_reference', 'txref-DI0NzMx13'],
    ])
  })

  test('the Flutterwave client reads the documented example of a created refund', async () => {
    const { server, flutterwave } = await answering('flutterwave-transaction-verify', 'flutterwave-refund-create')
    const request = { transaction: 'txref-DI0NzMx13', amountKobo: 500_000, note: 'rfd' }
    expect(await flutterwave.refund('FLWSECK_TEST-x', request)).toMatchObject({
      is: 'accepted',
      report: { reference: '8612', amountKobo: 500_000, status: 'processing' },
    })
    expect(server.requests.at(-1)).toMatchObject({
      path: '/transactions/8415006/refund',
      body: { amount: 5_000, comments: 'rfd' },
    })
  })

  test('the Flutterwave client reads the documented example of a list of transactions to its last page', async () => {
    const pages = Array.from({ length: 5 }, () => 'flutterwave-transaction-list')
    const { server, flutterwave } = await answering(...pages)
    const listed = await flutterwave.listPayments('FLWSECK_TEST-x', toTimestamp(Date.parse('2020-01-01T10:00:00Z')))
    const items = listed.is === 'listed' ? listed.items : []
    expect(items).toHaveLength(50)
    expect(items.filter(({ isPaid }) => isPaid)).toHaveLength(15)
    expect(items[7]).toMatchObject({ providerId: '989208', amountKobo: 10_000_000, method: 'bank_transfer' })
    expect(server.requests.map(({ query }) => [query.get('from'), query.get('status'), query.get('page')])).toEqual(
      ['1', '2', '3', '4', '5'].map((page) => ['2020-01-01', 'successful', page]),
    )
  })

  test('the Flutterwave client reads the documented examples of a list of refunds and of a refunded transaction', async () => {
    const { server, flutterwave } = await answering()
    // The documented list has placeholders instead of texts. Only the placeholder of the response's status must be
    // replaced.
    const list = { ...vendorExample('flutterwave-refund-list').body, status: 'success' }
    for (let page = 0; page < 3; page++) server.fail('any', { isAccepted: false, answer: [200, list] })
    server.replay('any', 'flutterwave-transaction-verify-by-id')
    const refund = { reference: '123', amountKobo: 12_300, status: undefined, refundId: undefined }
    expect(await flutterwave.listRefunds('FLWSECK_TEST-x', toTimestamp(0))).toMatchObject({
      is: 'listed',
      items: Array.from({ length: 3 }, () => ({ ...refund, transaction: 'LiveCardTest' })),
    })
  })

  test('the Flutterwave client reads the documented example of a list of chargebacks', async () => {
    const { flutterwave } = await answering('flutterwave-chargeback-list')
    expect(await flutterwave.listDisputes?.('FLWSECK_TEST-x', toTimestamp(0))).toMatchObject({
      is: 'listed',
      items: [
        {
          ...{ disputeId: 'flw_1390', transaction: '10', status: 'lost', lostKobo: 10_000, resolution: 'lost' },
          dueAt: '2020-09-23T15:59:59.000Z',
        },
      ],
    })
  })

  test('the service reads the payment reference from a callback with Flutterwave’s documented transaction, and reports that the charge names no order', () => {
    const { data } = vendorExample('flutterwave-transaction-verify').body
    const body = Buffer.from(JSON.stringify({ event: 'charge.completed', data }))
    expect(readFlutterwaveCallback(body)).toMatchObject({
      kind: 'charge.completed',
      report: { is: 'unmatched', reason: 'no_order', reference: 'txref-DI0NzMx13' },
    })
  })
})
