import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { select } from '../support/database-contents.ts'
import { commerce, commerceJson } from './commerce.ts'

/** Payment disputes that an operator resolves because their callbacks were lost or ambiguous. */

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), {})
  const opened = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  const { server, sendCallback, apply, reference } = opened
  const sendEvent = async (event: string, more: object = {}) => {
    await sendCallback(server.callback(event, { id: 358950, transaction: { reference }, ...more }))
    await apply()
  }
  const words = (outcome: string, named = reference) => [
    ...['payments', 'dispute', '--merchant', shop.merchantId],
    ...['--reference', named, '--outcome', outcome],
  ]
  const settle = (outcome: string) => commerceJson(api.connectionString, ...words(outcome))
  const settleFailing = (outcome: string, named?: string) => commerce(api.connectionString, ...words(outcome, named))
  return { api, shop, ...opened, sendEvent, settle, settleFailing }
}

test('the command `payments dispute` resolves an unclear dispute as won only once, and the payment can be refunded afterwards', async () => {
  const { api, shop, sendEvent, settle, refund } = await open()
  await sendEvent('charge.dispute.resolve', { resolution: 'partly-something' })
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
  expect(await settle('won')).toMatchObject({ outcome: 'won', disputeIds: ['358950'] })
  expect((await refund(1000)).status).toBe(201)
  expect(await settle('won')).toMatchObject({ outcome: 'won', disputeIds: [] })
  const rows = await select(
    api,
    "select changes from audit_log where merchant_id = $1 and actor_type = 'operator' and action = 'payment.update'",
    [shop.merchantId],
  )
  expect(rows).toMatchObject([{ changes: { 'dispute 358950': ['unclear', 'won'] } }])
})

test('resolving a dispute as lost blocks refunds of its payment permanently', async () => {
  const { sendEvent, settle, settleFailing, refund, getOrder } = await open()
  await sendEvent('charge.dispute.create')
  expect(await settle('lost')).toMatchObject({ disputeIds: ['358950'] })
  expect(await settle('lost')).toMatchObject({ disputeIds: [] })
  await sendEvent('charge.dispute.resolve', { resolution: 'declined' })
  expect((await refund(1000)).body.error.code).toBe('payment_disputed')
  expect(await getOrder()).toMatchObject({ refundableKobo: 0 })
  expect(await settleFailing('won')).toMatchObject({ code: 1, stderr: expect.stringContaining('which is final') })
})

test('the command `payments dispute` records a lost dispute that no callback reported, and after it records a won dispute, the waiting refund is submitted', async () => {
  const lost = await open()
  expect(await lost.settle('lost')).toMatchObject({ disputeIds: [`operator ${lost.reference}`] })
  expect((await lost.refund(1000)).body.error.code).toBe('payment_disputed')
  const won = await open()
  await won.refund(400_000)
  await won.sendEvent('charge.dispute.create')
  await won.work()
  await won.settle('won')
  await won.later()
  expect(won.server.refunds).toMatchObject([{ amount: 400_000 }])
})

test('the command `payments dispute` accepts the payment reference as a positional argument, but only one reference', async () => {
  const { api, shop, reference, sendEvent } = await open()
  await sendEvent('charge.dispute.create')
  const words = ['payments', 'dispute', reference, '--outcome', 'won', '--merchant', shop.merchantId]
  expect(await commerce(api.connectionString, ...words, '--reference', reference)).toMatchObject({
    code: 2,
    stderr: '--reference must be given once.\n',
  })
  expect(await commerceJson(api.connectionString, ...words)).toMatchObject({ disputeIds: ['358950'] })
})

test('the command `payments dispute` fails for an unknown dispute, outcome or payment', async () => {
  const { settleFailing, sendCallback, apply, server } = await open()
  expect(await settleFailing('won')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('can be recorded as won'),
  })
  expect(await settleFailing('drawn')).toMatchObject({ code: 2, stderr: '--outcome must be won or lost.\n' })
  const unknown = await settleFailing('lost', 'T-unknown')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.not.stringContaining('payments verify') })
  await sendCallback(server.callback('charge.dispute.create', { id: 1, transaction: { reference: 'T-unknown' } }))
  await apply()
  const stored = await settleFailing('lost', 'T-unknown')
  expect(stored).toMatchObject({ code: 1, stderr: expect.stringContaining('payments verify') })
})
