import { beforeAll, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../support/reference/browser.ts'
import { openShop, type Shop } from '../support/shop.ts'

describeInBrowser('the explorer', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi

  beforeAll(() => {
    api = started()
  })

  /**
   * Opens an operation in the API explorer as a merchant with a token. Sends the request that the explorer has filled
   * in.
   */
  async function send(shop: Shop, method: string, noun: string) {
    const visited = await visit({ viewport: { width: 1280, height: 900 } })
    const { page } = visited
    await page.goto(`${api.url}/docs/explorer#tag/${noun}/${method}/${noun}`)
    const operation = page.locator(`[id$="tag/${noun}/${method}/${noun}"]`).first()
    await operation.getByRole('button', { name: /Test Request/ }).waitFor()
    await page.getByPlaceholder('Token').first().fill(shop.token)
    await operation.getByRole('button', { name: /Test Request/ }).click()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${api.url}/api/v1/${noun}`)),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ])
    return { visited, answer }
  }

  test('the API explorer sends a request with a merchant’s token, and sends no request to another host', async () => {
    const shop = await openShop(api.context)
    const { visited, answer } = await send(shop, 'GET', 'orders')
    expect({ status: answer.status(), body: await answer.json() }).toMatchObject({ status: 200, body: { data: [] } })
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('the API explorer sends a prefilled POST request, and the created record can be read', async () => {
    const shop = await openShop(api.context)
    const { visited, answer } = await send(shop, 'POST', 'customers')
    const { id } = await answer.json()
    expect({ status: answer.status(), dryRun: answer.request().headers()['service-dry-run'] }).toEqual({
      status: 201,
      dryRun: undefined,
    })
    expect((await api.send('GET', `/api/v1/customers/${id}`, { token: shop.token })).status).toBe(200)
    await visited.close()
  })

  test('without JavaScript, the page of the API explorer says that the reference has the same content', async () => {
    const visited = await visit({ javaScriptEnabled: false })
    await visited.page.goto(`${api.url}/docs/explorer`)
    const said = visited.page.locator('noscript p')
    expect({ text: await said.textContent(), isVisible: await said.isVisible() }).toEqual({
      text: 'The explorer needs JavaScript. The reference has the same content without JavaScript.',
      isVisible: true,
    })
    await visited.close()
  })
})
