import { beforeAll, describe, expect, test } from 'vitest'
import { discountStates } from '../../../registry/values/discount-terms.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/discounts'
const hourMs = 3_600_000

let shop: Shop
let startMs: number
let made: readonly ReplyBody[]
const at = (hours: number) => new Date(startMs + hours * hourMs).toISOString()

/** Creates one discount in each state, an hour apart. */
beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  startMs = api.clock.nowMs()
  const terms = [
    { title: 'Scheduled', startsAt: at(6), usageLimit: 1 },
    { title: 'Active, 100_%', type: 'free_shipping' },
    { title: 'Expired', startsAt: at(0), endsAt: at(5), usageLimit: 1, code: 'GONE' },
    { title: 'Exhausted', usageLimit: 1, code: 'EXHAUSTED' },
    { title: 'Paused', status: 'paused', endsAt: at(5), type: 'fixed_amount', amountKobo: 5 },
    { title: 'Archived', status: 'paused' },
  ]
  const ids: string[] = []
  for (const more of terms) {
    ids.push((await discount(api, shop, more)).id)
    if (more.code !== undefined) await order(api, shop, {}, { discountCodes: [more.code] })
    api.clock.advance(hourMs)
  }
  api.clock.advance(-hourMs)
  await api.send('POST', `${path}/${ids.at(-1)}/archive`, { token: shop.token })
  made = await Promise.all(ids.map((id) => readDiscount(api, shop, id)))
})

const list = (query: string) => started().send('GET', `${path}?${query}`, { token: shop.token })

describe('200 responses of listDiscounts', () => {
  test('listDiscounts returns complete discounts with their state, newest first', async () => {
    const { body } = await started().send('GET', path, { token: shop.token })
    expect(body.data).toEqual([...made].reverse())
    expect(made.map(({ state }) => state)).toEqual([...discountStates])
  })

  test.for([...discountStates])('listDiscounts filters by state %s', async (state) => {
    const { body } = await list(`state=${state}`)
    expect(body.data).toEqual(made.filter((each) => each.state === state))
  })

  test.for<[string, () => string, number[]]>([
    ['several states', () => 'state=paused,active', [4, 1]],
    ['type', () => 'type=free_shipping,fixed_amount', [4, 1]],
    ['code, ignoring case', () => 'code=gone', [2]],
    ['an unused code', () => 'code=gon', []],
    ['a part of the title', () => 'q=hausT', [3]],
    ['a part of the code', () => 'q=one', [2]],
    ['wildcards as text', () => 'q=0_%25', [1]],
    ['createdFrom, itself included', () => `createdFrom=${at(4)}`, [5, 4]],
    ['createdTo, itself excluded', () => `createdTo=${at(1)}`, [0]],
    ['all filters together', () => `createdFrom=${at(1)}&createdTo=${at(4)}&type=percentage&state=exhausted&q=ex`, [3]],
  ])('listDiscounts filters by %s', async ([, query, indexes]) => {
    const { body } = await list(query())
    expect(body.data).toEqual(indexes.map((index) => made[index]))
  })

  test('listDiscounts returns every discount once over all pages', async () => {
    const seen: ReplyBody[] = []
    let query = 'limit=2&type=percentage'
    for (;;) {
      const { body } = await list(query)
      seen.push(...body.data)
      if (!body.pagination.hasMore) break
      query = `limit=1&cursor=${body.pagination.cursor}`
    }
    expect(seen).toEqual([...made].reverse().filter(({ type }) => type === 'percentage'))
  })
})

describe('400 invalid_time_range', () => {
  test('listDiscounts returns 400 invalid_time_range when the range ends before it starts', async () => {
    answers('listDiscounts', 'invalid_time_range', await list(`createdFrom=${at(1)}&createdTo=${at(1)}`))
  })
})
