import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf } from '../../support/commerce/customer.ts'
import { auditRows, select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

interface Opened {
  readonly api: TestApi
  readonly shop: Shop
  readonly orderId: string
  readonly path: string
  comment(text: string): Promise<ReplyBody>
}

async function open(): Promise<Opened> {
  const api = started()
  const shop = await openShop(api.context)
  const { id: orderId } = await placeOrder(api, shop)
  const path = `/api/v1/orders/${orderId}/comments`
  const comment = async (text: string) => {
    const { status, body } = await api.send('POST', path, { token: shop.token, body: { text } })
    expect(status).toBe(201)
    api.clock.advance(1000)
    return body
  }
  return { api, shop, orderId, path, comment }
}

describe('createOrderComment', () => {
  test('createOrderComment stores the text with its line breaks, names the API token, and changes neither the order nor its version', async () => {
    const { api, shop, orderId, comment } = await open()
    const read = async () => (await api.send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })).body
    const before = await read()
    const createdAt = new Date(api.clock.nowMs()).toISOString()
    expect(await comment('The customer called.\n\nDeliver after 4 pm.')).toEqual({
      id: expect.stringMatching(/^cmt_/),
      orderId,
      text: 'The customer called.\n\nDeliver after 4 pm.',
      author: { type: 'token', name: 'test' },
      createdAt,
    })
    expect(await read()).toEqual(before)
  })

  test('createOrderComment adds an audit row that names the order and omits the text of the comment', async () => {
    const { api, shop, orderId, comment } = await open()
    const { id } = await comment('Zq-private')
    const rows = await auditRows(api, shop.merchantId)
    expect(rows.filter(({ action }) => action === 'order.comment')).toMatchObject([
      { resource_type: 'order_comment', resource_id: id, changes: { orderId: [null, orderId] } },
    ])
    expect(JSON.stringify(rows)).not.toContain('Zq-private')
    const actions = await select(
      api,
      `select action from audit_resources other join audit_log entry using (merchant_id)
       where merchant_id = $1 and other.resource_id = $2 and entry.id = other.audit_id`,
      [shop.merchantId, orderId],
    )
    expect(actions).toContainEqual({ action: 'order.comment' })
  })

  test.for([
    ['an empty text', ''],
    ['spaces only', ' \n '],
    ['2,001 characters', 'x'.repeat(2001)],
    ['a control character', 'a\u0007b'],
  ] as const)('createOrderComment rejects %s', async ([, text]) => {
    const { api, shop, path } = await open()
    const reply = await api.send('POST', path, { token: shop.token, body: { text } })
    answers('createOrderComment', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'body.text' }])
  })

  test('createOrderComment accepts 2,000 characters', async () => {
    const { comment } = await open()
    expect((await comment('x'.repeat(2000))).text).toHaveLength(2000)
  })

  test('createOrderComment returns 404 order_not_found for an unknown order and for an order of another merchant', async () => {
    const { api, path } = await open()
    const { token } = await openShop(api.context)
    const body = { text: 'Deliver after 4 pm.' }
    answers('createOrderComment', 'order_not_found', await api.send('POST', path, { token, body }))
    const unknown = `/api/v1/orders/${newOrderId(api.clock.nowMs())}/comments`
    answers('createOrderComment', 'order_not_found', await api.send('POST', unknown, { token, body }))
  })
})

describe('listOrderComments', () => {
  test('listOrderComments returns the comments on one order, newest first, on all pages and for a time range', async () => {
    const { api, shop, path, comment } = await open()
    const token = shop.token
    const other = await placeOrder(api, shop)
    const ofOther = await api.send('POST', `/api/v1/orders/${other.id}/comments`, { token, body: { text: 'Other' } })
    expect(ofOther.status).toBe(201)
    const expected: ReplyBody[] = []
    for (const text of ['one', 'two', 'three', 'four', 'five']) expected.unshift(await comment(text))
    const seen: ReplyBody[] = []
    let query = '?limit=2'
    for (;;) {
      const { body } = await api.send('GET', path + query, { token })
      seen.push(...body.data)
      if (!body.pagination.hasMore) break
      query = `?limit=2&cursor=${body.pagination.cursor}`
    }
    expect(seen).toEqual(expected)
    const { createdAt } = expected[2]
    const list = async (filter: string) => (await api.send('GET', `${path}?${filter}`, { token })).body.data
    expect(await list(`createdFrom=${createdAt}`)).toEqual(expected.slice(0, 3))
    expect(await list(`createdTo=${createdAt}`)).toEqual(expected.slice(3))
  })

  test('listOrderComments returns an empty page for an order without comments', async () => {
    const { api, shop, path } = await open()
    expect((await api.send('GET', path, { token: shop.token })).body.data).toEqual([])
  })

  test('listOrderComments returns 404 order_not_found for an unknown order and for an order of another merchant', async () => {
    const { api, path, comment } = await open()
    await comment('Deliver after 4 pm.')
    const { token } = await openShop(api.context)
    answers('listOrderComments', 'order_not_found', await api.send('GET', path, { token }))
    const unknown = `/api/v1/orders/${newOrderId(api.clock.nowMs())}/comments`
    answers('listOrderComments', 'order_not_found', await api.send('GET', unknown, { token }))
  })

  test('listOrderComments returns 400 invalid_time_range for a range that ends before it starts', async () => {
    const { api, shop, path } = await open()
    const query = '?createdFrom=2026-11-21T00:00:00Z&createdTo=2026-11-20T00:00:00Z'
    answers('listOrderComments', 'invalid_time_range', await api.send('GET', path + query, { token: shop.token }))
  })
})

test('anonymiseCustomer replaces the text of the comments on the orders of the customer, and no other comment', async () => {
  const { api, shop, comment, path } = await open()
  const { token } = shop
  const customer = await createdCustomer(api, shop)
  const { id } = await orderOf(api, shop, customer.id, 'cancelled')
  const own = `/api/v1/orders/${id}/comments`
  await api.send('POST', own, { token, body: { text: 'Her sister Terna picks it up.' } })
  await comment('Of another customer')
  const { status } = await api.send('POST', `${customersPath}/${customer.id}/anonymise`, { token })
  expect(status).toBe(200)
  const textsAt = async (address: string) =>
    (await api.send('GET', address, { token })).body.data.map(({ text }: ReplyBody) => text)
  expect(await textsAt(own)).toEqual(['Removed'])
  expect(await textsAt(path)).toEqual(['Of another customer'])
})
