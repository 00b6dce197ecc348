import { describe, expect, test } from 'vitest'
import { newCustomerId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { type Reply, type ReplyBody, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf, readCustomer } from '../../support/commerce/customer.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { auditRows, contentsOf, select } from '../../support/database-contents.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

interface Opened {
  readonly api: TestApi
  readonly shop: Shop
  readonly customer: ReplyBody
  anonymise(): Promise<Reply>
}

async function open(more: object = {}): Promise<Opened> {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, more)
  api.clock.advance(1000)
  const path = `${customersPath}/${customer.id}/anonymise`
  return { api, shop, customer, anonymise: () => api.send('POST', path, { token: shop.token }) }
}

describe('200 responses of anonymiseCustomer', () => {
  test('anonymiseCustomer replaces the personal data with placeholders and keeps the order statistics', async () => {
    const { api, shop, customer, anonymise } = await open({
      phone: '+2348031234567',
      addresses: [{ line1: '9 Wurukum Close' }],
      tags: ['sister of Terna'],
      note: 'Knows Terna.',
      marketing: { sms: { granted: true } },
      externalReference: 'crm-terna',
      metadata: { brother: 'Terna' },
    })
    const order = await orderOf(api, shop, customer.id)
    const body = { amountKobo: 1_000_000, method: 'cash', reference: 'once' }
    await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
    await moveOrderTo(api, shop, order.id, 'delivered')
    api.clock.advance(1000)
    const reply = await anonymise()
    const never = { granted: false, at: null }
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('etag')).toMatch(/^"v2-/)
    expect(reply.body).toEqual({
      id: customer.id,
      name: 'Deleted customer',
      email: expect.stringMatching(/^anon-[0-9a-z]{20}@anonymised\.invalid$/),
      phone: null,
      addresses: [],
      defaultAddressId: null,
      tags: [],
      note: null,
      marketing: { email: never, sms: never, whatsapp: never },
      ordersCount: 1,
      totalSpentKobo: 1_000_000,
      lastOrderAt: order.createdAt,
      externalReference: null,
      status: 'anonymised',
      metadata: {},
      version: 2,
      createdAt: customer.createdAt,
      updatedAt: new Date(api.clock.nowMs()).toISOString(),
    })
    expect(await readCustomer(api, shop, customer.id)).toEqual(reply.body)
  })

  test('anonymiseCustomer keeps the items, amounts, city and state of an order, and raises the version of the order', async () => {
    const { api, shop, customer, anonymise } = await open()
    const { variantId } = await stockVariant(api, shop.merchantId)
    const place = {
      recipientName: 'Terna',
      line1: '9 Wurukum Close',
      landmark: 'The mill',
      city: 'Ikeja',
      state: 'Lagos',
    }
    const created = await api.send('POST', '/api/v1/orders', {
      token: shop.token,
      body: orderBody(variantId, {
        customer: { name: 'Zuwena', email: customer.email },
        shippingAddress: { ...place, latitude: 6.6, longitude: 3.3 },
        note: 'Knows Terna.',
        customerNote: 'Ask for Terna.',
        tags: ['terna'],
        metadata: { brother: 'Terna' },
        shippingKobo: 5000,
        externalReference: 'shop-1',
      }),
    })
    await moveOrderTo(api, shop, created.body.id, 'delivered')
    const path = `/api/v1/orders/${created.body.id}`
    const before = (await api.send('GET', path, { token: shop.token })).body
    api.clock.advance(1000)
    const { email } = (await anonymise()).body
    expect((await api.send('GET', path, { token: shop.token })).body).toEqual({
      ...before,
      customer: { id: customer.id, name: 'Deleted customer', email, phone: null },
      shippingAddress: {
        recipientName: null,
        phone: null,
        line1: 'Removed',
        line2: null,
        landmark: null,
        area: null,
        city: 'Ikeja',
        state: 'Lagos',
        country: 'NG',
        postalCode: null,
        instructions: null,
        latitude: null,
        longitude: null,
      },
      note: null,
      customerNote: null,
      tags: [],
      metadata: {},
      version: before.version + 1,
      updatedAt: new Date(api.clock.nowMs()).toISOString(),
    })
  })

  test('anonymiseCustomer removes the cancel note of an order and keeps the reason code', async () => {
    const { api, shop, customer, anonymise } = await open()
    const order = await orderOf(api, shop, customer.id)
    const path = `/api/v1/orders/${order.id}`
    const body = { reason: 'customer', note: `${customer.name} has moved away.` }
    expect((await api.send('POST', `${path}/cancel`, { token: shop.token, body })).body.cancelNote).toBe(body.note)
    await anonymise()
    const read = await api.send('GET', path, { token: shop.token })
    expect(read.body).toMatchObject({ status: 'cancelled', cancelReason: 'customer', cancelNote: null })
  })

  test('anonymiseCustomer changes nothing when repeated, and returns the same placeholders', async () => {
    const { api, shop, anonymise } = await open()
    const first = await anonymise()
    const rows = () => select(api, 'select to_jsonb(customers) as row from customers')
    const before = await rows()
    api.clock.advance(1000)
    expect((await anonymise()).body).toEqual(first.body)
    expect(await rows()).toEqual(before)
    const audits = (await auditRows(api, shop.merchantId)).filter(({ action }) => action === 'customer.anonymise')
    expect(audits.map((row) => Object.keys(row.changes))).toEqual([expect.arrayContaining(['name', 'email', 'status'])])
  })

  test('anonymiseCustomer gives each customer a different placeholder e-mail', async () => {
    const first = await open()
    const second = await createdCustomer(first.api, first.shop)
    const path = `${customersPath}/${second.id}/anonymise`
    const reply = await first.api.send('POST', path, { token: first.shop.token })
    expect(reply.body.email).not.toBe((await first.anonymise()).body.email)
  })

  test('anonymiseCustomer also anonymises a deleted customer, and the customer stays deleted', async () => {
    const { api, shop, customer, anonymise } = await open()
    const path = `${customersPath}/${customer.id}`
    await api.send('DELETE', path, { token: shop.token })
    expect((await anonymise()).body).toMatchObject({ id: customer.id, name: 'Deleted customer' })
    answers('getCustomer', 'customer_not_found', await api.send('GET', path, { token: shop.token }))
  })

  test('anonymiseCustomer makes the e-mail address available for a new customer', async () => {
    const { api, shop, customer, anonymise } = await open()
    await anonymise()
    expect((await createdCustomer(api, shop, { email: customer.email })).id).not.toBe(customer.id)
  })
})

