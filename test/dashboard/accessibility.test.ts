import axe from 'axe-core'
import { beforeAll, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { describeInBrowser, expectQuiet, useBrowser, type Visit } from '../support/reference/browser.ts'
import { type FullShop, openFullShop } from './full-shop.ts'
import { type Walk, walk } from './walk.ts'

const desktop = { width: 1280, height: 900 }

/** The width of the narrowest phones that are still sold. */
const phone = { width: 360, height: 740 }

/** With style sheet, script and icon, so that the first page opens within a second on a slow phone. */
const firstPageMaxBytes = 60_000

/** The pages of visitors without a session. */
const openPages = ['/dashboard/sign-in', '/dashboard/sign-in/link/none', '/dashboard/invitations/none']

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

  const addresses = () => [...openPages, ...walked.pages.map(({ address }) => address)]

  /** Returns the violations that axe finds on the current page, and whether the page is wider than the window. */
  async function faultsOf({ page }: Visit): Promise<string[]> {
    await page.evaluate(axe.source)
    const found = await page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`)
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    return [...found, ...(wider > 0 ? [`${wider} px too wide`] : [])].map((text) => `${page.url()}: ${text}`)
  }

  async function faultsOfPages(visited: Visit): Promise<string[]> {
    const { page, context } = visited
    const faults: string[] = []
    for (const address of addresses()) {
      await context.clearCookies()
      if (!openPages.includes(address)) await context.addCookies(cookies)
      await page.goto(api.url + address)
      faults.push(...(await faultsOf(visited)))
    }
    return faults
  }

  test.for([
    ['a desktop in the light scheme', { viewport: desktop, colorScheme: 'light' }],
    ['a phone in the dark scheme', { viewport: phone, colorScheme: 'dark' }],
  ] as const)('on %s, every page is accessible, fits the width and loads from this origin only', async ([
    ,
    options,
  ]) => {
    const visited = await visit(options)
    expect(await faultsOfPages(visited)).toEqual([])
    // The browser itself reports the status of the two pages for links that are not valid.
    expectQuiet(
      { ...visited, complaints: visited.complaints.filter((text) => !text.startsWith('Failed to load resource')) },
      api.url,
    )
    await visited.close()
  })

  test('forms with problems are accessible and fit the width of a phone', async () => {
    const visited = await visit({ viewport: phone })
    const { page, context, close } = visited
    await context.addCookies(cookies)
    const forms = page.locator('main form[method=post]:has([required]):not([hidden])')
    const refused = new Set<string>()
    const faults: string[] = []
    for (const { address } of walked.pages) {
      await page.goto(api.url + address)
      for (let index = 0; index < (await forms.count()); index++) {
        const form = forms.nth(index)
        // The browser itself would refuse the empty fields.
        await form.evaluate((element) => element.setAttribute('novalidate', ''))
        for (const input of await form.locator('input[required]').all()) await input.fill('')
        await form.locator('button').last().click()
        // A click does not wait until the next page is loaded.
        await page.getByRole('alert').first().waitFor()
        refused.add(page.url())
        faults.push(...(await faultsOf(visited)))
        await page.goto(api.url + address)
      }
    }
    expect(refused.size).toBeGreaterThan(5)
    expect(faults).toEqual([])
    await close()
  })

  test('on a wide screen the menu is open, and has its button in a browser that cannot show a closed one', async () => {
    const visited = await visit({ viewport: desktop })
    const { page, context, close } = visited
    await context.addCookies(cookies)
    const link = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Stock' })
    await page.goto(`${api.url}/dashboard`)
    expect([await link.isVisible(), await page.getByText('Menu', { exact: true }).isVisible()]).toEqual([true, false])
    // An older browser knows no such part, so it drops each rule that names it.
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

  test(`the first page takes less than ${firstPageMaxBytes / 1000} KB, compressed`, async () => {
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

  test('without JavaScript, a member signs in and submits a form on a phone', async () => {
    const { page, close } = await visit({ javaScriptEnabled: false, viewport: phone })
    const { email, password } = await signedIn(api, full.liveId, 'operations')
    const press = (name: string) => page.getByRole('button', { name }).click()
    await page.goto(`${api.url}/dashboard/stock`)
    expect(await page.getByRole('button', { name: 'passkey' }).count()).toBe(0)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await press('Sign in')
    await press('Switch to test mode')
    await page.getByText('Menu').click()
    await page.getByRole('link', { name: 'Stock' }).click()
    await page.locator('td a').first().click()
    await page.getByRole('link', { name: /^Adjust/ }).click()
    await page.getByLabel('Units').fill('3')
    await press('Adjust stock')
    expect(await page.getByRole('status').textContent()).toBe('The stock was adjusted.')
    await close()
  })
})
