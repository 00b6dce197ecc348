import { expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { openShop, placeOrder } from '../support/shop.ts'

const api = useApi()

test('the page of the reports is in the navigation and shows the sales by each grouping, with their totals', async () => {
  const shop = await openShop(api().context)
  await placeOrder(api(), shop, { priceKobo: 1_234_500, body: { source: 'whatsapp' } })
  const member = await signedIn(api(), shop.merchantId, 'operations')
  expect((await member.get('/dashboard/orders')).text).toContain('href="/dashboard/reports"')
  const read = async (query: string) => (await member.get(`/dashboard/reports${query}`)).text
  const byDay = await read('')
  expect(byDay).toContain('<caption>Sales by day</caption>')
  expect(byDay).toContain('<td data-title="Day">2026-11-21</td>')
  expect(byDay).toContain('₦12,345.00')
  expect(await read('?groupBy=product')).toContain('<td data-title="Product">Ankara maxi dress</td>')
  expect(await read('?groupBy=source')).toContain('<td data-title="Source">whatsapp</td>')
  expect(await read('?groupBy=state')).toContain('<td data-title="State">No delivery address</td>')
  expect(await read('?groupBy=source&from=2026-11-01&to=2026-11-02')).toContain('There are no sales in this range.')
})

test('the page of the reports shows why a range is rejected at its field', async () => {
  const shop = await openShop(api().context)
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { text } = await member.get('/dashboard/reports?from=2026-11-02&to=2026-11-01')
  expect(text).toContain('from 2026-11-02 must not be after to 2026-11-01.')
  expect(text).toContain('aria-invalid="true"')
})
