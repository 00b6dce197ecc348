import { expect, test } from 'vitest'
import { selectTestMode } from '../../dashboard/full-shop.ts'
import { useApi } from '../../support/api.ts'
import { setPickup } from '../../support/commerce/return-to-ship.ts'
import { signedIn } from '../../support/dashboard.ts'
import { orderTo } from '../../support/logistics/parcel-run.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { mintToken, openShop, placeOrder, stockVariant } from '../../support/shop.ts'
import { openAs } from './tasks/count-steps.ts'

describeInBrowser('without JavaScript', () => {
  const api = useApi()
  const open = useBrowser()

  /** Opens a browser without JavaScript for a member in test mode, who dispatches with the simulated carriers. */
  async function openPage(path: string) {
    const opened = await openShop(api().context)
    const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
    const { id: tokenId, token } = await mintToken(api().context, tenant, {})
    const shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
    await setPickup(api(), shop)
    const member = await signedIn(api(), opened.merchantId, 'operations')
    await selectTestMode(member)
    const visit = await open({ javaScriptEnabled: false })
    const press = (name: string) => visit.page.getByRole('button', { name, exact: true }).click()
    const show = () => openAs(visit, member, `${api().url}/dashboard${path}`)
    return { shop, press, show, ...visit }
  }

  const read = async (token: string, path: string) => (await api().send('GET', `/api/v1${path}`, { token })).body

  test('a member without JavaScript selects all orders, dispatches them and opens their packing slips', async () => {
    const { shop, page, press, show, close } = await openPage('/orders')
    for (let index = 0; index < 2; index++) await orderTo(api(), shop)
    await show()
    await page.getByRole('link', { name: 'Select all' }).click()
    expect(await page.getByRole('checkbox', { name: /^Choose /, checked: true }).count()).toBe(2)
    await press('Dispatch 2 orders')
    await page.waitForURL('**/orders/dispatch/offers?**')
    await press('Dispatch 2 orders')
    await page.getByRole('heading', { name: 'Riders requested for 2 of 2 orders' }).waitFor()
    await page.getByRole('link', { name: 'Print 2 packing slips' }).click()
    await page.getByRole('heading', { name: '2 packing slips' }).waitFor()
    await close()
  })

  test('without JavaScript, a member enters an order of a new customer and records its payment', async () => {
    const { shop, page, press, show, close } = await openPage('/orders')
    await stockVariant(api(), shop.merchantId, { priceKobo: 1_500_000, onHand: 5 })
    await show()
    await page.getByRole('link', { name: 'New order' }).click()
    await page.getByLabel('Find a product').fill('ankara')
    await page.keyboard.press('Enter')
    await page.getByLabel('Quantity of Ankara maxi dress').fill('2')
    await page.getByLabel('Name', { exact: true }).fill('Adaeze Okafor')
    await page.getByLabel('E-mail').fill('adaeze.okafor@example.com')
    await press('Update the total')
    await page.getByText('The total is ₦30,000.00.').waitFor()
    await press('Create order')
    await page.getByRole('link', { name: 'Record a payment' }).click()
    await page.getByLabel('Reference').fill('GTB-77')
    await press('Record payment')
    const [listed] = (await read(shop.token, '/orders')).data
    expect(await read(shop.token, `/orders/${listed.id}`)).toMatchObject({
      totalKobo: 3_000_000,
      paymentStatus: 'paid',
    })
    await close()
  })

  test('a member finds an order with the search and cancels it after a confirmation page', async () => {
    const { shop, page, press, show, close } = await openPage('')
    const order = await placeOrder(api(), shop, { isPaid: false })
    await show()
    await page.getByRole('searchbox', { name: /^Search orders/ }).fill(order.number)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: order.number }).first().click()
    await page.getByRole('link', { name: 'Cancel', exact: true }).first().click()
    await page.getByLabel('Reason').selectOption('customer')
    await press('Cancel order')
    await page.locator('[data-question]').waitFor()
    await page.locator('form.form button').click()
    expect((await read(shop.token, `/orders/${order.id}`)).status).toBe('cancelled')
    await close()
  })
})
