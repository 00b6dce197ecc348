import { describe, expect, test } from 'vitest'
import { newRefundId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()
const path = '/api/v1/refunds'

describe('200 responses of getRefund', () => {
  test('getRefund returns the same refund as createRefund, with the order’s amounts at the time of the refund', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const order = await placeOrder(api, shop, { priceKobo: 1_000_000 })
    const body = { orderId: order.id, amountKobo: 400_000, reason: 'damaged', note: 'Zip was broken.' }
    const created = await api.send('POST', path, { token: shop.token, body })
    await api.send('POST', path, { token: shop.token, body: { ...body, amountKobo: 1 } })
    const read = await api.send('GET', `${path}/${created.body.id}`, { token: shop.token })
    expect(read.text).toBe(created.text)
    expect(read.body).toMatchObject({ orderNumber: order.number, note: 'Zip was broken.', provider: 'manual' })
  })
})

describe('404 refund_not_found', () => {
  test('getRefund returns 404 refund_not_found for an unknown id', async () => {
    const api = started()
    const shop = await openShop(api.context)
    const reply = await api.send('GET', `${path}/${newRefundId(0)}`, { token: shop.token })
    answers('getRefund', 'refund_not_found', reply)
  })
})
