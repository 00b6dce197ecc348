import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { nairaText } from '../../../src/base/naira.ts'
import { useApi } from '../../support/api.ts'
import { setPickup } from '../../support/commerce/return-to-ship.ts'
import { signedIn } from '../../support/dashboard.ts'
import { formFieldsOf } from '../../support/form-values.ts'
import { orderTo, plainPhone } from '../../support/logistics/parcel-run.ts'
import { textOf } from '../../support/page-text.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { mintToken, openShop, placeOrder } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

const api = useApi()

const action = '/dashboard/orders/dispatch'

async function openDispatch() {
  const opened = await openShop(api().context)
  const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
  const { id: tokenId, token } = await mintToken(api().context, tenant, {})
  const shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
  const owner = await signedIn(api(), opened.merchantId, 'owner')
  await selectTestMode(owner)
  await setPickup(api(), shop)
  /** Requests offers for the orders. Returns the address of the page with the offers. */
  const offersFor = async (ids: readonly string[]) => {
    const first = formFieldsOf((await owner.get(`/dashboard/orders/${ids[0]}/dispatch`)).text, action)
    const { csrf = [], form = [], tenant: chosenTenant = [] } = first
    const { location } = await owner.post(action, { csrf, form, tenant: chosenTenant, id: ids })
    return location ?? expect.fail('The form did not lead to offers.')
  }
  return { shop, owner, offersFor }
}

type Dispatch = Awaited<ReturnType<typeof openDispatch>>

/** Places an order that must be paid before its dispatch, but is not. */
async function unpaidOrder({ shop }: Dispatch): Promise<string> {
  const shippingAddress = { recipientName: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way' }
  const body = { shippingAddress: { ...shippingAddress, city: 'Lekki', state: 'Lagos' } }
  const { id } = await placeOrder(api(), shop, { isPaid: false, body })
  const sent = { token: shop.token, body: { to: 'processing' } }
  expect((await api().send('POST', `/api/v1/orders/${id}/transition`, sent)).status).toBe(200)
  return id
}

/** Returns the prices in kobo of the offers that are chosen on a page. */
function chosenPricesIn(page: string): readonly number[] {
  return [...page.matchAll(/data-kobo="(\d+)" checked/g)].map(([, kobo]) => Number(kobo))
}

const sumOf = (prices: readonly number[]) => nairaText(prices.reduce((sum, kobo) => sum + kobo, 0))

test('the page with the outcomes of a dispatch shows the carrier and the price of each shipment, and the sum of the prices', async () => {
  const { shop, owner, offersFor } = await openDispatch()
  const offers = (await owner.get(await offersFor([await orderTo(api(), shop), await orderTo(api(), shop)]))).text
  expect(chosenPricesIn(offers)).toHaveLength(2)
  const { location = '' } = await owner.post(action, formFieldsOf(offers, action))
  const { text } = await owner.get(location)
  expect(textOf(text)).toContain(
    `The carriers accepted the shipments of 2 orders for ${sumOf(chosenPricesIn(offers))} in total.`,
  )
  expect(text).not.toContain('Next step')
  expect(text.match(/<td data-title="Carrier"[^>]*>Simulator [A-Z]\w+<\/td>/g)).toHaveLength(2)
  for (const kobo of chosenPricesIn(offers))
    expect(text).toMatch(new RegExp(`<td data-title="Price"[^>]*><span class="money">${nairaText(kobo)}</span></td>`))
})

test('before unpaid orders are dispatched, the page that asks for a confirmation states the sum of the chosen offers', async () => {
  const opened = await openDispatch()
  const { owner, offersFor } = opened
  const offers = (await owner.get(await offersFor([await unpaidOrder(opened), await unpaidOrder(opened)]))).text
  const { text } = await owner.ask(action, formFieldsOf(offers, action))
  const prices = chosenPricesIn(offers)
  expect(prices).toHaveLength(2)
  expect(textOf(text)).toContain(`The chosen offers of 2 orders cost ${sumOf(prices)} in total.`)
})

describeInBrowser('the sum of the chosen offers', () => {
  const openVisit = useBrowser()

  const pricesIn = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((offers) => offers.map((offer) => Number(offer.getAttribute('data-kobo'))))

  test('the browser script shows the sum of the chosen offers, and updates the sum when another offer is chosen', async () => {
    const { shop, owner, offersFor } = await openDispatch()
    const address = await offersFor([await orderTo(api(), shop), await orderTo(api(), shop)])
    const { context, page, close } = await openVisit()
    await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    await page.goto(`${api().url}${address}`)
    const shown = () => page.locator('[data-total]').innerText()
    const before = await pricesIn(page, 'input[data-kobo]:checked')
    expect(await shown()).toBe(`The chosen offers of 2 orders cost ${sumOf(before)} in total.`)
    await page.locator('.offers').first().locator('input[data-kobo]').last().check()
    const after = await pricesIn(page, 'input[data-kobo]:checked')
    expect(sumOf(after)).not.toBe(sumOf(before))
    expect(await shown()).toBe(`The chosen offers of 2 orders cost ${sumOf(after)} in total.`)
    await close()
  })
})
