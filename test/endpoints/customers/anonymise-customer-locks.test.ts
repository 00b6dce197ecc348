import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { type Reply, type TestApi, useApi } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf } from '../../support/commerce/customer.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, orderBody, stockVariant } from '../../support/shop.ts'

/**
 * An order request and an anonymisation of the same customer run concurrently. Each is paused halfway while the other
 * starts.
 */

const started = useApi()

const person = { name: 'Zuwena Ityavyar', email: 'zuwena@example.com' }

async function open() {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, person)
  const { variantId } = await stockVariant(api, shop.merchantId)
  const order = (more: object): Promise<Reply> => {
    const body = orderBody(variantId, { customer: undefined, ...more })
    return api.send('POST', '/api/v1/orders', { token: shop.token, body })
  }
  return {
    api,
    shop,
    customer,
    variantId,
    byId: () => order({ customerId: customer.id }),
    byEmail: () => order({ customer: person }),
    anonymise: () => api.send('POST', `${customersPath}/${customer.id}/anonymise`, { token: shop.token }),
  }
}

/** Locks a database row while the function `run` starts requests that wait for this lock. */
async function holding(
  api: TestApi,
  lock: string,
  id: string,
  run: (waiting: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const holder = await api.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query(lock, [id])
    await run((count) => untilWaiting(api, count))
  } finally {
    holder.release(true)
  }
}

/** Polls until other connections block the given number of database connections. Throws after 10 000 queries. */
async function untilWaiting(api: TestApi, count: number): Promise<void> {
  const text = `select 1 from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  for (let asked = 0; (await select(api, text)).length < count; asked++) {
    if (asked === 10_000) throw new Error(`Fewer than ${count} connections wait.`)
  }
}

test.for([
  'byId',
  'byEmail',
] as const)('anonymiseCustomer waits for an uncommitted order that names the customer %s, then returns 409 customer_has_open_orders', async (way) => {
  const opened = await open()
  const { api, customer, variantId } = opened
  const replies: Promise<Reply>[] = []
  await holding(api, 'select 1 from inventory where variant_id = $1 for update', variantId, async (waiting) => {
    replies.push(opened[way]())
    await waiting(1)
    replies.push(opened.anonymise())
    await waiting(2)
  })
  const [order, erased] = await Promise.all(replies)
  if (order === undefined || erased === undefined) throw new Error('Both requests return a reply.')
  expect(order.status, order.text).toBe(201)
  expect(order.body.customer).toMatchObject({ id: customer.id, ...person })
  answers('anonymiseCustomer', 'customer_has_open_orders', erased)
  expect(erased.body.error.details).toEqual({ orderIds: [order.body.id], count: 1 })
})

test('during an anonymisation, createOrder with the customer’s id returns 409 customer_anonymised, and createOrder with the e-mail address creates a new customer', async () => {
  const opened = await open()
  const { api, shop, customer } = opened
  const earlier = await orderOf(api, shop, customer.id, 'delivered')
  const replies: Promise<Reply>[] = []
  await holding(api, 'select 1 from orders where id = $1 for update', earlier.id, async (waiting) => {
    replies.push(opened.anonymise())
    await waiting(1)
    replies.push(opened.byId(), opened.byEmail())
    await waiting(3)
  })
  const [erased, byId, byEmail] = await Promise.all(replies)
  if (erased === undefined || byId === undefined || byEmail === undefined)
    throw new Error('All requests return a reply.')
  expect(erased.status, erased.text).toBe(200)
  answers('createOrder', 'customer_anonymised', byId)
  expect(byEmail.status, byEmail.text).toBe(201)
  expect(byEmail.body.customer.id).not.toBe(customer.id)
  const theirs = 'select customer_name as name from orders where customer_id = $1'
  expect(await select(api, theirs, [customer.id])).toEqual([{ name: 'Deleted customer' }])
})
