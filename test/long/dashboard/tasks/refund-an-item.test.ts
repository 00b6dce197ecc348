import { expect, test } from 'vitest'
import { useApi } from '../../../support/api.ts'
import { signedIn } from '../../../support/dashboard.ts'
import { describeInBrowser, useBrowser } from '../../../support/reference/browser.ts'
import { openShop, stockVariant } from '../../../support/shop.ts'
import { openAs, startTask } from './count-steps.ts'

describeInBrowser('in a browser', () => {
  const api = useApi()
  const open = useBrowser()

  async function openPaidOrder() {
    const shop = await openShop(api().context)
    const { token } = shop
    const variants = await Promise.all([1, 2, 3].map(() => stockVariant(api(), shop.merchantId)))
    const items = variants.map(({ variantId }) => ({ variantId, quantity: 1 }))
    const customer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' }
    const body = { customer, items, paymentMethod: 'bank_transfer' }
    const order = (await api().send('POST', '/api/v1/orders', { token, body })).body
    const payment = { amountKobo: order.totalKobo, method: 'bank_transfer', reference: 'TRF-1' }
    await api().send('POST', `/api/v1/orders/${order.id}/payments`, { token, body: payment })
    const refunds = async () => (await api().send('GET', `/api/v1/refunds?orderId=${order.id}`, { token })).body.data
    return { shop, order, refunds }
  }

  test('starting at the page of an order, a member can refund one of its three items with three page loads', async () => {
    const { shop, order, refunds } = await openPaidOrder()
    const visit = await open()
    const { page } = visit
    const member = await signedIn(api(), shop.merchantId, 'operations')
    await openAs(visit, member, `${api().url}/dashboard/orders/${order.id}`)
    const task = startTask(visit, 'refund one of three items')
    await task.click(page.getByRole('link', { name: 'Refund', exact: true }))
    await task.fill(page.getByLabel('Units of Ankara maxi dress').nth(1), '1')
    await task.choose(page.getByLabel('Reason'), 'damaged')
    await task.click(page.getByRole('button', { name: 'Check the refund' }))
    await page.getByText('₦15,000.00 for 1 × Ankara maxi dress').waitFor()
    await task.click(page.getByRole('button', { name: 'Record the refund of ₦15,000.00' }))
    expect(await task.endsWith('The refund was created.')).toEqual({ pageLoads: 3, clicks: 3, fields: 2 })
    expect(await refunds()).toMatchObject([
      { amountKobo: 1_500_000, items: [{ itemId: order.items[1].id, quantity: 1 }] },
    ])
    await visit.close()
  })

  test('a member who uses the search field can find out in two page loads who refunded an order', async () => {
    const { shop, order } = await openPaidOrder()
    const path = `/dashboard/orders/${order.id}/refund`
    const author = await signedIn(api(), shop.merchantId, 'operations', 'Chidi Eze')
    await author.submit(path, path, { amount: '5000', reason: 'damaged', transferred: 'yes' })
    const visit = await open()
    const { page } = visit
    await openAs(visit, await signedIn(api(), shop.merchantId, 'owner'), `${api().url}/dashboard`)
    const task = startTask(visit, 'find out who refunded an order')
    const search = page.getByRole('searchbox', { name: /^Search orders/ })
    await task.fill(search, 'adaeze okafor')
    await search.press('Enter')
    await page.waitForURL('**/dashboard/search?**')
    await task.click(page.getByRole('link', { name: order.number }))
    const row = page.getByRole('region', { name: 'Refunds' })
    expect(await row.getByText('Chidi Eze').textContent()).toContain('Chidi Eze')
    expect(await task.endsWith('Chidi Eze')).toEqual({ pageLoads: 2, clicks: 1, fields: 1 })
    await visit.close()
  })
})
