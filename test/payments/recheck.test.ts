import { expect, test } from 'vitest'
import { recheckOpenRefunds } from '../../src/payments/recheck-refunds.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { select } from '../support/contents.ts'
import { paidByPaystack } from '../support/paystack.ts'
import { openShopWith } from '../support/settings.ts'
import { operator } from '../support/shop.ts'

/** Refunds after a failover or a restore: the database may have forgotten that they were submitted. */

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

/** As a standby has it that never received the claim. */
async function forgetClaim(api: TestApi, id: string, createdProcess?: string): Promise<void> {
  await select(
    api,
    `update refunds
     set provider_asked_at = null, provider_reference = null, looks = 0, next_look_at = created_at,
       created_process = coalesce($2, created_process)
     where id = $1`,
    [id, createdProcess],
  )
}

const submissions = (server: { requests: readonly { line: string }[] }) =>
  server.requests.filter(({ line }) => line === 'POST /refund')

test.for([
  ['by the process that submitted it', undefined],
  ['by another process', 'prc_other'],
] as const)('a refund whose claim a failover lost is not submitted twice %s', async ([, process]) => {
  const { api, refund, work, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await forgetClaim(api, id, process)
  await work()
  expect(submissions(server)).toHaveLength(1)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000' })
})

test('a refund of another process is submitted when two searches ten minutes apart do not find it', async () => {
  const { api, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await forgetClaim(api, id, 'prc_other')
  server.failReads('answers_500')
  await work()
  await later()
  const firstMs = api.clock.nowMs()
  expect(submissions(server)).toEqual([])
  await later()
  expect(api.clock.nowMs() - firstMs).toBeGreaterThanOrEqual(600_000)
  expect(submissions(server)).toMatchObject([{ body: { merchant_note: id } }])
})

test('a refund of another process can be cancelled until it is submitted', async () => {
  const { api, shop, refund, work, server } = await open()
  const { id } = (await refund(400_000)).body
  await forgetClaim(api, id, 'prc_other')
  await work()
  const reply = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  expect(reply.body).toMatchObject({ status: 'cancelled' })
  expect(submissions(server)).toEqual([])
})

/** Hides what Paystack has from its list, as when it lists a refund late. */
function hideRefunds(server: { refunds: unknown[] }) {
  const hidden = server.refunds.splice(0)
  return () => server.refunds.push(...hidden)
}

test.for([
  ['the process that submitted it', undefined],
  ['another process', 'prc_other'],
] as const)('a refund that Paystack lists late is not submitted twice by %s after a failover', async ([, process]) => {
  const { api, shop, refund, work, later, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await forgetClaim(api, id, process)
  const list = hideRefunds(server)
  await work()
  if (process === undefined) {
    // Only this process knows that it was submitted.
    const reply = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
    expect(reply.body.error.code).toBe('refund_not_cancellable')
  }
  list()
  await later()
  expect(submissions(server)).toHaveLength(1)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000' })
})

test('a refusal after a failover fails no refund that Paystack lists by then', async () => {
  const { api, refund, work, later, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await forgetClaim(api, id)
  const list = hideRefunds(server)
  server.failRefund(id, 'create', 'refuses')
  server.onRequest = (line) => {
    if (line === 'POST /refund') list()
  }
  await work()
  await later()
  expect(submissions(server)).toHaveLength(2)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000', failureCode: null })
})

test('after a second submission without an answer both searches are made anew', async () => {
  const { api, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await forgetClaim(api, id, 'prc_other')
  server.failRefund(id, 'create', 'never_answers')
  await work()
  await later()
  const submittedMs = api.clock.nowMs()
  await later()
  expect(submissions(server)).toHaveLength(1)
  await later()
  expect(api.clock.nowMs() - submittedMs).toBeGreaterThanOrEqual(600_000)
  expect(submissions(server)).toHaveLength(2)
})

test('a refund of this process is submitted without a search', async () => {
  const { refund, work, server } = await open()
  await refund(400_000)
  await work()
  expect(server.requests.map(({ line }) => line)).toEqual(['POST /refund'])
})

test('a recheck after a restore submits only what stays missing at the provider, and is audited', async () => {
  const { api, shop, refund, work, later, server, context, get } = await open()
  const known = (await refund(400_000)).body.id
  await work()
  const never = (await refund(100_000)).body.id
  await forgetClaim(api, known)
  expect(await recheckOpenRefunds(context, operator, [shop.merchantId])).toBe(2)
  server.requests.splice(0)
  await work()
  expect(submissions(server)).toEqual([])
  expect(await get(known)).toMatchObject({ providerReference: '3000000' })
  expect((await get(never)).providerReference).toBeNull()
  await later()
  expect(submissions(server)).toMatchObject([{ body: { merchant_note: never } }])
  const rows = await select(
    api,
    "select changes from audit_log where action = 'refunds.recheck' and merchant_id = $1",
    [shop.merchantId],
  )
  expect(rows).toEqual([{ changes: { refundsToSearch: [null, 2] } }])
})

test('another amount at the provider is notified once', async () => {
  const { api, shop, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  server.refunds[0] = { ...server.refunds[0], amount: 300_000 } as never
  await later()
  await later()
  expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toMatchObject([
    { kind: 'refund.amount_differs', data: { refundId: id, amountKobo: 400_000, providerAmountKobo: 300_000 } },
  ])
})
