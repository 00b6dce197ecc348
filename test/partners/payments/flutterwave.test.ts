import { describe, expect, test } from 'vitest'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { flutterwave } from '../../../src/partners/payments/flutterwave.ts'
import { readFlutterwaveRefund } from '../../../src/partners/payments/flutterwave-refunds.ts'
import { chargeEvent, flutterwaveTransaction } from './flutterwave-bench.ts'
import { openFlutterwaveServer } from './flutterwave-server.ts'
import { openClient } from './provider-bench.ts'

const note = 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k'
const orderId = 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k'
const since = toTimestamp(systemClock.nowMs() - 86_400_000)

async function open(more: object = {}) {
  const server = await openFlutterwaveServer()
  const transaction = flutterwaveTransaction({ reference: 'T1', amountKobo: 1_000_000, orderId }, more)
  server.transactions.push(transaction)
  return { server, key: server.secretKey, client: openClient(flutterwave, server), transaction }
}

test('the Flutterwave client submits a refund with the id of the refunded transaction and the amount in naira', async () => {
  const { server, key, client, transaction } = await open()
  const request = { transaction: 'T1', amountKobo: 500_005, note }
  expect(await client.refund(key, request)).toEqual({
    is: 'accepted',
    report: { reference: '8600', status: 'processing', amountKobo: 500_005, expectedAt: null, reason: null },
  })
  const authorization = `Bearer ${key}`
  expect(server.requests).toEqual([
    { line: 'GET /transactions/verify_by_reference', authorization, body: undefined },
    {
      line: `POST /transactions/${transaction.id}/refund`,
      authorization,
      body: { amount: 5000.05, comments: note },
    },
  ])
})

test('if only the second of two transactions with the same reference succeeded, the Flutterwave client finds and refunds that transaction', async () => {
  const { server, key, client, transaction } = await open({ status: 'failed' })
  server.transactions.push({ ...transaction, id: 77, status: 'successful' })
  expect(await client.findPayment(key, 'T1')).toMatchObject({ report: { isPaid: true, providerId: '77', orderId } })
  await client.refund(key, { transaction: 'T1', amountKobo: 100, note })
  expect(server.refunds).toMatchObject([{ transactionId: 77 }])
})

test('the Flutterwave client submits no refund while it cannot find the transaction', async () => {
  const { server, key, client } = await open()
  const request = { transaction: 'T1', amountKobo: 500_000, note }
  server.failReads('answers_500')
  expect(await client.refund(key, request)).toEqual({ is: 'not_submitted', reason: 'http_500' })
  expect(await client.refund(key, { ...request, transaction: 'T2' })).toEqual({
    is: 'refused',
    code: 'transaction_not_found',
    message: 'Flutterwave has no transaction with the reference T2.',
  })
  expect(server.requests.every(({ line }) => line.startsWith('GET'))).toBe(true)
})

test.for([
  [1, 100],
  [0.01, 1],
  [0.29, 29],
  [1.1, 110],
  [403.33, 40_333],
  [1_234_567_890.12, 123_456_789_012],
  ['4035.5', 403_550],
  [0.1 + 0.2, undefined],
  [10.005, undefined],
  ['1.000', undefined],
  [-5, undefined],
  [1e21, undefined],
  [null, undefined],
])('the Flutterwave client reads %j naira as %j kobo', async ([amount, amountKobo]) => {
  const { key, client } = await open({ amount })
  const found = await client.findPayment(key, 'T1')
  expect(found).toMatchObject({ is: 'found', report: { isPaid: true } })
  expect(found.is === 'found' && found.report.amountKobo).toBe(amountKobo)
})

test.for([
  1, 29, 110, 40_333, 999_999_999_999,
])('the Flutterwave client sends %i kobo as an exact number of naira', async (amountKobo) => {
  const { server, key, client } = await open()
  await client.refund(key, { transaction: 'T1', amountKobo, note })
  expect((server.refunds[0]?.amount ?? 0).toFixed(2).replace('.', '')).toBe(String(amountKobo).padStart(3, '0'))
  expect(await client.searchRefund(key, { note, since })).toMatchObject({ is: 'found', report: { amountKobo } })
})

