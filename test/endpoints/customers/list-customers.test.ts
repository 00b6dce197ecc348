import { beforeAll, describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { addAddress, createdCustomer, customersPath, orderOf } from '../../support/commerce/customer.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const started = useApi()

const namesOf = (page: ReplyBody): string[] => page.data.map(({ name }: { name: string }) => name)

describe('200 responses of listCustomers', () => {
  test('listCustomers returns complete customers, with addresses and order statistics', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const first = await createdCustomer(api, shop, { name: 'First' })
    await orderOf(api, shop, first.id)
    await addAddress(api, shop, first.id)
    const second = await createdCustomer(api, shop, { name: 'Second' })
    const { body } = await api.send('GET', customersPath, { token: shop.token })
    const read = async (id: string) => (await api.send('GET', `${customersPath}/${id}`, { token: shop.token })).body
    expect(body.data).toEqual([await read(second.id), await read(first.id)])
    expect(body.data[1]).toMatchObject({ ordersCount: 1, addresses: [{ line1: '12 Admiralty Way' }] })
  })

  test('listCustomers returns an empty last page for a merchant without customers', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', customersPath, { token: shop.token })
    expect(reply.body).toEqual({ data: [], pagination: { cursor: null, limit: 25, hasMore: false } })
  })

  test('listCustomers returns every customer once over all pages, newest first, including customers created in the same millisecond', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const created: string[] = []
    for (let index = 0; index < 7; index++) created.push((await createdCustomer(api, shop)).id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=3' : `?limit=3&cursor=${cursor}`
      const { body } = await api.send('GET', customersPath + query, { token: shop.token })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.pagination.cursor
    } while (cursor !== null)
    expect(seen).toEqual(created.toSorted().reverse())
  })
})

describe('filters of listCustomers', () => {
  let shop: Shop
  let startMs: number

  /** Creates three customers, an hour apart. */
  beforeAll(async () => {
    const api = started()
    shop = await openShop(api.context)
    startMs = api.clock.nowMs()
    const hour = () => api.clock.advance(3_600_000)
    await createdCustomer(api, shop, {
      name: 'Adaeze Okafor',
      email: 'Adaeze.Okafor@example.com',
      phone: '+2348031234567',
      tags: ['wholesale', 'vip'],
    })
    hour()
    await createdCustomer(api, shop, { name: 'Ngozi 100%_Eze', email: 'ngozi@shop.example', phone: '+2347012345678' })
    hour()
    await createdCustomer(api, shop, {
      name: 'Musa Bello',
      email: 'musa@shop.example',
      phone: '+2348031234567',
      tags: ['vip'],
    })
  })

  const at = (hours: number) => encodeURIComponent(new Date(startMs + hours * 3_600_000).toISOString())
  const [adaeze, ngozi, musa] = ['Adaeze Okafor', 'Ngozi 100%_Eze', 'Musa Bello']

  test.for<[string, () => string, string[]]>([
    ['q in the name', () => 'q=oKaF', [adaeze]],
    ['q in the e-mail', () => 'q=SHOP.ex', [musa, ngozi]],
    ['q in the phone', () => 'q=3470123', [ngozi]],
    ['q of two characters', () => 'q=us', [musa]],
    ['q spanning two fields', () => 'q=Bellomusa', []],
    ['q treats % and _ literally', () => 'q=%25_', [ngozi]],
    ['q treats a single % literally', () => 'q=%25%25', []],
    ['q treats a backslash literally', () => 'q=%5C%5C', []],
    ['q with a quote', () => "q=';--", []],
    ['email, ignoring case', () => 'email=ADAEZE.okafor@example.com', [adaeze]],
    ['a part of an e-mail address', () => 'email=okafor@example.com', []],
    ['phone, shared by two customers', () => 'phone=%2B2348031234567', [musa, adaeze]],
    ['tag', () => 'tag=vip', [musa, adaeze]],
    ['a tag, ignoring case', () => 'tag=VIP', []],
    ['createdFrom, itself included', () => `createdFrom=${at(1)}`, [musa, ngozi]],
    ['createdTo, itself excluded', () => `createdTo=${at(1)}`, [adaeze]],
    ['all filters together', () => `q=musa&tag=vip&phone=%2B2348031234567&createdFrom=${at(1)}`, [musa]],
    ['two filters that match different customers', () => 'q=musa&tag=wholesale', []],
  ])('listCustomers filters by %s', async ([, query, names]) => {
    const { body } = await started().send('GET', `${customersPath}?${query()}`, { token: shop.token })
    expect(namesOf(body)).toEqual(names)
  })

  test('the filters of listCustomers apply to every page', async () => {
    const { send } = started()
    const first = await send('GET', `${customersPath}?tag=vip&limit=1`, { token: shop.token })
    const query = `limit=1&cursor=${first.body.pagination.cursor}`
    const second = await send('GET', `${customersPath}?${query}`, { token: shop.token })
    expect([namesOf(first.body), namesOf(second.body)]).toEqual([[musa], [adaeze]])
    expect(second.body.pagination.hasMore).toBe(false)
  })
})

describe('400 responses of listCustomers', () => {
  test.for([
    ['q=a', 'query.q'],
    [`q=${'a'.repeat(101)}`, 'query.q'],
    ['email=adaeze', 'query.email'],
    ['phone=0803123456', 'query.phone'],
    ['tag=', 'query.tag'],
    ['createdFrom=yesterday', 'query.createdFrom'],
  ])('listCustomers returns 400 validation_failed for ?%s', async ([query, where]) => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `${customersPath}?${query}`, { token: shop.token })
    answers('listCustomers', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path: where }])
  })

  test('listCustomers returns 400 invalid_time_range when createdBefore is earlier than createdAfter', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const query = 'createdFrom=2026-11-21T08:30:01Z&createdTo=2026-11-21T08:30:00Z'
    const reply = await api.send('GET', `${customersPath}?${query}`, { token: shop.token })
    answers('listCustomers', 'invalid_time_range', reply)
  })
})
