import { beforeAll, describe, expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/payments'

describe('200 responses of listPayments', () => {
  let shop: Shop
  let orderId: string
  let startMs: number
  beforeAll(async () => {
    const api = started()
    shop = await openShop(api.context)
    startMs = api.clock.nowMs()
    const order = await placeOrder(api, shop, { priceKobo: 1_000_000, isPaid: false })
    orderId = order.id
    // The payments have the time of the order, because a payment cannot be older than its order. Lagos is one hour
    // ahead of UTC.
    const localTime = new Date(startMs + 3_600_000).toISOString().replace('Z', '+01:00')
    for (const [index, amountKobo] of [400_000, 600_000].entries()) {
      const body = { amountKobo, method: 'cash', reference: `part-${index}`, paidAt: localTime }
      await api.send('POST', `/api/v1/orders/${orderId}/payments`, { token: shop.token, body })
      api.clock.advance(1000)
    }
    await placeOrder(api, shop)
  })

  const list = async (query: string) =>
    (await started().send('GET', `${path}?${query}`, { token: shop.token })).body.data

  test('listPayments returns the payments as recorded, newest first', async () => {
    const all = await list('')
    expect(all).toHaveLength(3)
    expect(all.slice(1)).toEqual([
      expect.objectContaining({ amountKobo: 600_000, reference: 'part-1' }),
      {
        id: expect.stringMatching(/^pay_/),
        orderId,
        amountKobo: 400_000,
        currency: 'NGN',
        method: 'cash',
        reference: 'part-0',
        provider: 'manual',
        paidAt: new Date(startMs).toISOString(),
        disputedAt: null,
        disputeLostKobo: 0,
        voidedAt: null,
        voidReason: null,
        refundId: null,
        createdAt: new Date(startMs).toISOString(),
      },
    ])
  })

  test.for([
    ['orderId', (): string => `orderId=${orderId}`, ['part-1', 'part-0']],
    ['reference', (): string => 'reference=part-1', ['part-1']],
    ['an unknown reference', (): string => 'reference=part', []],
    [
      'createdFrom',
      (): string => `orderId=${orderId}&createdFrom=${new Date(startMs + 1000).toISOString()}`,
      ['part-1'],
    ],
    ['createdTo', (): string => `createdTo=${new Date(startMs + 1000).toISOString()}`, ['part-0']],
  ] as const)('listPayments filters by %s', async ([, query, references]) => {
    const found = await list(query())
    expect(found.map((payment: { reference: string }) => payment.reference)).toEqual(references)
  })
})

describe('400 invalid_time_range', () => {
  test('listPayments returns 400 invalid_time_range when the range ends before it begins', async () => {
    const shop = await openShop(started().context)
    const query = 'createdFrom=2026-11-21T00:00:00Z&createdTo=2026-11-20T00:00:00Z'
    answers(
      'listPayments',
      'invalid_time_range',
      await started().send('GET', `${path}?${query}`, { token: shop.token }),
    )
  })
})
