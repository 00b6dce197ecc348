import { beforeAll, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../support/reference/browser.ts'

/** Maximum number of bytes that a page of the reference transfers at its first visit. */
const heaviestBytes = 400 * 1024

const operationPath = '/docs/api/refunds/createRefund'

describeInBrowser('the reference in a browser', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi

  beforeAll(() => {
    api = started()
  })

  test.for([
    ['a word of its description', 'catalogue prices', '/docs/api/orders/createOrder'],
    ['an error code', 'idempotency_conflict', '/docs/errors/idempotency_conflict'],
    ['an event kind', 'inventory.low_stock', '/docs/webhooks/inventory.low_stock'],
    ['the beginning of a name', 'createRef', operationPath],
  ])('the keyboard alone is enough to find a page by %s in the search of the reference', async ([
    ,
    words = '',
    path = '',
  ]) => {
    const visited = await visit()
    const { page } = visited
    await page.goto(`${api.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    await page.locator('.hits [role=option]').first().waitFor()
    const urls = await page.locator('.hits li').evaluateAll((hits) => hits.map((hit) => hit.getAttribute('data-url')))
    const at = urls.indexOf(path)
    expect(at, `${words} gives ${urls.join(' ')}`).toBeGreaterThanOrEqual(0)
    for (let presses = 0; presses <= at; presses++) await page.keyboard.press('ArrowDown')
    const chosen = await page.locator('form.search input').getAttribute('aria-activedescendant')
    expect(chosen).toBe(`hit-${at}`)
    await Promise.all([page.waitForURL(`${api.url}${path}`), page.keyboard.press('Enter')])
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('in the tables of the reference, the link of a field does not overlap its type, names do not wrap, and cells align at the top', async () => {
    const visited = await visit()
    const { page } = visited
    await page.setViewportSize({ width: 500, height: 900 })
    await page.goto(`${api.url}${operationPath}`)
    const row = page.locator('table.entries tr', { has: page.locator('.field .anchor') }).first()
    const anchor = await row.locator('.anchor').boundingBox()
    const type = await row.locator('td').nth(1).boundingBox()
    expect((anchor?.x ?? Infinity) + (anchor?.width ?? 0)).toBeLessThanOrEqual(type?.x ?? 0)
    await page.goto(`${api.url}/docs/guides/webhooks`)
    const name = page.locator('td code', { hasText: 'shipment.status_changed' }).first()
    expect(await name.evaluate((code) => code.getClientRects().length)).toBe(1)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${api.url}/docs/search`)
    const tops = await page
      .locator('.listing')
      .first()
      .evaluate((list) => {
        const boxes = [...list.querySelectorAll('li')].map((entry) => entry.getBoundingClientRect())
        const columns = [...new Set(boxes.map(({ left }) => left))]
        return columns.map((left) => Math.min(...boxes.filter((box) => box.left === left).map(({ top }) => top)))
      })
    expect(tops).toHaveLength(2)
    expect(new Set(tops).size).toBe(1)
    await visited.close()
  })

  test('Ctrl-K focuses the search, Escape closes the list of results, and Enter without a selection searches on the server', async () => {
    const visited = await visit()
    const { page } = visited
    await page.goto(`${api.url}${operationPath}`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('refund')
    const list = page.locator('.hits')
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    expect(await page.locator('form.search input').getAttribute('aria-expanded')).toBe('false')
    await Promise.all([page.waitForURL(`${api.url}/docs/search?q=refund`), page.keyboard.press('Enter')])
    expect(await page.locator('.results li').count()).toBeGreaterThan(5)
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('a slash typed into the search field is entered as text and does not trigger the search shortcut', async () => {
    const visited = await visit()
    await visited.page.goto(`${api.url}/docs`)
    await visited.page.locator('form.search input').fill('a')
    await visited.page.keyboard.press('End')
    await visited.page.keyboard.type('/')
    expect(await visited.page.locator('form.search input').inputValue()).toBe('a/')
    await visited.close()
  })

  test.for([
    '/docs',
    operationPath,
  ])('the reference page %s loads from no other host, respects its content security policy and transfers less than 400 KB', async (path) => {
    const visited = await visit()
    const sizes: Promise<number>[] = []
    visited.page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await visited.page.goto(api.url + path, { waitUntil: 'networkidle' })
    expectQuiet(visited, api.url)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(heaviestBytes)
    await visited.close()
  })

  test('the API reference works without JavaScript, including links', async () => {
    const visited = await visit({ javaScriptEnabled: false })
    const { page } = visited
    await page.goto(`${api.url}/docs`)
    await page.getByText('Refunds', { exact: true }).first().click()
    await Promise.all([
      page.waitForURL(`${api.url}${operationPath}`),
      page.getByRole('link', { name: 'Create a refund' }).first().click(),
    ])
    for (const figure of await page.locator('figure.code').all()) expect(await figure.isVisible()).toBe(true)
    expect(await page.locator('button:visible').count()).toBe(0)
    await page.locator('form.search input').fill('bank account')
    await Promise.all([page.waitForURL(/\/docs\/search\?q=bank/), page.keyboard.press('Enter')])
    await page.getByRole('link', { name: 'Set refund bank details' }).first().click()
    await page.waitForURL(`${api.url}/docs/api/refunds/setRefundBankDetails`)
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('a link to a field of the reference expands that field', async () => {
    const visited = await visit()
    const { page } = visited
    await page.goto(`${api.url}${operationPath}#request-body-amountKobo`)
    const field = page.locator('#request-body-amountKobo')
    await page.waitForFunction('scrollY > 0')
    const box = await field.boundingBox()
    expect(box?.y).toBeGreaterThan(50)
    expect(box?.y).toBeLessThan(400)
    await field.hover()
    expect(await field.locator('a.anchor').getAttribute('href')).toBe('#request-body-amountKobo')
    await visited.close()
  })

  test('a reader can copy a reference page as Markdown, and a code sample unchanged', async () => {
    const visited = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = visited
    await page.goto(`${api.url}${operationPath}`)
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe(await (await fetch(`${api.url}${operationPath}.md`)).text())
    await page.locator('figure.code:visible').first().getByRole('button').click()
    await page.locator('figure.code .copy', { hasText: 'Copied' }).waitFor()
    expect(await copied()).toMatch(/^curl /)
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('the API reference stores the selected colour scheme, and follows the system’s scheme again when reset', async () => {
    const visited = await visit({ colorScheme: 'light' })
    const { page } = visited
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    await page.goto(`${api.url}/docs`)
    const light = await ground()
    await page.getByRole('button', { name: 'Show in dark colours' }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.goto(`${api.url}${operationPath}`)
    expect(await ground()).toBe(dark)
    await page.getByRole('button', { name: 'Show in light colours' }).click()
    expect(await page.evaluate<string | null>("localStorage.getItem('scheme')")).toBeNull()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).toBe(dark)
    await visited.close()
  })
})
