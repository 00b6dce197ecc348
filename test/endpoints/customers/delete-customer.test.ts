import { describe, expect, test } from 'vitest'
import { newCustomerId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customerBody, customersPath, orderOf, readCustomer } from '../../support/commerce/customer.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

interface Opened {
  readonly api: TestApi
  readonly shop: Shop
  readonly customer: ReplyBody
  remove(): Promise<Reply>
}

async function open(more: object = {}): Promise<Opened> {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, more)
  api.clock.advance(1000)
  const remove = () => api.send('DELETE', `${customersPath}/${customer.id}`, { token: shop.token })
  return { api, shop, customer, remove }
}

describe('200 responses of deleteCustomer', () => {
  test('deleteCustomer removes the customer from lists and reads, and the customer’s orders still contain the customer', async () => {
    const { api, shop, customer, remove } = await open({ tags: ['gone'] })
    const order = await orderOf(api, shop, customer.id)
    api.clock.advance(1000)
    const reply = await remove()
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ id: customer.id, deleted: true })
    for (const query of ['', `?email=${customer.email}`, '?tag=gone', '?q=adaeze']) {
      expect((await api.send('GET', customersPath + query, { token: shop.token })).body.data).toEqual([])
    }
    const read = await api.send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
    expect(read.body.customer).toEqual(order.customer)
    expect((await auditRows(api, shop.merchantId)).at(-1)).toMatchObject({
      action: 'customer.delete',
      resource_id: customer.id,
      changes: { deleted: [false, true] },
    })
  })

  test('deleteCustomer makes the e-mail address and the external reference available again', async () => {
    const { api, shop, customer, remove } = await open({ externalReference: 'crm-1' })
    await remove()
    const again = await createdCustomer(api, shop, { email: customer.email, externalReference: 'crm-1' })
    expect(again.id).not.toBe(customer.id)
    expect((await readCustomer(api, shop, again.id)).ordersCount).toBe(0)
  })

  test('after deleteCustomer, an order with the same e-mail creates a new customer', async () => {
    const { api, shop, customer, remove } = await open()
    await remove()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const body = orderBody(variantId, { customer: { name: 'Adaeze', email: customer.email } })
    const reply = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
    expect(reply.body.customer.id).not.toBe(customer.id)
  })
})

describe('404 customer_not_found', () => {
  test('every operation except anonymiseCustomer returns 404 customer_not_found for a deleted customer', async () => {
    const { api, shop, customer, remove } = await open({ addresses: [{ line1: 'x' }] })
    await remove()
    const before = await contentsOf(api)
    const path = `${customersPath}/${customer.id}`
    const address = `${path}/addresses/${customer.defaultAddressId}`
    const { token } = shop
    const { variantId } = await stockVariant(api, shop.merchantId)
    const afterStock = await contentsOf(api)
    answers('deleteCustomer', 'customer_not_found', await remove())
    answers('getCustomer', 'customer_not_found', await api.send('GET', path, { token }))
    answers('updateCustomer', 'customer_not_found', await api.send('PATCH', path, { token, body: { name: 'A' } }))
    const body = { line1: 'y' }
    answers('createAddress', 'customer_not_found', await api.send('POST', `${path}/addresses`, { token, body }))
    answers('updateAddress', 'customer_not_found', await api.send('PATCH', address, { token, body }))
    answers('deleteAddress', 'customer_not_found', await api.send('DELETE', address, { token }))
    const order = orderBody(variantId, { customer: undefined, customerId: customer.id })
    answers('createOrder', 'customer_not_found', await api.send('POST', '/api/v1/orders', { token, body: order }))
    expect(await contentsOf(api)).toEqual(afterStock)
    expect(afterStock.customers).toBe(before.customers)
  })

  test('deleteCustomer returns 404 customer_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    const path = `${customersPath}/${newCustomerId(0)}`
    answers('deleteCustomer', 'customer_not_found', await api.send('DELETE', path, { token: shop.token }))
  })
})

describe('concurrent requests of deleteCustomer', () => {
  test('ten concurrent deletions delete the customer once', async () => {
    const { api, shop, remove } = await open()
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove()))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 200) answers('deleteCustomer', 'customer_not_found', reply)
    const rows = await auditRows(api, shop.merchantId)
    expect(rows.filter((row) => row.action === 'customer.delete')).toHaveLength(1)
  })

  test('a deletion and a concurrent creation with the same e-mail never leave two customers', async () => {
    const { api, shop, customer, remove } = await open()
    const body = customerBody(api, { email: customer.email })
    const [, created] = await Promise.all([remove(), api.send('POST', customersPath, { token: shop.token, body })])
    if (created.status !== 201) answers('createCustomer', 'customer_exists', created)
    const alive = 'select id from customers where merchant_id = $1 and deleted_at is null'
    expect(await select(api, alive, [shop.merchantId])).toHaveLength(created.status === 201 ? 1 : 0)
  })
})
