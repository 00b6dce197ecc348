import { beforeEach, describe, expect, test } from 'vitest'
import { connectCarrier } from '../../src/access/connect-carrier.ts'
import { updateMerchant } from '../../src/commerce/merchants/update-merchant.ts'
import { getMerchantSettings } from '../../src/store/access/merchants.ts'
import { useApi, vault } from '../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { openShop, operator, type Shop } from '../support/shop.ts'

const api = useApi()
let shop: Shop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

const page = '/dashboard/settings'
const stored = (merchantId = shop.merchantId) => getMerchantSettings(api().database, merchantId)

describe('the settings of a merchant', () => {
  /** The visible fields of the settings form, with their values for a new merchant. */
  const first = {
    ...{ defaultState: 'Lagos', taxRateBps: '7.5', lowStockThreshold: '5', pendingOrderTtlMinutes: '1440' },
  }
  const change = (fields: Record<string, string>) => owner.submit(page, `${page}/general`, { ...first, ...fields })

  test('when a member changes the settings of the merchant, one audit row is added, which names the member', async () => {
    const changed = await change({
      ...{ defaultState: 'Oyo', isTaxRegistered: 'yes', taxRateBps: '10.25', isTaxInclusive: 'yes' },
      ...{ lowStockThreshold: '', pendingOrderTtlMinutes: '90' },
    })
    expect(changed.location).toBe(`${page}?done=settings.general`)
    expect(await stored()).toMatchObject({
      ...{ defaultState: 'Oyo', isTaxRegistered: true, taxRateBps: 1025, isTaxInclusive: true },
      ...{ lowStockThreshold: null, pendingOrderTtlMinutes: 90 },
    })
    const { rows } = await api().database.pool.query(
      "select actor_type, actor_id, source_ip::text, changes -> 'taxRateBps' as rate from audit_log where merchant_id = $1 and action = 'merchant.update'",
      [shop.merchantId],
    )
    expect(rows).toEqual([
      { actor_type: 'member', actor_id: owner.memberId, source_ip: '127.0.0.1/32', rate: [expect.any(Number), 1025] },
    ])
  })

  test('saving the settings does not overwrite a different setting that another member changed after the form was opened', async () => {
    const opened = await owner.get(page)
    const none = {
      ...{ isTaxRegistered: undefined, taxRateBps: undefined, isTaxInclusive: undefined, defaultPickup: undefined },
      ...{ lowStockThreshold: undefined, pendingOrderTtlMinutes: undefined, autoConfirmsPayOnDelivery: undefined },
    }
    await updateMerchant(api().context, operator, shop.tenant, { ...none, defaultState: 'Kano' })
    const form = formOf(opened.text, `${page}/general`)
    expect((await owner.post(`${page}/general`, { ...form, ...first, lowStockThreshold: '9' })).status).toBe(303)
    expect(await stored()).toMatchObject({ defaultState: 'Kano', lowStockThreshold: 9 })
  })

  test('a change of the settings is refused if another member changed the same setting after the form was opened', async () => {
    const form = formOf((await owner.get(page)).text, `${page}/general`)
    expect((await change({ lowStockThreshold: '7' })).status).toBe(303)
    const refused = await owner.post(`${page}/general`, { ...form, ...first, lowStockThreshold: '9' })
    expect([refused.status, refused.text.includes('The settings were changed after you opened')]).toEqual([422, true])
    expect((await stored()).lowStockThreshold).toBe(7)
  })

  test.for([
    ['lowStockThreshold', '-1'],
    ['lowStockThreshold', '1000001'],
    ['pendingOrderTtlMinutes', '0'],
    ['pendingOrderTtlMinutes', '1.5'],
    ['taxRateBps', '100.01'],
    ['taxRateBps', '7.555'],
    ['defaultState', 'Accra'],
    ['shown', '{}'],
  ] as const)('a change of the merchant’s settings is refused if the field %s has the value %s', async ([
    field,
    value,
  ]) => {
    const before = await stored()
    const refused = await change({ [field]: value })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('class="problem"')
    expect(await stored()).toEqual(before)
  })

  test('while the shop charges no VAT, the settings of VAT say that they have no effect', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    const countIn = async (member: SignedInMember) =>
      (await member.get(page)).text.split('Has no effect until VAT is charged.').length - 1
    expect([await countIn(owner), await countIn(viewer)]).toEqual([2, 2])
    expect((await change({ isTaxRegistered: 'yes' })).status).toBe(303)
    expect([await countIn(owner), await countIn(viewer)]).toEqual([0, 0])
  })

  test('the settings of a merchant in test mode are separate from the settings in live mode', async () => {
    const form = formOf((await owner.get(page)).text, '/dashboard/select-merchant')
    await owner.post('/dashboard/select-merchant', { ...form, merchant: shop.testMerchantId })
    await change({ lowStockThreshold: '77' })
    expect((await stored(shop.testMerchantId)).lowStockThreshold).toBe(77)
    expect((await stored()).lowStockThreshold).toBe(5)
    const { text } = await owner.get(page)
    expect(text).toContain('Test mode uses simulated carriers')
    expect(text).toContain('<dt>Mode</dt><dd>test</dd>')
    expect(text).toContain('Tick this only if the business is registered for VAT.')
  })
})

