import { describe, expect, test } from 'vitest'
import { newRefundId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { paid } from '../../support/commerce/refund.ts'
import { openShopWith } from '../../support/commerce/shop-settings.ts'
import { contentsOf, select } from '../../support/database-contents.ts'

const started = useApi()
const account = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' }

/** Creates a refund whose money Paystack could not return to the original payment source. */
async function stopped() {
  const { api, shop } = await openShopWith(started(), {})
  const opened = await paidByPaystack(api, shop, { priceKobo: 1_000_000 })
  const { id } = (await opened.refund(400_000)).body
  opened.server.newStatus = 'needs-attention'
  await opened.work()
  const give = (body: object = account, of = id) =>
    api.send('POST', `/api/v1/refunds/${of}/bank-details`, { token: shop.token, body })
  return { api, shop, ...opened, id, give }
}

describe('200 responses of setRefundBankDetails', () => {
  test('a job sends the bank account of a refund to Paystack, which then processes the refund', async () => {
    const { give, get, id, server, work, later } = await stopped()
    expect(await get(id)).toMatchObject({ status: 'needs_attention', account: null })
    const reply = await give()
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      status: 'needs_attention',
      destination: 'bank_account',
      account: { accountNumber: '******6789', bankCode: '058', accountName: 'Adaeze Okafor' },
    })
    await work()
    expect(server.refunds[0]?.account).toEqual({ accountNumber: '0123456789', bankId: '9' })
    expect(await get(id)).toMatchObject({ status: 'processing', destination: 'bank_account' })
    server.move('processed')
    await later()
    expect(await get(id)).toMatchObject({ status: 'succeeded' })
  })

  test('the audit log does not contain the bank account of a refund', async () => {
    const { api, give, id } = await stopped()
    await give()
    const rows = await select(api, "select changes from audit_log where resource_id = $1 and changes ? 'account'", [id])
    expect(rows).toEqual([
      { changes: { destination: ['original_payment', 'bank_account'], account: [null, '[redacted]'] } },
    ])
  })

  test('a bank account that Paystack rejects is deleted, and another account can be set', async () => {
    const { give, get, id, work } = await stopped()
    await give({ ...account, bankCode: '999' })
    await work()
    expect(await get(id)).toMatchObject({
      status: 'needs_attention',
      destination: 'original_payment',
      account: null,
      failureCode: 'unknown_bank',
    })
    expect((await give()).status).toBe(200)
    await work()
    expect(await get(id)).toMatchObject({ status: 'processing', failureCode: null })
  })

  test('if Paystack reports needs-attention again, the service deletes the bank account, and another account can be set', async () => {
    const { give, get, id, server, work, later } = await stopped()
    await give()
    await work()
    server.move('needs-attention')
    await later()
    expect(await get(id)).toMatchObject({ status: 'needs_attention', account: null })
    expect((await give({ ...account, bankCode: '044' })).status).toBe(200)
  })

  test.for([
    'accepts_and_never_answers',
    'accepts_and_answers_500',
    'never_answers',
    'answers_429',
  ] as const)('the refund job sends a refund’s bank account to Paystack only once even if Paystack %s', async (fault) => {
    const { give, get, id, server, work, later } = await stopped()
    await give()
    server.failRefund(id, 'retry', fault)
    await work()
    await later()
    expect(await get(id)).toMatchObject({ status: 'processing', destination: 'bank_account' })
    expect(server.refunds[0]?.account?.accountNumber).toBe('0123456789')
  })
})

describe('400 validation_failed', () => {
  test.for<[string, object, string]>([
    ['an account number of nine digits', { accountNumber: '012345678' }, 'body.accountNumber'],
    ['letters in the account number', { accountNumber: '01234S6789' }, 'body.accountNumber'],
    ['a bank name as bankCode', { bankCode: 'GTBank' }, 'body.bankCode'],
    ['an empty accountName', { accountName: '' }, 'body.accountName'],
    ['an unknown field', { iban: 'NG' }, 'body.iban'],
  ])('setRefundBankDetails returns 400 validation_failed for a body with %s', async ([, more, where]) => {
    const { api, shop } = await openShopWith(started(), {})
    const path = `/api/v1/refunds/${newRefundId(0)}/bank-details`
    const reply = await api.send('POST', path, { token: shop.token, body: { ...account, ...more } })
    answers('setRefundBankDetails', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: where }])
  })
})

describe('404 refund_not_found', () => {
  test('setRefundBankDetails returns 404 refund_not_found for an unknown id', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const path = `/api/v1/refunds/${newRefundId(0)}/bank-details`
    const reply = await api.send('POST', path, { token: shop.token, body: account })
    answers('setRefundBankDetails', 'refund_not_found', reply)
  })
})

describe('409 refund_not_awaiting_details', () => {
  test('setRefundBankDetails returns 409 refund_not_awaiting_details for a manual refund', async () => {
    const { api, shop } = await openShopWith(started(), {})
    const { refund } = await paid(api, shop, [[1000, 1]])
    const { id } = (await refund(1000)).body
    const before = await contentsOf(api)
    const reply = await api.send('POST', `/api/v1/refunds/${id}/bank-details`, { token: shop.token, body: account })
    answers('setRefundBankDetails', 'refund_not_awaiting_details', reply)
    expect(reply.body.error.details).toEqual({ status: 'succeeded' })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('only one of ten concurrent setRefundBankDetails requests succeeds; the others return 409 refund_not_awaiting_details', async () => {
    const { give } = await stopped()
    const replies = await Promise.all(Array.from({ length: 10 }, () => give()))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies) {
      if (reply.status !== 200) answers('setRefundBankDetails', 'refund_not_awaiting_details', reply)
    }
  })
})
