import { expect, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, useBrowser, type Visit } from '../../support/reference/browser.ts'
import { openShop, placeOrder } from '../../support/shop.ts'
import { openAs } from './tasks/count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  /** Places an order for a customer and a product whose names are each one long word. */
  async function openLongWords() {
    const shop = await openShop(api().context)
    const { token } = shop
    const customer = { name: 'W'.repeat(120), email: 'long@example.com', phone: '+2348031234567' }
    const shippingAddress = { line1: '12 Admiralty Way', area: 'Lekki Phase 1', city: 'Lekki', state: 'Lagos' }
    await placeOrder(api(), shop)
    const { data } = (await api().send('GET', '/api/v1/products', { token })).body
    const { id: productId } = data[0]
    const title = 'é'.repeat(200)
    expect((await api().send('PATCH', `/api/v1/products/${productId}`, { token, body: { title } })).status).toBe(200)
    const { variants } = (await api().send('GET', `/api/v1/products/${productId}`, { token })).body
    const items = [{ variantId: variants[0].id, quantity: 1 }]
    const { id } = await placeOrder(api(), shop, { body: { customer, shippingAddress, items } })
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const { name, phone, line1, area } = pickupInputExample
    const pickup = { name, phone, line1, area, state: 'Lagos' }
    const stored = await member.submit('/dashboard/settings', '/dashboard/settings/pickup', pickup)
    expect(stored.status).toBe(303)
    return { id, title, member }
  }

  const widthOutside = ({ page }: Visit, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.scrollWidth - element.clientWidth)

  test('on a wide screen, a name of one long word hides no column of the tables of orders, items and packing slips', async () => {
    const { id, member } = await openLongWords()
    const visit = await open({ viewport: { width: 1440, height: 900 } })
    for (const path of ['/customers', `/orders/${id}`, `/orders/slips?id=${id}`]) {
      await openAs(visit, member, `${api().url}/dashboard${path}`)
      expect(await widthOutside(visit, 'main .scroll')).toBe(0)
    }
    await visit.close()
  })

  test('on a phone, the page of the offers for an order is not wider than the screen if the title of a product is one long word', async () => {
    const { id, title, member } = await openLongWords()
    const visit = await open({ viewport: { width: 360, height: 740 } })
    await openAs(visit, member, `${api().url}/dashboard/orders/${id}/dispatch`)
    expect(await visit.page.locator('main').innerText()).toContain(title)
    expect(await widthOutside(visit, 'html')).toBe(0)
    await visit.close()
  })
})
