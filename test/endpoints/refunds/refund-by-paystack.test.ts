import { describe, expect, test } from 'vitest'
import type { SubmitOutcome } from '../../../src/partners/payments/provider.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { useApi } from '../../support/api.ts'
import { providersWith } from '../../support/commerce/payment-providers.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { openShopWith, type Settings } from '../../support/commerce/shop-settings.ts'
import { asOwner } from '../../support/database.ts'
import { eventsOf, select } from '../../support/database-contents.ts'

/**
 * Refunds through a payment provider, from POST /refunds to the provider's final status. The test clock advances step
 * by step.
 */

const started = useApi()

async function open(settings: Settings = {}) {
  const { api, shop } = await openShopWith(started(), settings)
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

describe('a refund of a Paystack payment', () => {
  test('a new refund of a Paystack payment is pending, counts as refunded and emits no event yet', async () => {
    const { api, shop, refund, get, getOrder } = await open({ tax_registered: true })
    const reply = await refund(400_000, { metadata: { ticket: 'T-1' } })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      status: 'pending',
      destination: 'original_payment',
      account: null,
      provider: 'paystack',
      providerReference: null,
      succeededAt: null,
      metadata: { ticket: 'T-1' },
      createdBy: { type: 'token', id: shop.tokenId },
      order: { refundedKobo: 0, refundableKobo: 600_000, paymentStatus: 'paid' },
    })
    expect(await get(reply.body.id)).toEqual(reply.body)
    expect(await getOrder()).toMatchObject({ refundedKobo: 0, refundPendingKobo: 400_000, refundableKobo: 600_000 })
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toEqual([])
  })

  test('a refund is submitted to Paystack once, polled until it succeeds, and emits one event', async () => {
    const { api, shop, refund, get, getOrder, server, work, later, reference } = await open({ tax_registered: true })
    const { id } = (await refund(400_000)).body
    const { version } = await getOrder()
    await work()
    expect(server.refunds).toMatchObject([
      { transactionReference: reference, amount: 400_000, merchantNote: id, status: 'pending' },
    ])
    expect(await get(id)).toMatchObject({
      status: 'pending',
      providerReference: '3000000',
      expectedAt: '2026-12-01T09:21:17.000Z',
    })
    expect((await getOrder()).version).toBe(version)
    server.move('processing')
    await later()
    expect(await get(id)).toMatchObject({ status: 'processing' })
    server.move('processed')
    await later()
    expect(await get(id)).toMatchObject({
      status: 'succeeded',
      succeededAt: expect.any(String),
      order: { refundedKobo: 400_000, refundableKobo: 600_000, paymentStatus: 'partially_refunded' },
    })
    expect(await getOrder()).toMatchObject({
      refundedKobo: 400_000,
      refundPendingKobo: 0,
      refundableKobo: 600_000,
      version: version + 1,
    })
    expect(server.requests.filter(({ line }) => line === 'POST /refund')).toHaveLength(1)
    const emitted = await eventsOf(api, shop.merchantId, 'order.refunded')
    expect(emitted).toMatchObject([{ data: { refund: { id, status: 'succeeded' }, fullyRefunded: false } }])
    expect(emitted[0].data.refund).toEqual(await get(id))
    expect(await select(api, 'select 1 from refunds where next_check_at is not null and id = $1', [id])).toEqual([])
  })

  test('each change of a refund of a Paystack payment has an audit row, and the actor of the job’s changes is the system', async () => {
    const { api, refund, server, work } = await open()
    server.newStatus = 'processed'
    const { id } = (await refund(400_000)).body
    api.clock.advance(1)
    await work()
    const rows = await select(
      api,
      'select action, actor_type, actor_label, changes from audit_log where resource_id = $1 order by id',
      [id],
    )
    expect(rows).toMatchObject([
      { action: 'refund.create', actor_type: 'token', changes: { refundPendingKobo: [0, 400_000] } },
      {
        action: 'refund.update',
        actor_type: 'system',
        actor_label: 'pay_refunds',
        changes: { status: ['pending', 'succeeded'], providerReference: [null, '3000000'] },
      },
    ])
  })

  test('a refund that Paystack rejects becomes failed, and its amount and VAT are refundable again', async () => {
    const { api, shop, refund, get, getOrder, server, work } = await open({ tax_registered: true })
    const before = await getOrder()
    const made = (await refund(before.totalKobo)).body
    expect(made.taxKobo).toBe(before.taxKobo)
    server.failRefund(made.id, 'create', 'refuses')
    await work()
    expect(await get(made.id)).toMatchObject({
      status: 'failed',
      failureCode: 'transaction_reversed',
      failureMessage: 'Transaction has been fully reversed',
      failedAt: expect.any(String),
    })
    expect(await getOrder()).toMatchObject({ refundPendingKobo: 0, refundedKobo: 0, refundableKobo: before.totalKobo })
    expect(await eventsOf(api, shop.merchantId, 'order.refunded')).toEqual([])
    expect((await refund(before.totalKobo)).body.taxKobo).toBe(before.taxKobo)
  })

  test('if a refund fails after Paystack accepted it, the units of its items are refundable again', async () => {
    const { refund, get, getOrder, server, work, later, order } = await open()
    const items = [{ itemId: order.items[0]?.id, quantity: 1 }]
    const { id } = (await refund(1_000_000, { items })).body
    await work()
    expect((await getOrder()).items).toMatchObject([{ refundedQuantity: 1 }])
    server.move('failed', 'Account closed')
    await later()
    expect(await get(id)).toMatchObject({ status: 'failed', failureMessage: 'Account closed' })
    expect((await getOrder()).items).toMatchObject([{ refundedQuantity: 0 }])
    expect((await refund(1_000_000, { items })).status).toBe(201)
  })

  test('a refund that the merchant pays manually to a bank account calls no payment provider, but reduces the refundable amount', async () => {
    const { refund, server, work } = await open()
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }
    expect((await refund(600_000, { destination })).body).toMatchObject({
      status: 'succeeded',
      destination: 'bank_account',
      account: { accountNumber: '******6789', bankCode: '058', accountName: 'Adaeze Okafor' },
      provider: 'manual',
    })
    await work()
    expect(server.refunds).toEqual([])
    expect((await refund(400_001)).body.error).toMatchObject({ details: { refundableKobo: 400_000 } })
  })
})

