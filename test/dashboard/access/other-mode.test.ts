import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { formOf, signedIn } from '../../support/dashboard.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

/** Requests dashboard URLs of records that belong to the mode (live or test) that the member has not selected. */

const api = useApi()

const selection = '/dashboard/select-merchant'

async function openModes() {
  const live = await openShop(api().context)
  const tenant = { merchantId: live.testMerchantId, mode: 'test' } as const
  const { id: tokenId, token } = await mintToken(api().context, tenant, {})
  const test: Shop = { ...live, tenant, merchantId: live.testMerchantId, token, tokenId }
  return { live, test, member: await signedIn(api(), live.merchantId, 'operations') }
}

test('the URL of a record of the other mode (live or test) returns a page that names that mode and has a button to switch to it', async () => {
  const { test: inTest, member } = await openModes()
  const order = await placeOrder(api(), inTest)
  const path = `/dashboard/orders/${order.id}`
  const other = await member.get(path)
  expect(other).toMatchObject({ status: 404, text: expect.stringContaining('This record belongs to test mode') })
  expect(other.text).not.toContain(order.number)
  const main = other.text.split('<main').at(-1) ?? ''
  const { location = '' } = await member.post(selection, formOf(main, selection))
  expect(location).toBe(path)
  expect(await member.get(location)).toMatchObject({ status: 200, text: expect.stringContaining(order.number) })
})

test('in test mode, the URL of a live-mode record returns a page that names live mode', async () => {
  const { live, member } = await openModes()
  const order = await placeOrder(api(), live)
  await selectTestMode(member)
  const other = await member.get(`/dashboard/orders/${order.id}`)
  expect(other).toMatchObject({ status: 404, text: expect.stringContaining('This record belongs to live mode') })
})

test('for another merchant’s record or an unknown record, the dashboard returns a 404 page that does not say to which mode the record belongs', async () => {
  const { member } = await openModes()
  const others = await openModes()
  const [live, tested] = [await placeOrder(api(), others.live), await placeOrder(api(), others.test)]
  for (const id of [live.id, tested.id, 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k', 'nonsense']) {
    const { status, text } = await member.get(`/dashboard/orders/${id}`)
    expect([id, status, text.includes('belongs to')]).toEqual([id, 404, false])
  }
})
