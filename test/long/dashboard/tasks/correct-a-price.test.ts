import { expect, test } from 'vitest'
import { useApi } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop, stockVariant } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  test('a member who starts at the list of products corrects a price with two page loads', async () => {
    const { merchantId } = await openShop(api().context)
    await stockVariant(api(), merchantId, { priceKobo: 1_500_000 })
    const visit = await open()
    const { page } = visit
    await openAs(visit, await signedIn(api(), merchantId, 'operations'), `${api().url}/dashboard/products`)
    const task = startTask(visit, 'correct a price')
    await task.click(page.getByRole('link', { name: 'Ankara maxi dress' }))
    await task.fill(page.getByLabel('Price of M / Indigo in naira'), '14,500')
    await task.click(page.getByRole('button', { name: 'Save prices and stock' }))
    const steps = await task.endsWith('The prices and the stock are saved.')
    expect(steps).toEqual({ pageLoads: 2, clicks: 2, fields: 1 })
    expect(await page.getByLabel(/^Price of M/).inputValue()).toBe('14500.00')
    await visit.close()
  })
})
