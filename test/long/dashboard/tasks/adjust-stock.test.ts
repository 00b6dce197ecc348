import { expect, test } from 'vitest'
import { useApi } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop, stockVariant } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  test('a member adjusts the stock of a variant in three page loads, starting at the list of stock', async () => {
    const { merchantId } = await openShop(api().context)
    await stockVariant(api(), merchantId, { onHand: 20 })
    const visit = await open()
    const { page } = visit
    await openAs(visit, await signedIn(api(), merchantId, 'operations'), `${api().url}/dashboard/stock`)
    const task = startTask(visit, 'adjust stock')
    await task.click(page.getByRole('link', { name: 'Ankara maxi dress' }))
    await task.click(page.getByRole('link', { name: 'Adjust stock' }))
    await task.fill(page.getByLabel('Units'), '3')
    await task.choose(page.getByLabel('Reason'), 'restock')
    await task.click(page.getByRole('button', { name: 'Adjust stock' }))
    expect(await task.endsWith('The stock was adjusted.')).toEqual({ pageLoads: 3, clicks: 3, fields: 2 })
    await visit.close()
  })
})
