import { beforeAll, expect, test } from 'vitest'
import { type FullShop, openFullShop } from '../../dashboard/full-shop.ts'
import { desktop, faultsOf, phone, views } from '../../dashboard/page-faults.ts'
import { type Walk, walk } from '../../dashboard/walk.ts'
import { type TestApi, useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../../support/reference/browser.ts'

/**
 * Maximum size of the first page with style sheet, script and icon, so that it opens within a second on a slow phone.
 */
const firstPageMaxBytes = 60_000

describeInBrowser('in a browser', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi
  let walked: Walk
  let full: FullShop
  let cookies: { name: string; value: string; url: string }[]

  beforeAll(async () => {
    api = started()
    full = await openFullShop(api)
    cookies = [...full.owner.cookies].map(([name, value]) => ({ name, value, url: api.url }))
    walked = await walk(full.owner)
  })

  test('every dashboard page is accessible, fits the screen width and loads files from the dashboard’s own origin only', async () => {
    const visited = await visit()
    await visited.context.addCookies(cookies)
    const faults: string[] = []
    for (const { address } of walked.pages) {
      await visited.page.goto(api.url + address)
      faults.push(...(await faultsOf(visited, Object.values(views))))
    }
    expect(faults).toEqual([])
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('on a wide screen the dashboard menu is open; in an older browser that cannot open the menu by CSS, a button opens the menu', async () => {
    const visited = await visit({ viewport: desktop })
    const { page, context, close } = visited
    await context.addCookies(cookies)
    const link = page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link', { name: 'Products', exact: true })
    await page.goto(`${api.url}/dashboard`)
    expect([await link.isVisible(), await page.getByText('Menu', { exact: true }).isVisible()]).toEqual([true, false])
    // Simulates an older browser, which ignores every CSS rule that contains an unknown pseudo-element.
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('::details-content', '::unknown-part') })
    })
    await page.reload()
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Menu', { exact: true }).click()
    expect(await link.isVisible()).toBe(true)
    await close()
  })

  test(`the first page of the dashboard takes less than ${firstPageMaxBytes / 1000} KB to load, compressed`, async () => {
    const { page, context, close } = await visit()
    await context.addCookies(cookies)
    const session = await context.newCDPSession(page)
    let bytes = 0
    await session.send('Network.enable')
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(`${api.url}/dashboard`, { waitUntil: 'networkidle' })
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThan(firstPageMaxBytes)
    await close()
  })

  test('without JavaScript, a member can sign in to the dashboard and submit a form on a phone', async () => {
    const { page, close } = await visit({ javaScriptEnabled: false, viewport: phone })
    const { email, password } = await signedIn(api, full.liveId, 'operations')
    const press = (name: string) => page.getByRole('button', { name }).click()
    await page.goto(`${api.url}/dashboard/products`)
    expect(await page.getByRole('button', { name: 'passkey' }).count()).toBe(0)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press('Sign in')
    await page.getByText('Menu').click()
    await press('Switch to test mode')
    await page.getByText('Menu').click()
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.locator('td a').first().click()
    await page
      .getByLabel(/^Units of/)
      .first()
      .fill('3')
    await press('Save prices and stock')
    expect(await page.getByRole('status').textContent()).toBe('The prices and the stock are saved.')
    await close()
  })
})
