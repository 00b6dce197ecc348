import { expect, test } from 'vitest'
import { faultsOf, views } from '../../dashboard/page-faults.ts'
import { useApi } from '../../support/api.ts'
import { linksOf } from '../../support/commerce/buyer-pages.ts'
import { openEditableOrder } from '../../support/commerce/editable-order.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { openTrackedShipment } from '../../support/logistics/tracking-updates.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../../support/reference/browser.ts'
import { placeOrder } from '../../support/shop.ts'

/** The pages for buyers in a browser. They have no script. */

describeInBrowser('in a browser', () => {
  const started = useApi({ sendsCallbacks: true })
  const visit = useBrowser()

  /** Opens an order with a refund, a parcel on its way and units that are not sent. */
  async function openPages() {
    const { shop, order, pay, refund } = await openEditableOrder(started(), { body: { shippingKobo: 50_000 } })
    await pay(2_050_000)
    await refund(100_000)
    const items = [{ itemId: order.items[0].id, quantity: 1 }]
    const { update } = await openTrackedShipment(started(), shop, { orderId: order.id, items })
    await update('picked_up', 1)
    const { receiptUrl, trackingUrl } = await linksOf(started(), shop, order.id)
    if (receiptUrl === null) throw new Error('The order has no receipt.')
    return { receiptUrl, trackingUrl }
  }

  test('the receipt, the tracking page and the pages of invalid links are accessible and fit the screen width', async () => {
    const { receiptUrl, trackingUrl } = await openPages()
    const visited = await visit({ bypassCSP: true })
    const faults: string[] = []
    for (const url of [receiptUrl, trackingUrl, `${started().url}/receipts/wrong`]) {
      await visited.page.goto(url)
      faults.push(...(await faultsOf(visited, Object.values(views))))
    }
    expect(faults).toEqual([])
    await visited.close()
  })

  test('the simulated checkout page is accessible, and a buyer can pay on it by keyboard under the page’s content security policy', async () => {
    const shop = await openTestShop(started())
    const order = await placeOrder(started(), shop, { isPaid: false })
    const path = `/api/v1/orders/${order.id}/payment-link`
    const { url } = (await started().send('POST', path, { token: shop.token, body: {} })).body
    const audited = await visit({ bypassCSP: true })
    const faults: string[] = []
    const audit = async () => faults.push(...(await faultsOf(audited, Object.values(views))))
    await audited.page.goto(url)
    await audit()
    await audited.page.getByRole('button', { name: 'Decline the payment' }).press('Enter')
    await audited.page.getByText('The payment was declined.').waitFor()
    await audit()
    await audited.close()

    const visited = await visit()
    await visited.page.goto(url)
    await visited.page.getByLabel('Amount in kobo').fill('1200000')
    await visited.page.getByLabel('Amount in kobo').press('Enter')
    await visited.page.getByText('The buyer paid ₦12,000.00').waitFor()
    expectQuiet(visited, started().url)
    await visited.close()

    const paid = await visit({ bypassCSP: true })
    await paid.page.goto(url)
    faults.push(...(await faultsOf(paid, Object.values(views))))
    expect(faults).toEqual([])
    await paid.close()
  })

  test('the content security policy of a page for buyers allows its style sheet, and the page loads nothing from other URLs', async () => {
    const { receiptUrl, trackingUrl } = await openPages()
    const visited = await visit()
    for (const url of [receiptUrl, trackingUrl]) {
      await visited.page.goto(url)
      const display = await visited.page.evaluate("getComputedStyle(document.querySelector('.facts')).display")
      expect(display).toBe('grid')
    }
    expect(visited.requested).toEqual([receiptUrl, trackingUrl])
    expectQuiet(visited, started().url)
    await visited.close()
  })

  test('a printed receipt is light, has its items as a table, and fits the paper', async () => {
    const { receiptUrl } = await openPages()
    const visited = await visit({ colorScheme: 'dark', viewport: { width: 718, height: 1000 } })
    await visited.page.goto(receiptUrl)
    await visited.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const styleOf = (selector: string, property: string) =>
      visited.page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)
    expect(await styleOf('html', 'backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await styleOf('td', 'display')).toBe('table-cell')
    expect(await visited.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await visited.close()
  })
})
