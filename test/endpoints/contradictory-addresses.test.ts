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

/** Addresses of which one field contradicts the state or the city of another, in every operation that takes an address. */

const started = useApi()

/** The operations with the fields that contain an address: `[id, 'body.shippingAddress']`. */
const addresses = endpointIds.flatMap((id) => {
  const { body }: Endpoint = endpoints[id]
  const lines = body === undefined ? [] : textFieldsOf(body.schema, 'body')
  return lines.flatMap(({ path }) => (path.endsWith('.line1') ? [[id, path.slice(0, -'.line1'.length)] as const] : []))
})

/** Returns a body with an address at `body.shippingAddress`, `body.addresses[]` or `body`. */
function withAddress(body: object | undefined, path: string, address: object): object {
  const [, name] = path.split('.')
  if (name === undefined) return { ...body, ...address }
  return name.endsWith('[]') ? { ...body, [name.slice(0, -2)]: [address] } : { ...body, [name]: address }
}

test('the operations with an address include orders, customers and shipments', () => {
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

  test.for<[string, object, string, string]>([
    ['a state other than that of the area', { area: 'Wuse 2', state: 'Lagos' }, 'state', '"FCT"'],
    isPlace
      ? ['a local government area elsewhere', { area: 'Wuse 2', lga: 'Ikeja' }, 'lga', 'null']
      : ['a city elsewhere than the area', { area: 'Wuse 2', city: 'Ikeja' }, 'city', '"Abuja"'],
    isPlace
      ? ['a state other than that of the local government area', { lga: 'Ikeja', state: 'Oyo' }, 'state', '"Lagos"']
      : ['a state other than that of the city', { city: 'Abuja', state: 'Lagos' }, 'state', '"FCT"'],
  ])('a contradictory address returns 400 with an example of an accepted address for %s, and changes nothing', async ([
    ,
    names,
    field,
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
      path: `${at}.${field}`,
      code: 'invalid_value',
      fix: `Send a value such as ${example}.`,
    })
    expect(problem.message).toMatch(/^Must be .*, the state of `(area|city|lga)`, or be left out\.$/)
    expect(await contentsOf(api)).toEqual(before)
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

  test('updateAddress sets the state to the state of a known city or area when the request sends no state', async () => {
    const { before, change } = await open({ city: 'Lekki' })
    expect(before).toMatchObject({ state: 'Lagos' })
    expect((await change({ city: 'Abuja' })).body).toMatchObject({ city: 'Abuja', state: 'FCT' })
    expect((await change({ area: 'Wuse 2' })).body).toMatchObject({ area: 'Wuse 2', city: 'Abuja', state: 'FCT' })
  })

  test.for<[object, object, string]>([
    [{ area: 'Lekki Phase 1', city: 'Lekki' }, { city: 'Abuja' }, 'body.state'],
    [{ city: 'Lagos' }, { area: 'Wuse 2' }, 'body.state'],
    [{ city: 'Lagos' }, { state: 'FCT' }, 'body.state'],
  ])('updateAddress of the stored address %o returns 400 for %o, which contradicts the stored fields', async ([
    stored,
    patch,
    path,
  ]) => {
    const { change } = await open(stored)
    const reply = await change(patch)
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'validation_failed', errors: [{ path, code: 'invalid_value' }] })
    const { fix } = reply.body.error.errors[0]
    expect(fix).toMatch(/, or send `area`, `city` and `state` together\.$/)
  })

  test('updateAddress changes other fields of a stored address that contradicts itself', async () => {
    const { before, change } = await open({ city: 'Abuja' })
    // The address is stored as it was before the service rejected contradictions.
    await select(started(), `update customer_addresses set state = 'Lagos' where id = $1`, [before.id])
    const reply = await change({ landmark: 'Opposite the mosque' })
    expect(reply.body).toMatchObject({ landmark: 'Opposite the mosque', city: 'Abuja', state: 'Lagos' })
  })
})
