import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

test('listReturns returns 400 invalid_time_range when the end of the range equals its start', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const at = '2026-11-21T08:30:00.000Z'
  const reply = await api.send('GET', `/api/v1/returns?createdFrom=${at}&createdTo=${at}`, { token })
  answers('listReturns', 'invalid_time_range', reply)
})

test('transitionReturn and receiveReturn do not find another merchant’s return', async () => {
  const sold = await soldOrder(started())
  const other = await soldOrder(started())
  const { id } = (await sold.request(1)).body
  answers('transitionReturn', 'return_not_found', await other.move(id, 'approved'))
  answers('receiveReturn', 'return_not_found', await other.receive(id, { itemId: sold.itemId, restockQuantity: 1 }))
})

test('anonymising a customer removes the notes of the customer’s returns, also from stored events', async () => {
  const api = started()
  const sold = await soldOrder(api)
  const { id } = (await sold.request(1, { note: 'Ask Adaeze.' })).body
  await sold.move(id, 'approved')
  const { customer } = await sold.read()
  if (customer.id === null) expect.fail('The order has no customer record.')
  const { token } = sold.shop
  const reply = await api.send('POST', `/api/v1/customers/${customer.id}/anonymise`, { token })
  expect(reply.status, reply.text).toBe(200)
  expect((await api.send('GET', `/api/v1/returns/${id}`, { token })).body.note).toBeNull()
  expect(JSON.stringify(await sold.returnEvents(id))).not.toContain('Adaeze')
})