describe('an unknown outcome of a refund', () => {
  test('the service does not repeat a refund request while it cannot read Paystack’s list of refunds', async () => {
    const { refund, get, server, work, later } = await open()
    const { id } = (await refund(400_000)).body
    server.failRefund(id, 'create', 'never_answers')
    await work()
    for (let check = 0; check < 12; check++) {
      server.failReads('answers_500')
      await later()
    }
    expect(await get(id)).toMatchObject({ status: 'pending' })
    expect(server.requests.filter(({ line }) => line === 'POST /refund')).toHaveLength(1)
    // The service searches for the refund at the provider twice, ten minutes apart, before it submits the refund again.
    await later()
    expect(server.refunds).toEqual([])
    await later()
    expect(server.refunds).toHaveLength(1)
  })

  test('if Paystack rejects the second request for a refund because the first request succeeded, the refund does not fail', async () => {
    const { refund, get, server, work, later } = await open()
    const { id } = (await refund(400_000)).body
    server.failRefund(id, 'create', 'never_answers', 'refuses')
    await work()
    await later()
    // The refund appears in Paystack's list only after the service has searched for it, but before the service submits
    // it again.
    server.onRequest = (line) => {
      if (line !== 'POST /refund' || server.refunds.length > 0) return
      const createdAt = new Date().toISOString()
      const account = undefined
      server.refunds.push({
        ...{ id: 3_000_000, transactionReference: 'T', amount: 400_000, merchantNote: id },
        ...{ createdAt, status: 'processed', reason: null, account },
      })
    }
    await later()
    expect(await get(id)).toMatchObject({ status: 'succeeded' })
    expect(server.refunds).toHaveLength(1)
  })

  test('if Paystack’s response shows that a refund request was not processed, the request is repeated, and the refund can still be cancelled', async () => {
    const { api, shop, refund, get, server, work, later } = await open()
    const { id } = (await refund(400_000)).body
    server.failRefund(id, 'create', 'answers_429', 'answers_401', 'answers_429')
    await work()
    const other = (await refund(100_000)).body
    const requestsFor = (note: string) => server.requests.filter(({ body }) => Object(body).merchant_note === note)
    while (requestsFor(id).length < 3) await later()
    expect(await get(id)).toMatchObject({ status: 'pending' })
    const cancelled = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
    expect(cancelled.body).toMatchObject({ id, status: 'cancelled' })
    for (let check = 0; check < 3; check++) await later().catch(() => undefined)
    expect(server.refunds).toMatchObject([{ merchantNote: other.id }])
  })
})

