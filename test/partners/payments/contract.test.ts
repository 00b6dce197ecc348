import { describe, expect, onTestFinished, test } from 'vitest'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { ErrorText } from '../../../src/partners/payments/api-calls.ts'
import { providerBenches } from './benches.ts'
import type { Fault } from './faults.ts'

/** The adapters of all payment providers, each against a fake server of the provider's public contract. */

const note = 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k'
const payment = { reference: 'T685312322670591', amountKobo: 1_000_050 }
const request = { transaction: payment.reference, amountKobo: 500_025, note }
const since = toTimestamp(systemClock.nowMs() - 86_400_000)

const unclear: readonly Fault[] = [
  'accepts_and_never_answers',
  'accepts_and_breaks_off',
  'accepts_and_answers_500',
  'accepts_and_answers_nonsense',
  'accepts_and_answers_half',
  'accepts_and_answers_too_much',
  'never_answers',
  'answers_500',
  'answers_502_as_html',
  'redirects',
]

const page = {
  reference: 'pln-01jd3f8q6hf5n8v1zr4c7e2m9k',
  amountKobo: 3_250_050,
  orderId: OrderId.parse('ord_01jd3f8q6hf5n8v1zr4c7e2m9k'),
  email: 'adaeze.okafor@example.com',
  callbackUrl: 'https://shop.example.com/thanks',
}