test.for([
  ['new', 'pending'],
  ['pending', 'pending'],
  ['processing', 'processing'],
  ['completed', 'processing'],
  ['pending-momo', 'processing'],
  ['completed-bank-transfer', 'succeeded'],
  ['completed-mpgs', 'succeeded'],
  ['completed-offline', 'succeeded'],
  ['completed-preauth', 'succeeded'],
  ['failed', 'failed'],
  ['constructor', undefined],
] as const)('the Flutterwave client maps Flutterwave’s refund status %s to %s', async ([theirs, ours]) => {
  const { server, key, client } = await open()
  server.newStatus = theirs
  const submitted = await client.refund(key, { transaction: 'T1', amountKobo: 100, note })
  expect(submitted).toMatchObject({ is: 'accepted' })
  expect(submitted.is === 'accepted' && submitted.report.status).toBe(ours)
})

test.for([
  ['card', 'card'],
  ['account', 'bank_transfer'],
  ['bank_transfer', 'bank_transfer'],
  ['banktransfer', 'bank_transfer'],
  ['ussd', 'ussd'],
  ['opay', 'other'],
  ['constructor', 'other'],
])('the Flutterwave client maps the payment type %s to the method %s', async ([payment_type, method]) => {
  const { key, client } = await open({ payment_type })
  expect(await client.findPayment(key, 'T1')).toMatchObject({ report: { method } })
})

test.for([
  ['successful', true],
  ['failed', false],
  ['pending', false],
] as const)('a Flutterwave transaction with the status %s is paid: %s', async ([status, isPaid]) => {
  const { key, client } = await open({ status })
  expect(await client.findPayment(key, 'T1')).toMatchObject({ report: { isPaid, providerStatus: status } })
  expect(await client.listPayments(key, since)).toMatchObject({ is: 'listed' })
})

test('the Flutterwave client returns listed payments without their order ids, because Flutterwave’s list contains no metadata', async () => {
  const { key, client } = await open({ created_at: since })
  const [listed] = await client
    .listPayments(key, since)
    .then((outcome) => (outcome.is === 'listed' ? outcome.items : []))
  expect(listed).toMatchObject({ reference: 'T1', orderId: undefined })
  expect(await client.findPayment(key, 'T1')).toMatchObject({ report: { orderId } })
})

test('when the Flutterwave client lists refunds, it looks up each transaction that was refunded in Flutterwave’s dashboard only once', async () => {
  const { server, key, client, transaction } = await open()
  const made = { transactionId: Number(transaction.id), amount: 10, createdAt: '2999', status: 'completed-offline' }
  server.refunds.push({ ...made, id: 1, comment: 'by hand' }, { ...made, id: 2, comment: note })
  server.refunds.push({ ...made, id: 3, comment: '' }, { ...made, id: 4, transactionId: 5, comment: '' })
  const listed = await client.listRefunds(key, since)
  expect(listed).toMatchObject({
    is: 'listed',
    items: [
      { reference: '4', refundId: undefined, transaction: undefined },
      { reference: '3', refundId: undefined, transaction: 'T1' },
      { reference: '2', refundId: note },
      { reference: '1', refundId: undefined, transaction: 'T1' },
    ],
  })
  expect(server.requests.filter(({ line }) => line.endsWith('/verify'))).toHaveLength(2)
})

test('if the lookup of a refund’s transaction fails, the Flutterwave client lists the refund without the transaction’s reference', async () => {
  const { server, key, client, transaction } = await open()
  const made = { amount: 10, createdAt: '2999', status: 'completed-offline', comment: 'by hand' }
  server.refunds.push({ ...made, id: 1, transactionId: Number(transaction.id) }, { ...made, id: 2, transactionId: 5 })
  server.onRequest = (line) => {
    if (line.endsWith('/5/verify')) server.failReads('answers_500')
  }
  expect(await client.listRefunds(key, since)).toMatchObject({
    is: 'listed',
    items: [
      { reference: '2', transaction: undefined },
      { reference: '1', transaction: 'T1' },
    ],
  })
})

test('after three failed lookups of refunded transactions, the Flutterwave client makes no further lookups and still lists all refunds', async () => {
  const { server, key, client } = await open()
  const made = { amount: 10, createdAt: '2999', status: 'completed-offline', comment: 'by hand' }
  for (let id = 1; id <= 9; id++) server.refunds.push({ ...made, id, transactionId: id })
  server.onRequest = (line) => {
    if (line.endsWith('/verify')) server.failReads('answers_500')
  }
  const listed = await client.listRefunds(key, since)
  expect(listed.is === 'listed' && listed.items).toHaveLength(9)
  expect(server.requests.filter(({ line }) => line.endsWith('/verify'))).toHaveLength(3)
})

