import { expect, test } from 'vitest'
import { useApi } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  test('a member who starts at the list of discounts creates a discount with two page loads, even without JavaScript', async () => {
    const { merchantId } = await openShop(api().context)
    const member = await signedIn(api(), merchantId, 'operations')
    for (const javaScriptEnabled of [true, false]) {
      const visit = await open({ javaScriptEnabled })
      const { page } = visit
      await openAs(visit, member, `${api().url}/dashboard/discounts`)
      const task = startTask(visit, `create a discount ${javaScriptEnabled ? 'with' : 'without'} JavaScript`)
      await task.click(page.getByRole('link', { name: 'Create a discount' }))
      await task.fill(page.getByLabel('Code', { exact: true }), `DETTY-${javaScriptEnabled}`)
      await task.fill(page.getByLabel('Reduction', { exact: true }), '10')
      await task.fill(page.getByLabel('Minimum order in naira'), '20,000')
      await task.fill(page.getByLabel('Uses for each customer'), '1')
      await task.fill(page.getByLabel('End (Lagos time)'), '2031-12-03T18:00')
      await task.click(page.getByRole('button', { name: 'Create discount' }))
      const terms = '10 % off orders from ₦20,000, once for each customer, until 3 Dec 2031, 18:00'
      expect(await task.endsWith(terms)).toEqual({ pageLoads: 2, clicks: 2, fields: 5 })
      await visit.close()
    }
  })
})
