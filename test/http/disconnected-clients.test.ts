import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openShop, placeOrder } from '../support/shop.ts'

const started = useApi()

test('a write that waits for another write to the same record does not run if its client disconnects', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await placeOrder(api, shop)
  const refund = (amountKobo: number, signal?: AbortSignal) =>
    fetch(`${api.url}/api/v1/refunds`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ orderId: id, amountKobo, reason: 'damaged' }),
      ...(signal === undefined ? {} : { signal }),
    })
  const queue = `${shop.merchantId} record ${id}`
  const lock = { text: 'select from orders where id = $1 for update', values: [id] }
  const running = await whileLocked(api, lock, async () => {
    const first = refund(1)
    await untilWaiting(api, 1)
    const client = new AbortController()
    const second = refund(2, client.signal)
    while (api.writeQueues.waiting(queue) < 1) await new Promise(setImmediate)
    client.abort()
    await expect(second).rejects.toThrow()
    while (api.writeQueues.waiting(queue) > 0) await new Promise(setImmediate)
    return { first }
  })
  expect((await running.first).status).toBe(201)
  expect(await select(api, 'select amount_kobo::int from refunds where order_id = $1', [id])).toEqual([
    { amount_kobo: 1 },
  ])
})
