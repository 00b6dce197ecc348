import { describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { addAddress, createdCustomer, customersPath } from '../support/commerce/customer.ts'
import { arrange } from '../support/contract/operation.ts'
import { textFieldsOf } from '../support/contract/text-fields.ts'
import { contentsOf, select } from '../support/database-contents.ts'
import { openShop } from '../support/shop.ts'

/**
 * Addresses whose state contradicts their city or local government area. Each operation that takes an address must
 * reject them.
 */

const started = useApi()

/** The operations that take an address, each with the field that contains it: `[id, 'body.shippingAddress']`. */
const addresses = endpointIds.flatMap((id) => {
  const { body }: Endpoint = endpoints[id]
  const lines = body === undefined ? [] : textFieldsOf(body.schema, 'body')
  return lines.flatMap(({ path }) => (path.endsWith('.line1') ? [[id, path.slice(0, -'.line1'.length)] as const] : []))
})

/** Returns a request body with the address at `body.shippingAddress`, `body.addresses[]` or `body`. */
function withAddress(body: object | undefined, path: string, address: object): object {
  const [, name] = path.split('.')
  if (name === undefined) return { ...body, ...address }
  return name.endsWith('[]') ? { ...body, [name.slice(0, -2)]: [address] } : { ...body, [name]: address }
}

test('the tests with contradictory addresses cover the operations on orders, customers and shipments', () => {
  const ids = new Set(addresses.map(([id]) => id))
  expect([...ids].sort()).toEqual([
    'createAddress',
    'createCustomer',
    'createOrder',
    'createPredictiveSchedule',
    'createQuote',
    'dispatchShipment',
    'previewOrder',
    'updateAddress',
    'updateOrder',
  ])
})

describe.each(addresses)('contradictory addresses in %s, %s', (id, path) => {
  const isPlace = id.includes('Quote') || id.includes('Schedule') || id.includes('dispatch')
  const at = path.replace('[]', '[0]')

  test.for<[object, string]>(
    isPlace
      ? [[{ lga: 'Ikeja', state: 'Oyo' }, 'Lagos']]
      : [
          [{ city: 'Abuja', state: 'Lagos' }, 'FCT'],
          [{ city: 'Ibadan', state: 'Lagos' }, 'Oyo'],
        ],
  )('the contradictory address %o returns 400 with an error that names the accepted state %s, and changes nothing', async ([
    names,
    example,
  ]) => {
    const api = started()
    const shop = await openShop(api.context)
    const of = await arrange(api, id, shop)
    const before = await contentsOf(api)
    const address = { line1: '12 Admiralty Way', ...names }
    const reply = await of.with({ body: withAddress(of.body, path, address) }).send({ token: shop.token })
    expect({ status: reply.status, code: reply.body.error?.code }).toEqual({ status: 400, code: 'validation_failed' })
    const [problem, ...others] = reply.body.error.errors
    expect(others).toEqual([])
    expect(problem).toMatchObject({
      path: `${at}.state`,
      code: 'invalid_value',
      fix: `Send a value such as "${example}".`,
    })
    expect(problem.message).toMatch(/^Must be .*, the state of `(city|lga)`, or be left out\.$/)
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for<[object]>(
    isPlace
      ? [[{ lga: 'Egbeda', state: 'Oyo' }], [{ lga: 'Ekiti', state: 'Kwara' }], [{ area: 'Ogba', state: 'Edo' }]]
      : [
          [{ city: 'Ilupeju', state: 'Ekiti' }],
          [{ city: 'Ikotun', state: 'Kwara' }],
          [{ area: 'Ajegunle', city: 'Ogbomoso', state: 'Oyo' }],
        ],
  )('the address %o is not rejected as contradictory, because each of its place names exists in several states', async ([
    names,
  ]) => {
    const api = started()
    const shop = await openShop(api.context)
    const of = await arrange(api, id, shop)
    const address = { line1: '12 Admiralty Way', ...names }
    const reply = await of.with({ body: withAddress(of.body, path, address) }).send({ token: shop.token })
    expect(reply.body).not.toMatchObject({ error: { code: 'validation_failed' } })
  })
})

describe('updateAddress', () => {
  async function open(stored: object) {
    const api = started()
    const shop = await openShop(api.context)
    const customer = await createdCustomer(api, shop)
    const { body: before } = await addAddress(api, shop, customer.id, stored)
    const path = `${customersPath}/${customer.id}/addresses/${before.id}`
    return { before, change: (body: object) => api.send('PATCH', path, { token: shop.token, body }) }
  }

  test('updateAddress with a known city and no state sets the state of that city; updateAddress with only an area does not change the state', async () => {
    const { before, change } = await open({ city: 'Lekki' })
    expect(before).toMatchObject({ state: 'Lagos' })
    expect((await change({ city: 'Abuja' })).body).toMatchObject({ city: 'Abuja', state: 'FCT' })
    expect((await change({ area: 'Yaba' })).body).toMatchObject({ area: 'Yaba', city: 'Abuja', state: 'FCT' })
  })

  test.for<[object, object]>([
    [{ city: 'Lagos' }, { state: 'FCT' }],
    [{ city: 'Ibadan' }, { state: 'Lagos' }],
  ])('updateAddress of the stored address %o returns 400 for the change %o, which contradicts the stored fields', async ([
    stored,
    patch,
  ]) => {
    const { change } = await open(stored)
    const reply = await change(patch)
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'body.state', code: 'invalid_value' }],
    })
    const { fix } = reply.body.error.errors[0]
    expect(fix).toMatch(/, or send `city` and `state` together\.$/)
  })

  test('updateAddress can change the landmark of a stored address whose city and state contradict each other', async () => {
    const { before, change } = await open({ city: 'Abuja' })
    // City and state of the stored address contradict each other. The service may have stored such an address before it
    // rejected contradictions.
    await select(started(), `update customer_addresses set state = 'Lagos' where id = $1`, [before.id])
    const reply = await change({ landmark: 'Opposite the mosque' })
    expect(reply.body).toMatchObject({ landmark: 'Opposite the mosque', city: 'Abuja', state: 'Lagos' })
  })
})