describe('404 customer_not_found', () => {
  test('anonymiseCustomer returns 404 customer_not_found for an unknown id', async () => {
    const { api, shop } = await open()
    const path = `${customersPath}/${newCustomerId(0)}/anonymise`
    answers('anonymiseCustomer', 'customer_not_found', await api.send('POST', path, { token: shop.token }))
  })
})

describe('409 customer_has_open_orders', () => {
  test.for([
    'pending',
    'on_hold',
    'processing',
    'shipped',
  ] as const)('anonymiseCustomer returns 409 customer_has_open_orders while an order is %s', async (status) => {
    const { api, shop, customer, anonymise } = await open()
    const order = await orderOf(api, shop, customer.id, status)
    await orderOf(api, shop, customer.id, 'delivered')
    const before = await contentsOf(api)
    const reply = await anonymise()
    answers('anonymiseCustomer', 'customer_has_open_orders', reply)
    expect(reply.body.error.details).toEqual({ orderIds: [order.id], count: 1 })
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for([
    'delivered',
    'returned',
    'cancelled',
  ] as const)('anonymiseCustomer does not return 409 customer_has_open_orders when every order is %s', async (status) => {
    const { api, shop, customer, anonymise } = await open()
    await orderOf(api, shop, customer.id, status)
    expect((await anonymise()).status).toBe(200)
  })

  test('anonymiseCustomer returns 409 customer_has_open_orders while a refund is pending', async () => {
    const { api, shop, customer, anonymise } = await open()
    const order = await orderOf(api, shop, customer.id, 'delivered')
    await select(api, 'update orders set paid_kobo = 500, refund_pending_kobo = 500 where id = $1', [order.id])
    answers('anonymiseCustomer', 'customer_has_open_orders', await anonymise())
    await select(api, 'update orders set refunded_kobo = 500, refund_pending_kobo = 0 where id = $1', [order.id])
    expect((await anonymise()).status).toBe(200)
  })

  test('the error customer_has_open_orders lists the 20 oldest open orders and states the number of all open orders', async () => {
    const { api, shop, customer, anonymise } = await open()
    const ids: string[] = []
    for (let index = 0; index < 22; index++) {
      ids.push((await orderOf(api, shop, customer.id)).id)
      api.clock.advance(1)
    }
    expect((await anonymise()).body.error.details).toEqual({ orderIds: ids.slice(0, 20), count: 22 })
  })
})

describe('createOrder for an anonymised customer', () => {
  test('createOrder returns 409 customer_anonymised when customerId or the placeholder e-mail address identifies an anonymised customer', async () => {
    const { api, shop, customer, anonymise } = await open()
    const { email } = (await anonymise()).body
    const { variantId } = await stockVariant(api, shop.merchantId)
    const before = await contentsOf(api)
    const named = { name: 'Zuwena', email: email.toUpperCase(), phone: '+2348031234567' }
    for (const more of [{ customer: undefined, customerId: customer.id }, { customer: named }]) {
      const body = orderBody(variantId, more)
      answers(
        'createOrder',
        'customer_anonymised',
        await api.send('POST', '/api/v1/orders', { token: shop.token, body }),
      )
    }
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('anonymisation and concurrent requests', () => {
  /**
   * Runs an order request and the anonymisation of its customer concurrently. Afterwards no order may contain the
   * person’s name, regardless of which transaction commits first.
   */
  async function race(more: (customer: ReplyBody) => object): Promise<void> {
    const { api, shop, customer, anonymise } = await open({ name: 'Zuwena Ityavyar' })
    const { variantId } = await stockVariant(api, shop.merchantId)
    const body = orderBody(variantId, more(customer))
    const order = () => api.send('POST', '/api/v1/orders', { token: shop.token, body })
    const [erased, ...orders] = await Promise.all([anonymise(), order(), order(), order()])
    if (erased.status !== 200) answers('anonymiseCustomer', 'customer_has_open_orders', erased)
    for (const reply of orders) if (reply.status !== 201) answers('createOrder', 'customer_anonymised', reply)
    const theirs = await select(api, 'select customer_name as name from orders where customer_id = $1', [customer.id])
    if (erased.status === 200) expect(theirs).toEqual([])
    else expect(theirs.length).toBeGreaterThan(0)
  }

  test.for(
    Array.from({ length: 5 }, (_, index) => index),
  )('if orders with a customer’s customerId are created during the customer’s anonymisation, no order contains the customer’s name (race %i)', async () => {
    await race((customer) => ({ customer: undefined, customerId: customer.id }))
  })

  test.for(
    Array.from({ length: 5 }, (_, index) => index),
  )('if orders with a customer’s e-mail address are created during the customer’s anonymisation, no order contains the customer’s name (race %i)', async () => {
    await race((customer) => ({ customer: { name: 'Zuwena Ityavyar', email: customer.email } }))
  })

  test('concurrent payments and refunds of an anonymised customer’s orders are all recorded, without a deadlock', async () => {
    const { api, shop, customer, anonymise } = await open()
    const orders = []
    for (let index = 0; index < 4; index++) orders.push(await orderOf(api, shop, customer.id, 'delivered'))
    const pay = (id: string, amountKobo: number) => {
      const body = { amountKobo, method: 'cash', reference: `${id}-${amountKobo}` }
      return api.send('POST', `/api/v1/orders/${id}/payments`, { token: shop.token, body })
    }
    const [erased, ...paid] = await Promise.all([
      anonymise(),
      ...orders.reverse().flatMap(({ id }) => [pay(id, 1000), pay(id, 2000)]),
    ])
    expect(erased.status, erased.text).toBe(200)
    expect(paid.map((reply) => reply.status)).toEqual(paid.map(() => 201))
    expect((await readCustomer(api, shop, customer.id)).totalSpentKobo).toBe(12_000)
    const names = await select(api, 'select distinct customer_name from orders where customer_id = $1', [customer.id])
    expect(names).toEqual([{ customer_name: 'Deleted customer' }])
  })

  test('ten concurrent anonymisations change the customer once', async () => {
    const { api, shop, anonymise } = await open()
    const replies = await Promise.all(Array.from({ length: 10 }, () => anonymise()))
    expect(new Set(replies.map((reply) => reply.body.email)).size).toBe(1)
    const rows = (await auditRows(api, shop.merchantId)).filter((row) => Object.keys(row.changes).includes('email'))
    expect(rows.map((row) => row.action)).toEqual(['customer.create', 'customer.anonymise'])
  })
})
