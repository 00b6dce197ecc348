import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../support/reference/browser.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

const viewport = { width: 360, height: 740 }

describeInBrowser('the dashboard on a phone', () => {
  const openVisit = useBrowser()

  async function open(shop: Shop, path: string) {
    const member = await signedIn(api(), shop.merchantId, 'operations')
    const visit = await openVisit({ viewport })
    await visit.context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: api().url })))
    await visit.page.goto(`${api().url}${path}`)
    return visit
  }

  test('on a phone, the list of orders shows at least six orders without scrolling', async () => {
    const shop = await openShop(api().context)
    const customer = { name: 'Oluwaseun Adeyemi-Ogunbanjo', email: 'oluwaseun@example.com' }
    for (const isPaid of [true, false, true, false, true, false, true]) {
      await placeOrder(api(), shop, { isPaid, body: { customer } })
    }
    const { page, close } = await open(shop, '/dashboard/orders')
    expect(await visibleOf(page, 'main tbody tr')).toBeGreaterThanOrEqual(6)
    await close()
  })

  test('on a phone, the page of an order shows the status, the amount due and the main action before the member scrolls', async () => {
    const shop = await openShop(api().context)
    const order = await placeOrder(api(), shop, { isPaid: false })
    const { page, close } = await open(shop, `/dashboard/orders/${order.id}`)
    expect(await visibleOf(page, 'main h1 .badge')).toBe(1)
    expect(await visibleOf(page, 'main .due')).toBe(1)
    expect(await visibleOf(page, '.record-actions > .main')).toBe(1)
    await close()
  })
})

/** Counts the elements that are completely within the screen before the reader scrolls. */
function visibleOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluateAll(
    (elements, height) =>
      elements.filter((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return top >= 0 && bottom <= height && bottom > top
      }).length,
    viewport.height,
  )
}