describe.for(providerBenches)('the %s client', ([name, openBench]) => {
  const open = async () => {
    const bench = await openBench()
    bench.receive(payment)
    return { ...bench, key: bench.secretKey }
  }

  test(`the ${name} client submits the refund’s id in the note, and then finds the refund both by the provider’s id and by that note`, async () => {
    const { client, key, refunds, submissions, requests } = await open()
    const submitted = await client.refund(key, request)
    const [refund] = refunds()
    expect(refund).toMatchObject({ note, amountKobo: 500_025 })
    const report = { reference: refund?.reference, amountKobo: 500_025 }
    expect(submitted).toMatchObject({ is: 'accepted', report })
    expect(await client.findRefund(key, refund?.reference ?? '')).toMatchObject({ is: 'found', report })
    expect(await client.searchRefund(key, { note, since })).toMatchObject({ is: 'found', report })
    expect(submissions()).toBe(1)
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${key}`]))
  })

  test.for(
    unclear,
  )(`the ${name} client returns the outcome \`unknown\`, and never the outcome \`rejected\`, when ${name} %s`, async (fault) => {
    const { client, key, failRefund, submissions } = await open()
    failRefund(note, fault)
    expect(await client.refund(key, request)).toMatchObject({ is: 'unknown' })
    expect(submissions()).toBe(1)
    const found = await client.searchRefund(key, { note, since })
    expect(found.is).toBe(fault.startsWith('accepts') ? 'found' : 'missing')
  })

  test.for<[Fault, string]>([
    ['answers_429', 'http_429'],
    ['answers_401', 'http_401'],
  ])(`the ${name} client returns the outcome not_submitted when ${name} %s`, async ([fault, reason]) => {
    const { client, key, failRefund, refunds } = await open()
    failRefund(note, fault)
    expect(await client.refund(key, request)).toEqual({ is: 'not_submitted', reason })
    expect(refunds()).toEqual([])
  })

  test(`the ${name} client returns the outcome not_submitted when the host name does not resolve`, async () => {
    const { adapter, key } = await open()
    const outbound = openSafeFetch({ allowsLoopback: false })
    onTestFinished(() => outbound.close())
    const client = adapter.open(outbound.fetch, 'https://provider.invalid')
    expect(await client.refund(key, request)).toMatchObject({ is: 'not_submitted' })
  })

  test(`the ${name} client rejects a URL on this machine unless the address policy allows it`, async () => {
    const { adapter, key } = await open()
    const outbound = openSafeFetch({ allowsLoopback: false })
    onTestFinished(() => outbound.close())
    const client = adapter.open(outbound.fetch, 'http://127.0.0.1:1')
    expect(await client.refund(key, request)).toEqual({ is: 'not_submitted', reason: 'destination_refused' })
  })

  test(`the ${name} client returns ${name}’s message for a rejection`, async () => {
    const { client, key, failRefund, refunds } = await open()
    failRefund(note, 'refuses')
    const message = expect.stringMatching(/^Transaction has been fully (reversed|refunded)$/)
    expect(await client.refund(key, request)).toMatchObject({ is: 'refused', message })
    expect(refunds()).toEqual([])
  })

  test(`the ${name} client finds a refund by its note on a later page, and reports a refund as missing only after it has read all pages`, async () => {
    const { client, key, refunds } = await open()
    await client.refund(key, request)
    for (let index = 0; index < 101; index++) await client.refund(key, { ...request, note: `other ${index}` })
    const reference = refunds()[0]?.reference
    expect(await client.searchRefund(key, { note, since })).toMatchObject({ is: 'found', report: { reference } })
    const nowhere = note.replace('rfd_01', 'rfd_02')
    expect(await client.searchRefund(key, { note: nowhere, since })).toEqual({ is: 'missing' })
    expect(await client.listRefunds(key, since)).toMatchObject({ is: 'listed', items: { length: 102 } })
  })

  test(`the ${name} client returns the outcome unavailable when it cannot read ${name}’s refunds and payments`, async () => {
    const { client, key, failReads } = await open()
    const faults: Fault[] = [...unclear.filter((fault) => fault !== 'accepts_and_answers_nonsense'), 'answers_429']
    for (const fault of [...faults, 'answers_401'] as const) {
      failReads(fault)
      expect(await client.searchRefund(key, { note, since }), fault).toMatchObject({ is: 'unavailable' })
      failReads(fault)
      expect(await client.findRefund(key, '3000000'), fault).toMatchObject({ is: 'unavailable' })
      failReads(fault)
      expect(await client.findPayment(key, payment.reference), fault).toMatchObject({ is: 'unavailable' })
      failReads(fault)
      expect(await client.listPayments(key, since), fault).toMatchObject({ is: 'unavailable' })
    }
    expect(await client.findRefund(key, '3000000')).toEqual({ is: 'missing' })
    expect(await client.findPayment(key, 'T0')).toEqual({ is: 'missing' })
  })

  test(`the ${name} client reads a payment with its amount, its currency and its order id, and also lists this payment`, async () => {
    const { client, key, receive } = await open()
    const paidAt = toTimestamp(systemClock.nowMs())
    receive({ reference: 'T2', amountKobo: 40_333, orderId: page.orderId, paidAt })
    const report = { reference: 'T2', isPaid: true, amountKobo: 40_333, currency: 'NGN', method: 'card', paidAt }
    const found = await client.findPayment(key, 'T2')
    expect(found).toMatchObject({ is: 'found', report: { ...report, orderId: page.orderId } })
    const listed = await client.listPayments(key, since)
    expect(listed).toMatchObject({ is: 'listed', items: expect.arrayContaining([expect.objectContaining(report)]) })
  })

  test(`the ${name} client creates no refund with an invalid secret key, and returns the outcome not_submitted`, async () => {
    const { client, refunds } = await open()
    expect(await client.refund('another-key', request)).toEqual({ is: 'not_submitted', reason: 'http_401' })
    expect(refunds()).toEqual([])
  })

  test(`the ${name} client creates a page on which a buyer pays, and returns its URL`, async () => {
    const { client, key } = await open()
    const url = expect.stringMatching(/^https:\/\/checkout\.[a-z]+\.com\/[\w/]+$/)
    expect(await client.createCheckout(key, page)).toEqual({ is: 'created', url })
  })

  test.for(
    unclear,
  )(`the ${name} client returns the outcome \`unknown\` for a payment page when ${name} %s`, async (fault) => {
    const { client, key, failCheckouts, requests } = await open()
    failCheckouts(fault)
    expect(await client.createCheckout(key, page)).toMatchObject({ is: 'unknown' })
    expect(requests).toHaveLength(1)
  })

  test.for<[Fault, object]>([
    ['answers_429', { is: 'not_submitted', reason: 'http_429' }],
    ['answers_401', { is: 'not_submitted', reason: 'http_401' }],
    ['refuses', { is: 'refused' }],
  ])(`the ${name} client reports that no payment page was created if ${name} responds with the fault %s`, async ([
    fault,
    outcome,
  ]) => {
    const { client, key, failCheckouts } = await open()
    failCheckouts(fault)
    expect(await client.createCheckout(key, page)).toMatchObject(outcome)
  })
})

test('an error message of a provider that is shortened within an emoji contains only characters that can be stored', () => {
  const long = `${'x'.repeat(499)}😀`
  expect(ErrorText.parse(long)).toBe(`${'x'.repeat(499)}\uFFFD`)
})
