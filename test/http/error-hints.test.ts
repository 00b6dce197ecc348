import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodes, errors } from '../../registry/errors/index.ts'
import { type Reply, sendRaw, type TestApi, useApi } from '../support/api.ts'
import { createdCustomer } from '../support/commerce/customer.ts'
import { mintToken, openShop, orderBody, type Shop, stockVariant } from '../support/shop.ts'

/** Error messages that name the next step for the client. */

const started = useApi()

let api: TestApi
let shop: Shop
let testToken: string

beforeAll(async () => {
  api = started()
  shop = await openShop(api.context)
  const testMode = { merchantId: shop.testMerchantId, mode: 'test' } as const
  testToken = (await mintToken(api.context, testMode, {})).token
})

function send(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Reply> {
  return sendRaw(api, { method, path, headers: { Authorization: `Bearer ${shop.token}`, ...headers } })
}

test('every error response contains the suggested fix for its error code', async () => {
  const replies = [
    await send('/api/v1/nothing'),
    await send('/api/v1/orders', 'PUT'),
    await send('/api/v1/orders?limit=1000'),
    await send('/api/v1/orders', 'GET', { Authorization: 'Bearer no' }),
    await send('/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k'),
    await send('/api/v1/orders', 'GET', { Expect: 'tea' }),
  ]
  for (const { text } of replies) {
    const { error } = JSON.parse(text)
    const code = errorCodes.find((each) => each === error.code) ?? expect.fail(text)
    expect(error.fix).toBe(errors[code].fix)
  }
})

describe('the error message for an id of the other mode', () => {
  test('the error message for an id of the other mode (live or test) in the path names the mode of the id and says which token to use', async () => {
    const { id } = await createdCustomer(api, shop)
    const { body, status } = await api.send('GET', `/api/v1/customers/${id}`, { token: testToken })
    expect(status).toBe(404)
    expect(body.error.message).toContain(`${id} is a record of live mode, and the token is for test mode.`)
    expect(body.error.message).toContain('svc_live_')
  })

  test('the error message for an id of the other mode (live or test) in the body names the mode of the id', async () => {
    const { variantId } = await stockVariant(api, shop.testMerchantId)
    const { body } = await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) })
    expect(body.error.code).toBe('variant_not_found')
    expect(body.error.message).toContain(`${variantId} is a record of test mode`)
  })

  test('an error message does not reveal whether an id of another merchant exists, in either mode (live or test)', async () => {
    const other = await openShop(api.context)
    const testMode = { merchantId: other.testMerchantId, mode: 'test' } as const
    const { token: otherTestToken } = await mintToken(api.context, testMode, {})
    const { id } = await createdCustomer(api, shop)
    for (const token of [other.token, otherTestToken]) {
      const { body } = await api.send('GET', `/api/v1/customers/${id}`, { token })
      expect(body.error.message).not.toContain('mode')
    }
  })
})

describe('the fix for an unknown name', () => {
  async function problemOf(path: string, method = 'GET', body?: unknown) {
    const reply = await api.send(method, path, { token: shop.token, body })
    expect(reply.status).toBe(400)
    return reply.body.error.errors[0]
  }

  test('the suggested fix for an unknown query parameter names the most similar parameter and lists all parameters', async () => {
    const { fix } = await problemOf('/api/v1/orders?stauts=pending')
    expect(fix).toMatch(/^Did you mean status\? Use one of: status, .*limit, cursor\.$/)
    expect((await problemOf('/api/v1/orders?colour=red')).fix).toMatch(/^Use one of: status, /)
  })

  test('if an operation has no query parameters, the suggested fix for any query parameter is to remove the parameter', async () => {
    expect((await problemOf('/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k?x=1')).fix).toBe('Remove it.')
  })

  test('the suggested fix for an unknown body field lists the fields that its object may have', async () => {
    const customer = { name: 'Adaeze Okafor', email: 'a@example.com' }
    const inside = await problemOf('/api/v1/customers', 'POST', {
      ...customer,
      addresses: [{ line1: 'x', citty: 'y' }],
    })
    expect(inside).toMatchObject({ path: 'body.addresses[0].citty', code: 'unknown_field' })
    expect(inside.fix).toMatch(/^Did you mean city\? Use one of: .*line1, /)
    expect((await problemOf('/api/v1/customers', 'POST', { ...customer, mail: 'x' })).fix).toMatch(
      /^Did you mean email\?/,
    )
  })

  test('the suggested fix for an unknown field name of many kilobytes lists the known names instead of a similar one', async () => {
    const body = { name: 'A', email: 'a@example.com', ['x'.repeat(50_000)]: 1 }
    const { fix } = await problemOf('/api/v1/customers', 'POST', body)
    expect(fix).toMatch(/^Use one of: /)
  })
})

describe('404 route_not_found', () => {
  async function messageOf(path: string): Promise<string> {
    const reply = await send(path)
    expect(reply.status, path).toBe(404)
    return JSON.parse(reply.text).error.message
  }

  test.for([
    ['/api/v1/order', '/api/v1/orders? It supports GET, POST.'],
    ['/api/v1/orders/', '/api/v1/orders? It supports GET, POST.'],
    ['/orders', '/api/v1/orders? It supports GET, POST.'],
    ['/v1/refund', '/api/v1/refunds? It supports GET, POST.'],
    ['/api/v2/orders', '/api/v1/orders? It supports GET, POST.'],
    ['/api/v1/order/ord_01jd3f8q6hf5n8v1zr4c7e2m9k', '/api/v1/orders/{id}? It supports GET, PATCH.'],
    ['/api/v1/logistics/quotes', '/api/v1/logistics/quote? It supports POST.'],
  ] as const)('the error for the unknown route GET %s suggests %s', async ([path, named]) => {
    expect(await messageOf(path)).toContain(`Did you mean ${named}`)
  })

  test('the error for an unknown route suggests nothing for a dissimilar or overlong path', async () => {
    expect(await messageOf('/api/v1/invoices-of-yesterday')).not.toContain('Did you mean')
    expect(await messageOf(`/api/v1/orders/${'a'.repeat(7000)}/b`)).not.toContain('Did you mean')
  })
})

test('the error 405 method_not_allowed lists the allowed methods in its message', async () => {
  const { error } = JSON.parse((await send('/api/v1/orders', 'DELETE')).text)
  expect(error.message).toBe('/api/v1/orders does not support DELETE. Allowed methods: GET, POST.')
})