describe('a crash of the refund worker', () => {
  test('a crash between recording and submitting a refund loses nothing, and the refund is submitted once', async () => {
    const { shop, refund, get, server, provider, context, later, work } = await open()
    const { id } = (await refund(400_000)).body
    const killed = { ...provider, refund: () => Promise.reject(new Error('The worker was killed.')) }
    await payRefunds({ ...context, providers: providersWith(killed) }, shop.merchantId)
    expect(server.requests).toEqual([])
    await work()
    expect(server.requests).toEqual([])
    await later()
    await later()
    expect(server.refunds).toMatchObject([{ merchantNote: id }])
    expect(await get(id)).toMatchObject({ providerReference: '3000000' })
  })

  test('after a crash before Paystack’s response was stored, the service finds the refund by its merchant note', async () => {
    const { api, refund, get, server, work, later } = await open()
    const { id } = (await refund(400_000)).body
    await asOwner(
      api,
      `create function fail() returns trigger language plpgsql as 'begin raise exception ''killed''; end'`,
    )
    await asOwner(api, 'create trigger fail before insert on audit_log for each row execute function fail()')
    await work()
    await asOwner(api, 'drop function fail cascade')
    expect(await get(id)).toMatchObject({ status: 'pending', providerReference: null })
    expect(server.refunds).toHaveLength(1)
    server.move('processed')
    await later()
    expect(await get(id)).toMatchObject({ status: 'succeeded' })
    expect(server.refunds).toHaveLength(1)
  })

  test('a worker that was suspended before it submitted a refund does not submit the refund when the worker resumes', async () => {
    const { api, shop, refund, server, context, later } = await open()
    const { id } = (await refund(400_000)).body
    const frozen = {
      ...context,
      vault: {
        ...context.vault,
        open: (...args: Parameters<typeof context.vault.open>) => {
          api.clock.advance(60_000)
          return context.vault.open(...args)
        },
      },
    }
    await payRefunds(frozen, shop.merchantId)
    expect(server.requests).toEqual([])
    await later()
    await later()
    expect(server.refunds).toMatchObject([{ merchantNote: id }])
  })

  test('a worker that was suspended during its refund request does not overwrite the result of a later attempt', async () => {
    const { shop, refund, get, server, provider, context, later } = await open()
    const { id } = (await refund(400_000)).body
    const submitting = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<SubmitOutcome>()
    const frozenRefund = () => {
      submitting.resolve()
      return answer.promise
    }
    const providers = providersWith({ ...provider, refund: frozenRefund })
    const frozen = payRefunds({ ...context, providers }, shop.merchantId)
    await submitting.promise
    await later()
    server.failRefund(id, 'create', 'accepts_and_never_answers')
    await later()
    expect(server.refunds).toHaveLength(1)
    server.failReads('answers_500', 'answers_500')
    answer.resolve({ is: 'not_submitted', reason: 'dns' })
    await frozen
    for (let check = 0; check < 3; check++) await later()
    expect(server.refunds).toMatchObject([{ merchantNote: id }])
    expect(await get(id)).toMatchObject({ providerReference: '3000000' })
  })
})
