import { beforeAll, describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'

describe('200 responses of listOrders', () => {
  test('listOrders returns the fields that the specification lists for an order summary', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { priceKobo: 2_000_000 })
    const reply = await api.send('GET', path, { token: shop.token })
    expect(Object.keys(reply.body)).toEqual(['data', 'pagination'])
    expect(reply.body.data.map(Object.keys)).toEqual([
      ['id', 'number', 'status', 'totalKobo', 'currency', 'createdAt', 'customer'],
    ])
    expect(reply.body.data).toEqual([
      {
        id: order.id,
        number: order.number,
        status: 'processing',
        totalKobo: 2_000_000,
        currency: 'NGN',
        createdAt: new Date(api.clock.nowMs()).toISOString(),
        customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' },
      },
    ])
  })

  test('listOrders returns a change that was stored after the previous request, although it began before, if updatedFrom is five minutes earlier', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop)
    api.clock.advance(600_000)
    const changed = async (sinceMs: number) => {
      const query = `updatedFrom=${encodeURIComponent(new Date(sinceMs).toISOString())}`
      return (await api.send('GET', `${path}?${query}`, { token: shop.token })).body.data.length
    }
    const lock = { text: 'select from orders where id = $1 for update', values: [order.id] }
    const previousMs = await whileLocked(api, lock, async (holder) => {
      const sent = api.send('PATCH', `${path}/${order.id}`, { token: shop.token, body: { note: 'Gift' } })
      await untilWaiting(api, 1)
      api.clock.advance(1000)
      expect(await changed(api.clock.nowMs() - 300_000)).toBe(0)
      await holder.query('commit')
      expect((await sent).status).toBe(200)
      return api.clock.nowMs()
    })
    api.clock.advance(60_000)
    expect(await changed(previousMs)).toBe(0)
    expect(await changed(previousMs - 300_000)).toBe(1)
  })

  test('listOrders returns an empty last page for a merchant without orders', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', path, { token: shop.token })
    expect(reply.body).toEqual({ data: [], pagination: { cursor: null, limit: 25, hasMore: false } })
  })

  test('listOrders returns every order once over all pages, newest first', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const placed: string[] = []
    for (let index = 0; index < 7; index++) {
      placed.unshift((await placeOrder(api, shop, { isPaid: false })).id)
      api.clock.advance(1)
    }
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '?limit=3' : `?limit=3&cursor=${cursor}`
      const { body } = await api.send('GET', path + query, { token: shop.token })
      seen.push(...body.data.map((order: { id: string }) => order.id))
      sizes.push(body.data.length)
      expect(body.pagination.hasMore).toBe(body.pagination.cursor !== null)
      cursor = body.pagination.cursor
    } while (cursor !== null)
    expect(seen).toEqual(placed)
    expect(sizes).toEqual([3, 3, 1])
  })

  test('listOrders returns hasMore: false on a full last page', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, shop, { isPaid: false })
    await placeOrder(api, shop, { isPaid: false })
    const reply = await api.send('GET', `${path}?limit=2`, { token: shop.token })
    expect(reply.body.pagination).toEqual({ cursor: null, limit: 2, hasMore: false })
  })
})

