import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { sendRaw, useApi } from '../support/api.ts'
import { arrange } from '../support/contract/operation.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

/** The limits of webhooks are tested with sections 3 and 6. */

const api = useApi()
let shop: Shop

beforeAll(async () => {
  shop = await openShop(api().context)
})

const dayMs = 24 * 60 * 60 * 1000
const lists = endpointIds.filter((id) => endpoints[id].kind === 'list')

test.for(lists)('spec 8: the page size of %s is 25 by default and at most 100', async (id) => {
  const list = await arrange(api(), id, shop)
  const limited = (limit: string) => {
    const separator = list.path.includes('?') ? '&' : '?'
    return list.with({ path: `${list.path}${separator}limit=${limit}` }).send({ token: shop.token })
  }
  expect((await list.send({ token: shop.token })).body.pagination.limit).toBe(25)
  expect((await limited('100')).body.pagination.limit).toBe(100)
  expect((await limited('101')).status).toBe(400)
})

async function firstCursor(): Promise<string> {
  await placeOrder(api(), shop)
  await placeOrder(api(), shop)
  return (await api().send('GET', '/api/v1/orders?limit=1', { token: shop.token })).body.pagination.cursor
}
const page = (cursor: string) => api().send('GET', `/api/v1/orders?limit=1&cursor=${cursor}`, { token: shop.token })

test('spec 8: a cursor is valid until it is 24 hours old, and is rejected from then on', async () => {
  const cursor = await firstCursor()
  api().clock.advance(dayMs - 1)
  expect((await page(cursor)).status).toBe(200)
  api().clock.advance(1)
  expect((await page(cursor)).status).toBe(400)
})

test('spec 8: a cursor is an opaque token and not an offset, and a client cannot construct one', async () => {
  const cursor = await firstCursor()
  // The test alters a character in the middle of the cursor. A change of the last character could leave the cursor's
  // value unchanged, because that character of base64url may have unused bits.
  const altered = `${cursor.slice(0, 10)}${cursor[10] === 'A' ? 'B' : 'A'}${cursor.slice(11)}`
  for (const made of ['1', '25', Buffer.from('{"offset":1}').toString('base64url'), altered]) {
    expect((await page(made)).status, made).toBe(400)
  }
  // A new order shifts the offsets of a list, but must not change which orders the page of a cursor contains.
  const before = (await page(cursor)).body.data
  // The new order is created a millisecond later, so that it is the first in the list. Orders of the same millisecond
  // are sorted by their random ids.
  api().clock.advance(1)
  await placeOrder(api(), shop)
  expect((await page(cursor)).body.data).toEqual(before)
})

async function refunding() {
  const { id: orderId } = await placeOrder(api(), shop)
  const body = JSON.stringify({ orderId, amountKobo: 1_000, reason: 'damaged' })
  const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
  return (key: string) =>
    sendRaw(api(), { method: 'POST', path: '/api/v1/refunds', headers: { ...headers, 'Idempotency-Key': key }, body })
}

test('spec 8: after 24 hours, a request with the same idempotency key runs as a new operation', async () => {
  const refund = await refunding()
  const first = await refund('daily')
  api().clock.advance(dayMs - 1)
  expect((await refund('daily')).body.id).toBe(first.body.id)
  api().clock.advance(1)
  const next = await refund('daily')
  expect(next.status).toBe(201)
  expect(next.body.id).not.toBe(first.body.id)
})

test('spec 8: an idempotency key has at most 255 ASCII characters', async () => {
  const refund = await refunding()
  const statuses = [await refund('k'.repeat(255)), await refund('k'.repeat(256)), await refund('k\u00e4se')]
  expect(statuses.map(({ status }) => status)).toEqual([201, 400, 400])
})
