import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

async function refundOf(id: string) {
  return (await api().send('GET', `/api/v1/refunds/${id}`, { token: shop.token })).body
}

/**
 * Creates a refund of a Paystack payment that has not been submitted. With `isStopped`, Paystack could not return the
 * money to the payer.
 */
async function refundByPaystack({ isStopped }: { isStopped: boolean }) {
  const opened = await paidByPaystack(api(), shop, { priceKobo: 1_000_000 })
  const { id } = (await opened.refund(400_000)).body
  opened.server.newStatus = 'needs-attention'
  if (isStopped) await opened.work()
  return { ...opened, id, path: `/dashboard/refunds/${id}` }
}

const account = { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze <b>Okafor</b>' }

describe('the list of refunds', () => {
  test('the list of refunds shows refunds, filtered by status, reason and order', async () => {
    const order = await placeOrder(api(), shop)
    const body = { orderId: order.id, amountKobo: 1000, reason: 'damaged' }
    const { id } = (await api().send('POST', '/api/v1/refunds', { token: shop.token, body })).body
    const isFound = async (query: string) => (await member.get(`/dashboard/refunds?${query}`)).text.includes(id)
    expect(await isFound('')).toBe(true)
    expect(await isFound(`status=succeeded&reason=damaged&order=${order.number.toLowerCase()}`)).toBe(true)
    expect(await isFound(`order=${order.id}`)).toBe(true)
    expect(await isFound('status=failed')).toBe(false)
    expect(await isFound('reason=other')).toBe(false)
    expect((await member.get('/dashboard/refunds?order=ORD-0')).text).toContain(
      '<p class="problem" id="p-order" role="alert">No order has this number.</p>',
    )
  })

  test('the list of refunds suggests the next step when there are no refunds', async () => {
    const { text } = await member.get('/dashboard/refunds')
    expect(text).toContain('To refund an order, open it')
    expect(text).toContain('<a class="main" href="/dashboard/orders">Open the orders</a>')
  })

  test('the main action of the list of refunds leads to the oldest refund with a problem; without such a refund, the list says that there is nothing to do', async () => {
    const { path, server, work, later } = await refundByPaystack({ isStopped: false })
    const list = async () => (await member.get('/dashboard/refunds')).text
    expect(await list()).toContain('Nothing to do: no refund on this page needs an action.')
    await work()
    expect(await list()).toContain(`<a class="main" href="${path}/bank-details">Enter bank details for ORD-`)
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    expect((await viewer.get('/dashboard/refunds')).text).not.toMatch(/class="main" href|Nothing to do/)
    server.move('failed')
    await later()
    expect(await list()).toContain(`<a class="main" href="${path}">Check the failed refund of ORD-`)
  })
})

describe('bank details of a refund', () => {
  test('a member sets the bank details of a refund with a form, and the page of the refund shows markup in these details as text', async () => {
    const { id, path } = await refundByPaystack({ isStopped: true })
    expect((await member.get(path)).text).toContain('Enter bank details')
    const done = await member.submit(`${path}/bank-details`, `${path}/bank-details`, account)
    expect([done.status, done.location]).toEqual([303, `${path}?done=refunds.id.bank-details`])
    expect(await refundOf(id)).toMatchObject({ account: { accountNumber: '******6789' } })
    const { text } = await member.get(path)
    expect(text).toContain('Adaeze &lt;b&gt;Okafor&lt;/b&gt;')
    expect(text).not.toContain('0123456789')
  })

  test('if the account number of bank details is invalid, the form shows the problem at the field of the account number', async () => {
    const { id, path } = await refundByPaystack({ isStopped: true })
    const form = { ...account, accountNumber: '12' }
    const refused = await member.submit(`${path}/bank-details`, `${path}/bank-details`, form)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="p-accountNumber"')
    expect(await refundOf(id)).toMatchObject({ account: null })
  })

  test('bank details are refused for a refund that does not await bank details', async () => {
    const { path } = await refundByPaystack({ isStopped: false })
    const refused = await member.submit(`${path}/bank-details`, `${path}/bank-details`, account)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('does not need bank details')
  })
})

test('the page of a refund without bank details says to ask the customer for a bank account, and the start page links to the form for the account', async () => {
  const { path, work } = await refundByPaystack({ isStopped: false })
  expect((await member.get(path)).text).toContain('Nothing to do: Paystack pays the refund.')
  await work()
  const { text } = await member.get(path)
  expect(text).toContain('Ask the customer for a bank account and enter it.')
  expect(text).not.toContain('<dt>Paid to</dt>')
  expect((await member.get('/dashboard/refunds')).text).toContain('>amount without items</td>')
  const start = (await member.get('/dashboard')).text
  expect(start).toMatch(/data-title="Problem"[^>]*>[^<]/)
  expect(start).toContain(`<a href="${path}/bank-details">Enter bank details</a>`)
})

test('the page of a refund and the list of refunds name the service as the creator of a refund that the service itself created', async () => {
  const { id, path } = await refundByPaystack({ isStopped: false })
  await select(api(), "update refunds set created_by_type = 'system', created_by_id = null where id = $1", [id])
  expect((await member.get(path)).text).toContain('<dt>Created by</dt><dd>this service</dd>')
  expect((await member.get('/dashboard/refunds')).text).toMatch(/data-title="By"[^>]*>this service</)
})

describe('a cancellation of a refund', () => {
  test('a cancellation ends a refund that was not submitted to the payment provider', async () => {
    const { id, path } = await refundByPaystack({ isStopped: false })
    const done = await member.submit(path, `${path}/cancel`)
    expect([done.status, done.location]).toEqual([303, `${path}?done=refunds.id.cancel`])
    expect(await refundOf(id)).toMatchObject({ status: 'cancelled' })
    expect((await member.get(path)).text).not.toContain('Cancel refund')
  })

  test('a cancellation of a refund is refused if the refund was submitted to the payment provider after the form was opened', async () => {
    const { id, path, work } = await refundByPaystack({ isStopped: false })
    const page = await member.get(path)
    await work()
    const hidden = [...page.text.matchAll(/name="(csrf|form)" value="([^"]+)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    const refused = await member.post(`${path}/cancel`, Object.fromEntries(hidden))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('can no longer be cancelled')
    expect(await refundOf(id)).toMatchObject({ status: 'needs_attention' })
  })
})

test('a member with the viewer role sees refunds without actions, and every form that the member submits is refused', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { id, path } = await refundByPaystack({ isStopped: true })
  const page = await viewer.get(path)
  expect([page.status, page.text.includes('Enter bank details')]).toEqual([200, false])
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page.text)?.groups ?? {}
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', ...account }
  for (const action of ['/bank-details', '/cancel']) {
    expect((await viewer.post(path + action, form)).status).toBe(403)
  }
  expect(await refundOf(id)).toMatchObject({ status: 'needs_attention', account: null })
})