describe('filters of listOrders', () => {
  let shop: Shop
  let startMs: number
  let found: { readonly [name: string]: { id: string; number: string; customerId: string } }

  /** Creates three orders an hour apart: a pending one, a paid and shipped one, and a refunded and returned one. */
  beforeAll(async () => {
    const api = started()
    shop = await openShop(api.context)
    startMs = api.clock.nowMs()
    const move = async ({ id }: { id: string }, way: readonly string[]) => {
      for (const to of way) await api.send('POST', `${path}/${id}/transition`, { token: shop.token, body: { to } })
    }
    const ngozi = { name: 'Ngozi 100%_Eze', email: 'ngozi.eze@example.com', phone: '+2347012345678' }
    const first = await placeOrder(api, shop, { isPaid: false, body: { externalReference: 'shop-1' } })
    api.clock.advance(3_600_000)
    const second = await placeOrder(api, shop, { body: { customer: ngozi } })
    await move(second, ['shipped'])
    api.clock.advance(3_600_000)
    const third = await placeOrder(api, shop)
    await move(third, ['shipped', 'returned'])
    const body = { orderId: third.id, amountKobo: third.totalKobo, reason: 'damaged' }
    expect((await api.send('POST', '/api/v1/refunds', { token: shop.token, body })).status).toBe(201)
    const detailed = async ({ id, number }: { id: string; number: string }) => {
      const read = await api.send('GET', `${path}/${id}`, { token: shop.token })
      return { id, number, customerId: String(read.body.customer.id) }
    }
    found = { first: await detailed(first), second: await detailed(second), third: await detailed(third) }
  })

  const at = (hours: number) => encodeURIComponent(new Date(startMs + hours * 3_600_000).toISOString())
  const lagosTime = (hours: number) => {
    const local = new Date(startMs + (hours + 1) * 3_600_000).toISOString()
    return encodeURIComponent(local.replace('Z', '+01:00'))
  }

  test.for<[string, () => string, string[]]>([
    ['status', () => 'status=pending', ['first']],
    ['several states', () => 'status=pending,shipped', ['second', 'first']],
    ['several states as repeated parameters', () => 'status=pending&status=shipped', ['second', 'first']],
    ['a status without orders', () => 'status=cancelled', []],
    ['paymentStatus', () => 'paymentStatus=unpaid,refunded', ['third', 'first']],
    ['fulfillmentStatus', () => 'fulfillmentStatus=fulfilled', ['second']],
    ['fulfillmentStatus, several', () => 'fulfillmentStatus=unfulfilled,returned', ['third', 'first']],
    ['createdFrom, itself included', () => `createdFrom=${at(1)}`, ['third', 'second']],
    ['createdTo, itself excluded', () => `createdTo=${at(1)}`, ['first']],
    ['a range', () => `createdFrom=${at(1)}&createdTo=${at(2)}`, ['second']],
    ['a timestamp with another offset', () => `createdFrom=${lagosTime(2)}`, ['third']],
    ['updatedFrom', () => `updatedFrom=${at(1)}`, ['third', 'second']],
    ['customerId', () => `customerId=${found.second?.customerId}`, ['second']],
    ['customerEmail, ignoring case', () => 'customerEmail=NGOZI.Eze@Example.com', ['second']],
    ['number', () => `number=${found.third?.number}`, ['third']],
    ['externalReference', () => 'externalReference=shop-1', ['first']],
    ['an externalReference in another case', () => 'externalReference=SHOP-1', []],
    ['q in the name', () => 'q=nGozi', ['second']],
    ['q in the name, ignoring accents', () => 'q=ada%C3%A9ze', ['third', 'first']],
    ['q in the e-mail, ignoring case', () => 'q=EZE@EX', ['second']],
    ['q in the phone', () => 'q=%2B23470', ['second']],
    ['q in the number', () => `q=${found.first?.number.slice(4).toLowerCase()}`, ['first']],
    ['q treats % and _ literally', () => 'q=%25_', ['second']],
    ['q treats a single % literally', () => 'q=%25%25', []],
    ['q treats a backslash literally', () => 'q=%5C%5C', []],
    ['q with a quote', () => "q=';--", []],
    ['two filters that match together', () => 'status=pending&q=adaeze', ['first']],
    ['two filters that match different orders', () => 'status=pending&q=ngozi', []],
  ])('listOrders filters by %s', async ([, query, names]) => {
    const { body } = await started().send('GET', `${path}?${query()}`, { token: shop.token })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(names.map((name) => found[name]?.id))
  })

  test('the filters of listOrders apply to every page', async () => {
    const { send } = started()
    const first = await send('GET', `${path}?status=pending,shipped&limit=1`, { token: shop.token })
    const second = await send('GET', `${path}?limit=1&cursor=${first.body.pagination.cursor}`, { token: shop.token })
    expect(first.body.data).toMatchObject([{ id: found.second?.id }])
    expect(second.body.data).toMatchObject([{ id: found.first?.id }])
    expect(second.body.pagination.hasMore).toBe(false)
  })
})

describe('400 validation_failed', () => {
  test.for([
    ['status=lost', 'query.status[0]'],
    ['status=', 'query.status[0]'],
    ['status=pending,,shipped', 'query.status[1]'],
    ['status=Pending', 'query.status[0]'],
    ['createdFrom=yesterday', 'query.createdFrom'],
    ['createdFrom=2026-11-21', 'query.createdFrom'],
    ['createdFrom=2026-11-21T08:30:00', 'query.createdFrom'],
    ['createdFrom=2026-13-01T00:00:00Z', 'query.createdFrom'],
    ['createdFrom=2026-11-21T08:30:00+01:00', 'query.createdFrom'],
    ['customerId=ord_01jd3f8q6hf5n8v1zr4c7e2m9k', 'query.customerId'],
    ['customerEmail=adaeze', 'query.customerEmail'],
    ['number=7K2M9QX4', 'query.number'],
    ['number=ord-7k2m9qx4', 'query.number'],
    ['q=a', 'query.q'],
    [`q=${'a'.repeat(101)}`, 'query.q'],
    ['externalReference=', 'query.externalReference'],
  ])('listOrders returns 400 validation_failed for ?%s', async ([query, where]) => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `${path}?${query}`, { token: shop.token })
    answers('listOrders', 'validation_failed', reply)
    expect(new Set(reply.body.error.errors.map((problem: { path: string }) => problem.path))).toEqual(new Set([where]))
  })
})

describe('400 invalid_time_range', () => {
  test.for([
    ['2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T08:30:01Z', '2026-11-21T08:30:00Z'],
    ['2026-11-21T08:30:00Z', '2026-11-21T09:30:00+01:00'],
  ])('listOrders returns 400 invalid_time_range for the time range from %s to %s', async ([from, to]) => {
    const api = started()
    const shop = await openShop(api.context)
    const query = new URLSearchParams({ createdFrom: from ?? '', createdTo: to ?? '' })
    answers('listOrders', 'invalid_time_range', await api.send('GET', `${path}?${query}`, { token: shop.token }))
  })
})
