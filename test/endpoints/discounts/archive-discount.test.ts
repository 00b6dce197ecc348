import { describe, expect, test } from 'vitest'
import { newDiscountId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { discount, readDiscount } from '../../support/commerce/discount.ts'
import { order } from '../../support/commerce/order.ts'
import { contentsOf } from '../../support/database-contents.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()
const open = async () => ({ api: started(), shop: await openShop(started().context) })

describe('200 responses of archiveDiscount', () => {
  test('archiveDiscount archives the discount, and the orders that used the discount still contain it', async () => {
    const { api, shop } = await open()
    const { id, code } = await discount(api, shop)
    const placed = await order(api, shop, {}, { discountCodes: [code] })
    const reply = await api.send('POST', `/api/v1/discounts/${id}/archive`, { token: shop.token })
    expect(reply.body).toMatchObject({
      id,
      code,
      status: 'archived',
      state: 'archived',
      version: 2,
      redemptionCount: 1,
    })
    expect(await readDiscount(api, shop, id)).toEqual(reply.body)
    const read = await api.send('GET', `/api/v1/orders/${placed.body.id}`, { token: shop.token })
    expect(read.body.discounts).toEqual(placed.body.discounts)
  })

  test('archiveDiscount changes nothing when repeated, and returns the same body', async () => {
    const { api, shop } = await open()
    const { id } = await discount(api, shop)
    const archive = () => api.send('POST', `/api/v1/discounts/${id}/archive`, { token: shop.token })
    const first = await archive()
    api.clock.advance(1000)
    const before = await contentsOf(api)
    expect((await archive()).body).toEqual(first.body)
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('404 discount_not_found', () => {
  test('archiveDiscount and getDiscount return 404 discount_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    const { token } = shop
    const id = newDiscountId(0)
    answers(
      'archiveDiscount',
      'discount_not_found',
      await api.send('POST', `/api/v1/discounts/${id}/archive`, { token }),
    )
    answers('getDiscount', 'discount_not_found', await api.send('GET', `/api/v1/discounts/${id}`, { token }))
  })
})
