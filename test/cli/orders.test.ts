import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newOrderId } from '../../src/base/records.ts'
import { useApi } from '../support/api.ts'
import { paid } from '../support/commerce/refund.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { commerce, commerceJson } from './commerce.ts'

const started = useApi()

let shop: Shop
let orderId: string
let refundIds: string[]

beforeAll(async () => {
  const api = started()
  shop = await openShop(api.context)
  const { order, refund } = await paid(api, shop, [[1_000_000, 2]])
  orderId = order.id
  refundIds = []
  for (const amountKobo of [100_000, 200_000]) {
    api.clock.advance(1000)
    refundIds.unshift((await refund(amountKobo)).body.id)
  }
  const other = await openShop(api.context)
  await (await paid(api, other, [[500_000, 1]])).refund(50_000)
})

const run = (noun: string, ...words: string[]) =>
  commerceJson(started().connectionString, noun, ...words, '--merchant', shop.merchantId)

test('the command `order show` prints the API’s record of an order with payments, refunds and history, as JSON or as tables', async () => {
  const shown = await run('order', 'show', '--order', orderId)
  const { body } = await started().send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })
  const refunded: unknown = expect.objectContaining({ is: 'audit', action: 'refund.create' })
  const { data: payments } = (await started().send('GET', `/api/v1/payments?orderId=${orderId}`, { token: shop.token }))
    .body
  const refunds = refundIds.map((id) => expect.objectContaining({ id }))
  expect(payments).toHaveLength(1)
  expect(shown).toMatchObject({ ...body, payments, refunds, history: expect.arrayContaining([refunded]) })
  const words = ['show', '--order', orderId, '--merchant', shop.merchantId]
  const { stdout } = await commerce(started().connectionString, 'order', ...words)
  for (const shownText of [body.number, payments[0].reference, ...refundIds]) expect(stdout).toContain(shownText)
  expect(stdout).toMatch(/^at +is +details$/m)
})

test.for(['ord_none', newOrderId(0)])('the command `order show` fails for the unknown id %s', async (id) => {
  const words = ['show', '--order', id, '--merchant', shop.merchantId]
  const ended = await commerce(started().connectionString, 'order', ...words)
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(`The merchant has no order ${id}.`)
})

test('the command `audit list --resource` finds the payments and refunds of an order by the order’s id and by its number', async () => {
  const { body } = await started().send('GET', `/api/v1/orders/${orderId}`, { token: shop.token })
  for (const record of [orderId, body.number]) {
    const rows = z
      .array(z.object({ action: z.string(), resources: z.array(z.string()) }))
      .parse(await run('audit', 'list', '--resource', record))
    const actions = rows.map(({ action }) => action)
    expect(actions.filter((action) => action === 'refund.create')).toHaveLength(2)
    expect(actions).toEqual(expect.arrayContaining(['order.create', 'payment.record']))
    for (const { resources } of rows) expect(resources).toContain(orderId)
  }
})

test('the command `refund list` returns the refunds of one merchant, newest first, filtered by order, status and time', async () => {
  expect(await run('refund', 'list')).toMatchObject(refundIds.map((id) => ({ id })))
  expect(await run('refund', 'list', '--limit', '1')).toMatchObject([{ id: refundIds[0], orderId }])
  expect(await run('refund', 'list', '--order', orderId)).toHaveLength(2)
  expect(await run('refund', 'list', '--order', newOrderId(0))).toEqual([])
  expect(await run('refund', 'list', '--order', 'ord_none')).toEqual([])
  expect(await run('refund', 'list', '--status', 'failed')).toEqual([])
  expect(await run('refund', 'list', '--since', '2100-01-01T00:00:00Z')).toEqual([])
})
