import { beforeAll, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../support/browser.ts'
import { openShop } from '../support/shop.ts'

describeInBrowser('the explorer', () => {
  const started = useApi()
  const visit = useBrowser()
  let api: TestApi

  beforeAll(() => {
    api = started()
  })

  test('tries a request with a token of the merchant’s, and asks no other host', async () => {
    const shop = await openShop(api.context)
    const visited = await visit({ viewport: { width: 1280, height: 900 } })
    const { page } = visited
    await page.goto(`${api.url}/docs/explorer#tag/orders/GET/orders`)
    const operation = page.locator('[id$="tag/orders/GET/orders"]').first()
    await operation.getByRole('button', { name: /Test Request/ }).waitFor()
    await page.getByPlaceholder('Token').first().fill(shop.token)
    await operation.getByRole('button', { name: /Test Request/ }).click()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${api.url}/api/v1/orders`)),
      page.getByRole('button', { name: 'Send' }).first().click(),
    ])
    expect({ status: answer.status(), body: await answer.json() }).toMatchObject({ status: 200, body: { data: [] } })
    expectQuiet(visited, api.url)
    await visited.close()
  })

  test('sends a write as it stands, so that what it made can be read', async () => {
    const shop = await openShop(api.context)
    const visited = await visit({ viewport: { width: 1280, height: 900 } })
    const { page } = visited
    await page.goto(`${api.url}/docs/explorer#tag/customers/POST/customers`)
    const operation = page.locator('[id$="tag/customers/POST/customers"]').first()
    await operation.getByRole('button', { name: /Test Request/ }).waitFor()
    await page.getByPlaceholder('Token').first().fill(shop.token)
    await operation.getByRole('button', { name: /Test Request/ }).click()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${api.url}/api/v1/customers`)),
      page.getByRole('button', { name: 'Send' }).first().click(),
    ])
    const { id } = await answer.json()
    expect({ status: answer.status(), dryRun: answer.request().headers()['service-dry-run'] }).toEqual({
      status: 201,
      dryRun: undefined,
    })
    expect((await api.send('GET', `/api/v1/customers/${id}`, { token: shop.token })).status).toBe(200)
    await visited.close()
  })

  test('without JavaScript says where the same is told', async () => {
    const visited = await visit({ javaScriptEnabled: false })
    await visited.page.goto(`${api.url}/docs/explorer`)
    const said = visited.page.locator('noscript p')
    expect({ text: await said.textContent(), isVisible: await said.isVisible() }).toEqual({
      text: 'The explorer needs JavaScript. The reference says the same without.',
      isVisible: true,
    })
    await visited.close()
  })
})
