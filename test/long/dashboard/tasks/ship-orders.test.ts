import { expect, test } from 'vitest'
import { toTimestamp } from '../../../../src/base/clock.ts'
import { selectTestMode } from '../../../dashboard/full-shop.ts'
import { useApi } from '../../../support/api.ts'
import { setPickup } from '../../../support/commerce/return-to-ship.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { orderTo } from '../../../support/logistics/parcel-run.ts'
import { storeShipment } from '../../../support/logistics/shipment.ts'
import { applyUpdate } from '../../../support/logistics/tracking-updates.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { mintToken, openShop } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  /** Opens a merchant in test mode, whose member dispatches with the simulated carriers. */
  async function openTestMode() {
    const opened = await openShop(api().context)
    const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
    const { id: tokenId, token } = await mintToken(api().context, tenant, {})
    const shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
    await setPickup(api(), shop)
    const member = await signedIn(api(), opened.merchantId, 'operations')
    await selectTestMode(member)
    return { shop, member }
  }

  test('a member dispatches ten orders on three pages: the list, the offers for all of them, and the outcomes', async () => {
    const { shop, member } = await openTestMode()
    for (let index = 0; index < 10; index++) await orderTo(api(), shop)
    const visit = await open()
    const { page } = visit
    await openAs(visit, member, `${api().url}/dashboard/orders`)
    const task = startTask(visit, 'dispatch ten orders')
    await task.click(page.getByRole('link', { name: 'Select all' }))
    await task.click(page.getByRole('button', { name: 'Dispatch 10 orders' }))
    await page.waitForURL('**/orders/dispatch/offers?**')
    await task.click(page.getByRole('button', { name: 'Dispatch 10 orders' }))
    expect(await task.endsWith('Riders requested for 10 of 10 orders')).toEqual({ pageLoads: 2, clicks: 3, fields: 0 })
    await page.reload()
    await page.getByText('Riders requested for 10 of 10 orders').first().waitFor()
    await page.goBack()
    expect(await page.getByText('The offers have expired or were already used. Get new offers.').count()).toBe(10)
    await page.goForward()
    await page.getByText('Riders requested for 10 of 10 orders').first().waitFor()
    await visit.close()
  })

  test('a member who starts at the list of orders needs one page load to print the packing slips of every order to pack', async () => {
    const { shop, member } = await openTestMode()
    for (let index = 0; index < 3; index++) await orderTo(api(), shop)
    const visit = await open()
    const { page } = visit
    await openAs(visit, member, `${api().url}/dashboard/orders`)
    const task = startTask(visit, 'print the packing slips of today')
    await task.click(page.getByRole('link', { name: 'Packing slips of all orders to pack' }))
    await page.evaluate('globalThis.print = () => { document.title = "printed" }')
    await task.click(page.getByRole('button', { name: 'Print' }))
    await page.waitForFunction('document.title === "printed"')
    expect(await task.endsWith('3 packing slips')).toEqual({ pageLoads: 1, clicks: 2, fields: 0 })
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation', { name: 'Dashboard' }).isVisible()).toBe(false)
    expect(await page.locator('.slip').count()).toBe(3)
    await visit.close()
  })

  test('a member who uses the search field finds out why a customer did not get a parcel, with only two page loads', async () => {
    const { shop, member } = await openTestMode()
    const key = await storeShipment(api(), shop, { status: 'courier_assigned' })
    await applyUpdate(api(), shop, key, { status: 'in_transit', at: toTimestamp(api().clock.nowMs()) })
    await applyUpdate(api(), shop, key, { status: 'delivery_failed', carrierStatus: 'not_handed_over' })
    const visit = await open()
    const { page } = visit
    await openAs(visit, member, `${api().url}/dashboard`)
    const task = startTask(visit, 'find out why a customer did not get her parcel')
    const search = page.getByRole('searchbox', { name: /^Search orders/ })
    await task.fill(search, 'adaeze okafor')
    await search.press('Enter')
    await page.waitForURL('**/dashboard/search?**')
    await task.click(page.getByRole('region', { name: 'Shipments' }).getByRole('link').first())
    expect(await task.endsWith('The carrier could not hand over the parcel.')).toEqual({
      pageLoads: 2,
      clicks: 1,
      fields: 1,
    })
    await visit.close()
  })
})
