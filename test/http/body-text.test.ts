import { beforeEach, describe, expect, test } from 'vitest'
import { type Reply, sendRaw, type TestApi, useApi } from '../support/api.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, orderBody, type Shop, type Stocked, stockVariant } from '../support/shop.ts'

/** Problems of JSON texts that a parser does not report: duplicate names and lost digits. */

const started = useApi()
const path = '/api/v1/orders'

let api: TestApi
let shop: Shop
let stocked: Stocked
let before: Record<string, string>

beforeEach(async () => {
  api = started()
  shop = await openShop(api.context)
  stocked = await stockVariant(api, shop.merchantId)
  before = await contentsOf(api)
})

const valid = (more: object = {}) => orderBody(stocked.variantId, more)

function post(body: string): Promise<Reply> {
  const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
  return sendRaw(api, { method: 'POST', path, headers, body })
}

async function refused(body: string, problem: { path: string; code: string }): Promise<void> {
  const reply = await post(body)
  expect({ status: reply.status, code: reply.body.error?.code }).toEqual({ status: 400, code: 'validation_failed' })
  expect(reply.body.error.errors, reply.text).toContainEqual(expect.objectContaining(problem))
  expect(await contentsOf(api)).toEqual(before)
}

/** Returns a valid order as JSON text in which one field has the given raw value. */
const written = (field: string, json: string) =>
  JSON.stringify(valid({ [field]: 0 })).replace(`"${field}":0`, `"${field}":${json}`)

describe('400 validation_failed for a duplicate name', () => {
  test.for([
    ['with two values', '{"note":"first",', 'body.note'],
    ['with the same value', '{"note":"last",', 'body.note'],
    ['with different escapes', '{"n\\u006fte":"first",', 'body.note'],
    ['in an object in an array', '{"items":[{"quantity":1,"quantity":2}],', 'body.items[0].quantity'],
    ['in the third of three', '{"a":[{},{"b":1},{"b":[[]],"b":2}],', 'body.a[2].b'],
  ] as const)('a duplicate field name in the body returns 400 validation_failed: %s', async ([, start, where]) => {
    const body = JSON.stringify(valid({ note: 'last' })).replace('{', start)
    await refused(body, { path: where, code: 'duplicate' })
  })

  test('a duplicate name in metadata returns 400 validation_failed, even next to names and values with quotes and brackets', async () => {
    await refused(written('metadata', '{"a":"{\\"b\\":1,[\\\\","b":",","a":"c"}'), {
      path: 'body.metadata.a',
      code: 'duplicate',
    })
  })

  test('the error for duplicate names lists only the first 20 names', async () => {
    const reply = await post(`{${Array.from({ length: 100 }, () => '"note":""').join(',')}}`)
    expect(reply.body.error.errors).toHaveLength(20)
  })
})

test('a request body may contain the same field name in several objects, and values that look like names', async () => {
  const body = valid({ note: '"note":', metadata: { note: 'note', quantity: '{"a":1,"a":2}' } })
  const reply = await post(JSON.stringify(body, null, 2))
  expect(reply.status, reply.text).toBe(201)
})

describe('numbers in a body', () => {
  test.for([
    ['100.0000000000000001', 'not_integer'],
    ['25.00000000000000000001e1', 'not_integer'],
    ['1e-400', 'not_integer'],
    ['-0.1e-400', 'not_integer'],
    [`1.${'0'.repeat(38)}1`, 'too_long'],
    [`0.${'0'.repeat(30_000)}1`, 'too_long'],
    ['9'.repeat(41), 'too_long'],
  ] as const)('an amount of %s kobo returns 400 validation_failed', async ([text, code]) => {
    await refused(written('shippingKobo', text), { path: 'body.shippingKobo', code })
  })

  test('the error for an invalid number in an array returns the path of that number', async () => {
    const body = JSON.stringify(valid()).replace('"quantity":1', '"quantity":1.00000000000000000001')
    await refused(body, { path: 'body.items[0].quantity', code: 'not_integer' })
  })

  test.for([
    ['250.000', 250],
    ['2.5e2', 250],
    ['25000e-2', 250],
    ['0.0', 0],
    ['0e-7', 0],
    [`250.${'0'.repeat(36)}`, 250],
  ] as const)('the service accepts the number %s as another notation of %s', async ([text, kobo]) => {
    const reply = await post(written('shippingKobo', text))
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body.shippingKobo).toBe(kobo)
  })
})
