import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useApi } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop, placeOrder } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  test('a member exports the orders of the last month from the start page with one page load and two clicks', async () => {
    const shop = await openShop(api().context)
    const order = await placeOrder(api(), shop)
    api().clock.advance(Date.parse('2026-12-05T09:00:00.000Z') - api().clock.nowMs())
    const later = await placeOrder(api(), shop)
    const visit = await open()
    const { page } = visit
    await openAs(visit, await signedIn(api(), shop.merchantId, 'operations'), `${api().url}/dashboard`)
    const task = startTask(visit, 'export the orders of the last month')
    await task.click(page.getByRole('link', { name: 'Exports' }))
    const downloading = page.waitForEvent('download')
    await task.click(page.getByRole('link', { name: /^Download the orders of 1 Nov/ }))
    const download = await downloading
    const steps = await task.endsWith('Records from 1 November 2026 to 30 November 2026')
    expect(steps).toEqual({ pageLoads: 1, clicks: 2, fields: 0 })
    const text = await readFile(await download.path(), 'utf8')
    expect([text.includes(order.number), text.includes(later.number)]).toEqual([true, false])
    await visit.close()
  })
})
