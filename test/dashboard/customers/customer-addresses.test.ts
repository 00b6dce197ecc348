import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { addAddress } from '../../support/commerce/customer.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { customerActions, pathOf, person } from './customer-actions.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const { send, customer, read, submit } = customerActions(api, () => ({ shop, member }))

describe('the addresses of a customer', () => {
  const place = { line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki' }

  test('a member adds, changes and removes addresses, of which one is the default', async () => {
    const { id } = await customer(person)
    expect((await submit(id, '/addresses/new', { ...place, phone: '08031234567' })).status).toBe(303)
    api().clock.advance(1)
    expect((await submit(id, '/addresses/new', { line1: '7 Allen Avenue', isDefault: 'yes' })).status).toBe(303)
    const { addresses } = await read(id)
    expect(addresses).toMatchObject([
      { ...place, state: 'Lagos', phone: '+2348031234567', isDefault: false },
      { line1: '7 Allen Avenue', isDefault: true },
    ])
    const [{ id: first }, { id: second }] = addresses
    const edit = `/addresses/${first}/edit`
    const shown = (await member.get(pathOf(id, edit))).text
    expect(shown).toContain('value="Lekki Phase 1"')
    expect(shown).toContain('Existing orders keep the addresses')
    expect((await member.get(pathOf(id, '/addresses/new'))).text).not.toContain('Existing orders')
    const changed = { ...place, state: 'Lagos', landmark: 'Opposite Ebeano', latitude: '6.4474', longitude: '3.4723' }
    expect((await submit(id, edit, changed)).location).toBe(`${pathOf(id)}?done=customers.id.addresses.addressId.edit`)
    expect((await submit(id, `/addresses/${second}/remove`)).status).toBe(303)
    expect((await read(id)).addresses).toMatchObject([
      { ...place, landmark: 'Opposite Ebeano', latitude: 6.4474, phone: null, isDefault: true },
    ])
    expect((await member.get(pathOf(id))).text).toContain('12 Admiralty Way, Opposite Ebeano')
  })

  test.for([
    ['line1', { line1: '' }, 'Fill in this field.'],
    ['phone', { phone: '123' }, 'Must be a Nigerian phone number'],
    ['latitude', { latitude: 'north' }, 'Enter the coordinate in decimal degrees'],
    ['longitude', { latitude: '6.4' }, 'Send `latitude` and `longitude` together.'],
    ['state', { state: 'Accra' }, 'Choose a state.'],
    ['landmark', { landmark: 'x'.repeat(300) }, 'Must have at most 200 characters'],
  ] as const)('an address with an invalid %s is refused at its field', async ([field, fields, message]) => {
    const { id } = await customer(person)
    const { status, text } = await submit(id, '/addresses/new', { ...place, ...fields })
    expect(status).toBe(422)
    expect(text).toContain(`id="p-${field}"`)
    expect(text).toContain(message)
    expect((await read(id)).addresses).toEqual([])
  })

  test.for([
    ['the house', { line1: '40 Marina' }, null],
    ['the area', { area: 'Ikate' }, null],
    ['the city', { city: 'Ikoyi' }, null],
    ['the city and the state', { area: '', city: 'Abeokuta', state: 'Ogun' }, null],
    ['only the landmark', { landmark: 'Opposite Ebeano' }, 6.4474],
    ['the house and the coordinates', { line1: '40 Marina', latitude: '6.5' }, 6.5],
  ] as const)('after a change of %s, the address no longer has the coordinates of its earlier place', async ([
    ,
    fields,
    latitude,
  ]) => {
    const coordinates = { latitude: 6.4474, longitude: 3.4723 }
    const { id } = await customer({ ...person, addresses: [{ ...place, state: 'Lagos', ...coordinates }] })
    const [address] = (await read(id)).addresses
    const shown = { ...place, state: 'Lagos', latitude: '6.4474', longitude: '3.4723' }
    expect((await submit(id, `/addresses/${address.id}/edit`, { ...shown, ...fields })).status).toBe(303)
    const longitude = latitude === null ? null : 3.4723
    expect((await read(id)).addresses).toMatchObject([{ latitude, longitude }])
  })

  test('the pages that edit and remove an address return 404 if the address belongs to another customer', async () => {
    const { id } = await customer(person)
    const { body } = await addAddress(api(), shop, (await customer()).id)
    for (const action of ['edit', 'remove'])
      expect((await member.get(pathOf(id, `/addresses/${body.id}/${action}`))).status).toBe(404)
  })

  test('an outdated form neither adds, changes nor removes an address', async () => {
    const { id } = await customer({ ...person, addresses: [place] })
    const [address] = (await read(id)).addresses
    const actions = ['/addresses/new', `/addresses/${address.id}/edit`, `/addresses/${address.id}/remove`]
    const forms = await Promise.all(
      actions.map(async (action) => {
        const path = pathOf(id, action)
        return { path, form: formOf((await member.get(path)).text, path) }
      }),
    )
    await send('PATCH', `/customers/${id}`, { note: 'From the till' })
    for (const { path, form } of forms) {
      const fields = path.endsWith('remove') ? {} : place
      const stale = await member.post(path, { ...form, ...fields })
      expect([stale.status, stale.text.includes('was changed after you opened this form')]).toEqual([422, true])
    }
    expect((await read(id)).addresses).toEqual([address])
  })
})
