import { describe, expect, test } from 'vitest'
import { eventFeedDays } from '../../../registry/values/limits.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi()

const get = (shop: Shop, id: string) => started().send('GET', `/api/v1/events/${id}`, { token: shop.token })

async function onlyEvent(shop: Shop): Promise<{ id: string; body: string }> {
  const rows = await select(started(), 'select id, body from webhook_events where merchant_id = $1', [shop.merchantId])
  expect(rows).toHaveLength(1)
  return { id: rows[0]?.id, body: rows[0]?.body }
}

describe('200 responses of getEvent', () => {
  test('getEvent returns the stored event, byte for byte', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, shop, { isPaid: false, body: { customerNote: '"Bálogun" \u2028 \\ 👗' } })
    const { id, body } = await onlyEvent(shop)
    expect((await get(shop, id)).text).toBe(body)
  })
})

describe('404 event_not_found', () => {
  test('getEvent returns 404 event_not_found for an unknown id', async () => {
    const shop = await openShop(started().context)
    answers('getEvent', 'event_not_found', await get(shop, 'evt_01jd3f8q6hf5n8v1zr4c7e2m9k'))
  })

  test('getEvent returns 404 event_not_found for a sample event that the dashboard sent', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, shop, { isPaid: false })
    await select(api, 'update webhook_events set is_test = true where merchant_id = $1', [shop.merchantId])
    answers('getEvent', 'event_not_found', await get(shop, (await onlyEvent(shop)).id))
  })

  test('getEvent returns 404 event_not_found for an event older than 30 days whose row still exists', async () => {
    const api = started()
    const shop = await openShop(api.context)
    await placeOrder(api, shop, { isPaid: false })
    const { id } = await onlyEvent(shop)
    api.clock.advance(eventFeedDays * 86_400_000)
    expect((await get(shop, id)).status).toBe(200)
    api.clock.advance(1)
    answers('getEvent', 'event_not_found', await get(shop, id))
  })
})
