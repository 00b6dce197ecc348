import { beforeAll, describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/refunds'

let shop: Shop
let startMs: number
let refunds: readonly ReplyBody[]

/** Creates four refunds an hour apart, alternately for two orders. */
beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  startMs = api.clock.nowMs()
  const orders = [await placeOrder(api, shop), await placeOrder(api, shop)]
  const made: ReplyBody[] = []
  for (const [index, reason] of ['damaged', 'other', 'damaged', 'Damaged'].entries()) {
    const body = { orderId: orders[index % 2]?.id, amountKobo: 1000 + index, reason }
    made.push((await api.send('POST', path, { token: shop.token, body })).body)
    api.clock.advance(3_600_000)
  }
  refunds = made
})

const at = (hours: number) => new Date(startMs + hours * 3_600_000).toISOString()

describe('200 responses of listRefunds', () => {
  test('listRefunds returns complete refunds, newest first', async () => {
    const { body } = await started().send('GET', path, { token: shop.token })
    expect(body.data).toEqual([...refunds].reverse())
    expect(body.pagination).toEqual({ cursor: null, limit: 25, hasMore: false })
  })

  test.for<[string, () => string, number[]]>([
    ['orderId', () => `orderId=${refunds[0]?.orderId}`, [2, 0]],
    ['an order without refunds', () => `orderId=${newOrderId(0)}`, []],
    ['status', () => 'status=succeeded', [3, 2, 1, 0]],
    ['other statuses', () => 'status=pending,failed', []],
    ['reason, in its exact case', () => 'reason=damaged', [2, 0]],
    ['createdFrom, itself included', () => `createdFrom=${at(2)}`, [3, 2]],
    ['createdTo, itself excluded', () => `createdTo=${at(2)}`, [1, 0]],
    ['all filters together', () => `createdFrom=${at(1)}&createdTo=${at(3)}&reason=damaged&status=succeeded`, [2]],
  ])('listRefunds filters by %s', async ([, query, indexes]) => {
    const { body } = await started().send('GET', `${path}?${query()}`, { token: shop.token })
    expect(body.data).toEqual(indexes.map((index) => refunds[index]))
  })

  test('listRefunds returns every refund once over all pages', async () => {
    const { send } = started()
    const seen: ReplyBody[] = []
    let query = '?limit=3&status=succeeded'
    for (;;) {
      const { body } = await send('GET', path + query, { token: shop.token })
      seen.push(...body.data)
      if (!body.pagination.hasMore) break
      query = `?limit=1&cursor=${body.pagination.cursor}`
    }
    expect(seen).toEqual([...refunds].reverse())
  })
})

describe('400 validation_failed', () => {
  test.for([
    'orderId=ORD-7K2M9QX4',
    'status=lost',
    'reason=was%0Adamaged',
    'createdTo=now',
    'limit=101',
  ])('listRefunds returns 400 validation_failed for ?%s', async (query) => {
    const reply = await started().send('GET', `${path}?${query}`, { token: shop.token })
    answers('listRefunds', 'validation_failed', reply)
  })
})

describe('400 invalid_time_range', () => {
  test('listRefunds returns 400 invalid_time_range when the end of the range equals its start', async () => {
    const query = `createdFrom=${at(1)}&createdTo=${at(1)}`
    const reply = await started().send('GET', `${path}?${query}`, { token: shop.token })
    answers('listRefunds', 'invalid_time_range', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.createdTo' }])
  })
})
