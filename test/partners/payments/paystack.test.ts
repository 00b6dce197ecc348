import { expect, onTestFinished, test } from 'vitest'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openPaystack } from '../../../src/partners/payments/paystack.ts'
import { openPaystackServer } from './paystack-server.ts'

const note = 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k'
const request = { transaction: 'T685312322670591', amountKobo: 500_000, note }
const since = toTimestamp(systemClock.nowMs() - 86_400_000)

async function open() {
  const server = await openPaystackServer()
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  return { server, key: server.secretKey, paystack: openPaystack(server.reach(outbound.fetch), server.url) }
}

test('the Paystack client submits a refund with the amount in kobo, the refund’s id in the note, and the merchant’s key', async () => {
  const { server, key, paystack } = await open()
  expect(await paystack.refund(key, request)).toEqual({
    is: 'accepted',
    report: {
      reference: '3000000',
      status: 'pending',
      amountKobo: 500_000,
      expectedAt: '2026-12-01T09:21:17.000Z',
      reason: null,
    },
  })
  expect(server.requests).toEqual([
    {
      line: 'POST /refund',
      authorization: 'Bearer sk_live_local',
      body: { transaction: 'T685312322670591', amount: 500_000, currency: 'NGN', merchant_note: note },
    },
  ])
})

test('the Paystack client returns Paystack’s code and message for a rejection', async () => {
  const { server, key, paystack } = await open()
  server.failRefund(note, 'create', 'refuses')
  expect(await paystack.refund(key, request)).toEqual({
    is: 'refused',
    code: 'transaction_reversed',
    message: 'Transaction has been fully reversed',
  })
})

test.for([
  ['pending', 'pending'],
  ['processing', 'processing'],
  ['needs-attention', 'needs_attention'],
  ['processed', 'succeeded'],
  ['failed', 'failed'],
] as const)('the Paystack client maps Paystack’s refund status %s to %s', async ([theirs, ours]) => {
  const { server, key, paystack } = await open()
  server.newStatus = theirs
  expect(await paystack.refund(key, request)).toMatchObject({ is: 'accepted', report: { status: ours } })
})

test('the Paystack client reads an amount that Paystack sends as a string', async () => {
  const { server, key, paystack } = await open()
  server.sendsAmountsAsStrings = true
  await paystack.refund(key, request)
  expect(await paystack.findRefund(key, '3000000')).toMatchObject({ is: 'found', report: { amountKobo: 500_000 } })
})

test('the Paystack client lists all of 2,100 payments of the compared days', async () => {
  const { server, key, paystack } = await open()
  const count = 2_100
  for (let index = 0; index < count; index++)
    server.transactions.push({ reference: `T${index}`, amount: 100, status: 'success', currency: 'NGN' })
  const listed = await paystack.listPayments(key, since)
  expect(listed.is === 'listed' ? new Set(listed.items.map(({ reference }) => reference)).size : listed).toBe(count)
})

test('the Paystack client reads further pages of refunds even if a page has fewer records than requested', async () => {
  const { server, key, paystack } = await open()
  server.pageMax = 2
  await paystack.refund(key, request)
  for (let index = 0; index < 3; index++) await paystack.refund(key, { ...request, note: `rfd_other_${index}` })
  expect(await paystack.searchRefund(key, { note, since })).toMatchObject({ is: 'found' })
  expect(await paystack.searchRefund(key, { note: 'rfd_nowhere', since })).toEqual({ is: 'missing' })
  server.pageMax = 1
  server.move('needs-attention')
  const account = { accountNumber: '0123456789', bankCode: '058' }
  expect(await paystack.setBankDetails(key, '3000003', account)).toMatchObject({ is: 'accepted' })
})

test('the Paystack client submits a bank account with Paystack’s own id of the bank instead of the bank code', async () => {
  const { server, key, paystack } = await open()
  server.newStatus = 'needs-attention'
  await paystack.refund(key, request)
  const account = { accountNumber: '0123456789', bankCode: '058' }
  expect(await paystack.setBankDetails(key, '3000000', account)).toMatchObject({
    is: 'accepted',
    report: { status: 'processing' },
  })
  expect(server.refunds[0]?.account).toEqual({ accountNumber: '0123456789', bankId: '9' })
  expect(await paystack.setBankDetails(key, '3000000', account)).toMatchObject({
    is: 'refused',
    code: 'invalid_params',
  })
})

test('the Paystack client rejects an unknown bank before submitting the account', async () => {
  const { server, key, paystack } = await open()
  server.newStatus = 'needs-attention'
  await paystack.refund(key, request)
  const outcome = await paystack.setBankDetails(key, '3000000', { accountNumber: '0123456789', bankCode: '999' })
  expect(outcome).toMatchObject({ is: 'refused', code: 'unknown_bank' })
  expect(server.refunds[0]?.status).toBe('needs-attention')
})

test('the Paystack client removes characters that the database cannot store from the messages of Paystack', async () => {
  const { server, key, paystack } = await open()
  server.newStatus = 'failed'
  await paystack.refund(key, request)
  server.move('failed', `Account\0 closed ${'!'.repeat(1000)}`)
  const found = await paystack.findRefund(key, '3000000')
  if (found.is !== 'found') throw new Error(found.is)
  expect(found.report.reason).toMatch(/^Account closed !+$/)
  expect(found.report.reason).toHaveLength(500)
})

const page = {
  reference: 'pln-01jd3f8q6hf5n8v1zr4c7e2m9k',
  amountKobo: 3_250_000,
  orderId: OrderId.parse('ord_01jd3f8q6hf5n8v1zr4c7e2m9k'),
  email: 'adaeze.okafor@example.com',
  callbackUrl: 'https://shop.example.com/thanks',
}

test('the Paystack client initializes a transaction with the order in its metadata, and returns the URL of the page', async () => {
  const { server, key, paystack } = await open()
  expect(await paystack.createCheckout(key, page)).toEqual({
    is: 'created',
    url: 'https://checkout.paystack.com/page1',
  })
  const { reference, email, callbackUrl: callback_url, orderId } = page
  const metadata = JSON.stringify({ orderId })
  expect(server.requests).toEqual([
    {
      line: 'POST /transaction/initialize',
      authorization: 'Bearer sk_live_local',
      body: { reference, amount: 3_250_000, currency: 'NGN', email, callback_url, metadata },
    },
  ])
})

test('if Paystack reports that the reference of a payment page is in use, the Paystack client returns an unknown outcome, because the page exists', async () => {
  const { server, key, paystack } = await open()
  await paystack.createCheckout(key, page)
  expect(await paystack.createCheckout(key, page)).toEqual({ is: 'unknown', reason: 'duplicate_reference' })
  expect(server.checkouts).toHaveLength(1)
})