describe('the default pickup address', () => {
  const change = (fields: Record<string, string>) => owner.submit(page, `${page}/pickup`, fields)
  const place = { name: 'Ankara House', phone: '+2348031234567', line1: '7 Adeola Odeku Street', state: 'Lagos' }

  test('on the settings page, a member can set the default pickup address with coordinates, see the stored address, and remove it', async () => {
    expect((await change({ ...place, lat: '6.43', lng: '3.42' })).location).toBe(`${page}?done=settings.pickup`)
    expect((await stored()).defaultPickup).toEqual({ ...place, location: { lat: 6.43, lng: 3.42 } })
    expect((await owner.get(page)).text).toContain('value="7 Adeola Odeku Street"')
    expect((await change({ line1: '' })).status).toBe(303)
    expect((await stored()).defaultPickup).toBeNull()
  })

  test('the default pickup address is not overwritten if another member changed it after the form was opened', async () => {
    const form = formOf((await owner.get(page)).text, `${page}/pickup`)
    expect((await change(place)).status).toBe(303)
    const refused = await owner.post(`${page}/pickup`, { ...form, ...place, line1: '9 Allen Avenue' })
    expect([refused.status, refused.text.includes('The settings were changed after you opened')]).toEqual([422, true])
    expect(refused.text).toContain('value="9 Allen Avenue"')
    expect((await stored()).defaultPickup).toMatchObject({ line1: place.line1 })
    expect((await change({ ...place, line1: '9 Allen Avenue' })).status).toBe(303)
  })

  test.for([
    ['line1', { ...place, line1: '' }, 'Fill in this field.'],
    ['phone', { ...place, phone: '0803123456' }, 'Must be a Nigerian phone number, such as 08031234567'],
    ['name', { ...place, name: 'A' }, 'Must have at least 2 characters, not 1.'],
    ['line1', { ...place, line1: '7 A' }, 'Must have at least 5 characters, not 3.'],
    ['email', { ...place, email: 'ada' }, 'Must be an email address.'],
    ['lat', { ...place, lat: 'north', lng: '3.42' }, 'Enter the coordinate in decimal degrees, such as 6.4281.'],
    ['lng', { ...place, lat: '6.43' }, 'Fill in the latitude and the longitude, or neither.'],
    ['lng', { ...place, lat: '6.43', lng: '31' }, 'Must be at most 15, not 31.'],
    ['state', { ...place, state: 'Accra' }, 'Must be one of the allowed values.'],
  ] as const)('a default pickup address with an invalid %s is refused, with the problem at its field', async ([
    field,
    fields,
    message,
  ]) => {
    const refused = await change(fields)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`id="p-${field}"`)
    expect(refused.text).toContain(message)
    expect((await stored()).defaultPickup).toBeNull()
  })
})

test('the settings page shows connected carriers without their secrets, and the commands that connect other carriers and payment providers', async () => {
  const credentials = { apiKey: 'a-secret-key-1234' }
  await connectCarrier({ ...api().context, vault, isProduction: false }, operator, shop.tenant, {
    ...{ carrier: 'chowdeck', credentials },
  })
  const { text } = await owner.get(page)
  expect(text).toContain('ends in 1234')
  expect(text).toContain('An account cannot be connected on this page. Ask the operator of the service')
  expect(text).not.toContain('a-secret-key')
  expect(text).toContain(`carrier connect --merchant ${shop.merchantId} --carrier fez`)
  expect(text).toContain(`payments paystack --merchant ${shop.merchantId}`)
  expect(text).toContain(`payments flutterwave --merchant ${shop.merchantId}`)
  expect(text).toContain('# secret key, then on a second line: secret hash')
})

test('a member with the viewer role can read the settings but change nothing', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const before = await stored()
  const { text } = await viewer.get(page)
  expect(text).toContain('Only an owner can change the settings.')
  const { csrf = '' } = formOf(text, '/dashboard/sign-out')
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k' }
  expect((await viewer.post(`${page}/general`, { ...form, defaultState: 'Oyo' })).status).toBe(403)
  expect((await viewer.post(`${page}/pickup`, { ...form, line1: '7 Adeola Odeku Street' })).status).toBe(403)
  expect(await stored()).toEqual(before)
})