test.for([
  ['completed', { disburse_status: 'successful' }, 'succeeded'],
  ['completed', '{"disburse_status":"successful"}', 'succeeded'],
  ['completed', '{"disburse_status":"failed"}', 'failed'],
  ['completed', { disburse_status: 'pending' }, 'processing'],
  ['completed', '{', 'processing'],
  ['completed', null, 'processing'],
  ['failed', { disburse_status: 'successful' }, 'failed'],
] as const)('the Flutterwave client maps a refund with the status %s and the metadata %j to %s', ([
  theirs,
  meta,
  ours,
]) => {
  expect(readFlutterwaveRefund({ id: 1, status: theirs, meta })).toMatchObject({ status: ours })
})

test.for([
  ['initiated', 'open'],
  ['declined', 'open'],
  ['won', 'won'],
  ['accepted', 'lost'],
  ['lost', 'lost'],
  ['reversed', 'unclear'],
] as const)('the Flutterwave client maps the chargeback status %s to a dispute that is %s', async ([
  theirs,
  status,
]) => {
  const { server, key, client } = await open()
  const due_date = '2026-12-04T15:59:59.000Z'
  server.chargebacks.push({ id: 5, tx_ref: 'T1', amount: 250.5, status: theirs, due_date, created_at: '2999' })
  const lostKobo = status === 'lost' ? 25_050 : undefined
  const named = { disputeId: 'flw_5', transaction: 'T1', dueAt: due_date, lostKobo }
  expect(await client.listDisputes?.(key, since)).toMatchObject({ is: 'listed', items: [{ ...named, status }] })
})

test.for([
  ['FLWSECK-4f1c2b7a9d-X', 'live'],
  ['FLWSECK-4f1c2b7a9d-193ab2vt-X', 'live'],
  ['FLWSECK_TEST-4f1c2b7a9d-X', 'test'],
  ['FLWPUBK-4f1c2b7a9d-X', undefined],
  ['FLWSECK_TEST4f1c2b7a9d', undefined],
  ['FLWSECK-4f1c2b7a9d', undefined],
  ['FLWSECK-4f 1c-X', undefined],
] as const)('the mode of the Flutterwave key %s is %s', ([secretKey, mode]) => {
  expect(flutterwave.keyModeOf(secretKey)).toBe(mode)
})

describe('a Flutterwave callback', () => {
  const read = (content: unknown) => flutterwave.readCallback(Buffer.from(JSON.stringify(content)))

  test('a Flutterwave callback has the secret hash of the merchant in its header', () => {
    const is = (hash: string | undefined, secret: string) =>
      flutterwave.isSigned({ body: Buffer.from(''), headers: hash === undefined ? {} : { 'verif-hash': hash } }, secret)
    expect(is('the-secret-hash', 'the-secret-hash')).toBe(true)
    expect(is('the-secret-hasH', 'the-secret-hash')).toBe(false)
    expect(is('the-secret', 'the-secret-hash')).toBe(false)
    expect(is(undefined, 'the-secret-hash')).toBe(false)
    expect(is('', '')).toBe(false)
    expect(is(undefined, '')).toBe(false)
  })

  test('the callback of a charge names the reference of the transaction', () => {
    const event = chargeEvent(flutterwaveTransaction({ reference: 'T1', amountKobo: 100, orderId }))
    expect(read(event)).toMatchObject({ kind: 'charge.completed', paymentReference: 'T1', report: { reference: 'T1' } })
    const failed = chargeEvent(flutterwaveTransaction({ reference: 'T1', amountKobo: 100 }, { status: 'failed' }))
    expect(read(failed)).toMatchObject({ report: { is: 'other', reason: 'not_paid' }, paymentReference: 'T1' })
  })

  test('the client reads the id of a refund from the refund’s callback, whose body is the refund itself', () => {
    const refund = { id: 89074, AmountRefunded: 70, status: 'completed', FlwRef: 'URF', TransactionId: 123456 }
    const report = { is: 'refund_moved', reference: '89074', amountKobo: 7_000, status: 'processing' }
    expect(read(refund)).toMatchObject({ kind: 'refund.updated', report })
  })

  test.for([
    [[], 'unreadable'],
    [{ event: 'charge.completed' }, 'unreadable'],
    [{ event: 'transfer.completed', data: {} }, 'kind_not_used'],
    [{ event: 'refund.completed', data: {} }, 'unreadable'],
    [{ event: 'chargeback.created', data: {} }, 'unreadable'],
  ])('the Flutterwave callback %j is ignored with the reason %s', ([content, reason]) => {
    expect(read(content).report).toEqual({ is: 'other', reason })
    expect(flutterwave.readCallback(Buffer.from('{')).report).toEqual({ is: 'other', reason: 'unreadable' })
  })
})
