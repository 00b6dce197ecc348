import { expect, test } from 'vitest'
import { scaleOf } from '../../src/dashboard/charts/scale.ts'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { openShop, placeOrder, stockVariant } from '../support/shop.ts'

const api = useApi()

test('the navigation links to the reports page, which shows the sales by day, product, source or state', async () => {
  const shop = await openShop(api().context)
  await placeOrder(api(), shop, { priceKobo: 1_234_500, body: { source: 'whatsapp' } })
  const member = await signedIn(api(), shop.merchantId, 'operations')
  expect((await member.get('/dashboard/orders')).text).toContain('href="/dashboard/reports"')
  const read = async (query: string) => (await member.get(`/dashboard/reports${query}`)).text
  const byDay = await read('')
  expect(byDay).toContain('<caption>Sales by day</caption>')
  expect(byDay).toContain('<td data-title="Day" class="title"><time datetime="2026-11-21">21 Nov 2026</time></td>')
  expect(byDay).toContain('₦12,345.00')
  expect(await read('?groupBy=product')).toContain('<td data-title="Product" class="title">Ankara maxi dress</td>')
  expect(await read('?groupBy=source')).toContain('<td data-title="Source" class="title">whatsapp</td>')
  expect(await read('?groupBy=state')).toContain('<td data-title="State" class="title">No delivery address</td>')
  expect(await read('?groupBy=source&from=2026-11-01&to=2026-11-02')).toContain('There are no sales in this range.')
})

test('the reports page says “This page is for reading”, and its main action downloads the shown rows as CSV with amounts in naira', async () => {
  const shop = await openShop(api().context)
  await placeOrder(api(), shop, { priceKobo: 1_234_500, body: { source: 'whatsapp' } })
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { text } = await member.get('/dashboard/reports?groupBy=source&from=2026-11-20&to=2026-11-22')
  expect(text).toContain('This page is for reading')
  const [, file = ''] = /<a class="main" href="([^"]*)">Download CSV<\/a>/.exec(text) ?? []
  expect(file).toBe('/dashboard/reports/download?groupBy=source&amp;from=2026-11-20&amp;to=2026-11-22')
  expect(text.match(/class="main"/g)).toHaveLength(1)
  const download = await member.get(file.replaceAll('&amp;', '&'))
  const [header, row] = download.text.split('\r\n')
  expect(header).toContain('group,title,orderCount,unitCount,grossNaira')
  expect(row).toMatch(/^whatsapp,,1,1,12345\.00,/)
  expect((await member.get('/dashboard/reports/download?from=2026-11-02&to=2026-11-01')).status).toBe(400)
})

test('a sales report that contains a refund states that a refund is included from its creation, even before it is paid', async () => {
  const shop = await openShop(api().context)
  const { id: orderId } = await placeOrder(api(), shop)
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const hint = 'A refund is in the report from its creation, even before it is paid'
  expect((await member.get('/dashboard/reports')).text).not.toContain(hint)
  const body = { orderId, amountKobo: 1000, reason: 'damaged' }
  await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
  expect((await member.get('/dashboard/reports')).text).toContain(hint)
})

test('if the reports page rejects a range of days, it shows the reason at the field for the last day', async () => {
  const shop = await openShop(api().context)
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { text } = await member.get('/dashboard/reports?from=2026-11-02&to=2026-11-01')
  expect(text).toMatch(/id="p-to"[^>]*>The last day must not be before the first day\./)
  expect(text).toContain('aria-invalid="true"')
})

test('above the table of the sales per day, the reports show a chart of these sales with an axis in naira, a legend and the highest value', async () => {
  const shop = await openShop(api().context)
  await placeOrder(api(), shop, { priceKobo: 1_234_500 })
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { text } = await member.get('/dashboard/reports?from=2026-11-15&to=2026-11-21')
  const chart = text.slice(text.indexOf('<figure>'), text.indexOf('</figure>'))
  expect(chart).toContain('role="img" aria-label="Sales per day in naira. The table below has the numbers."')
  expect(chart.match(/(?<=text-anchor="end">)₦[^<]*(?=<\/text><line|<\/text><\/g>)/g)).toEqual([
    '₦0',
    '₦5K',
    '₦10K',
    '₦15K',
  ])
  expect(chart).toContain('<span class="badge active">net sales</span> <span class="badge waiting">refunds</span>')
  expect(chart).toMatch(/<text class="value"[^>]*>₦12,345.00<\/text>/)
  expect(chart).toContain('<title>21 Nov, net sales: ₦12,345.00</title>')
  expect(chart.match(/<rect /g)).toHaveLength(14)
  expect(chart).not.toContain('style=')
  expect(text.indexOf('<caption>Sales by day</caption>')).toBeGreaterThan(text.indexOf('</figure>'))
})

test('the report of sales per product has bars with their values, and shortens a long title in the chart but not in the table', async () => {
  const shop = await openShop(api().context)
  const title = `<b>${'👗'.repeat(30)} فستان`
  await placeOrder(api(), shop, { priceKobo: 150_000_000 })
  const { token } = shop
  const { data } = (await api().send('GET', '/api/v1/products', { token })).body
  await api().send('PATCH', `/api/v1/products/${data[0].id}`, { token, body: { title } })
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const { text } = await member.get('/dashboard/reports?groupBy=product')
  const chart = text.slice(text.indexOf('<figure>'), text.indexOf('</figure>'))
  expect(chart).toContain(`>&lt;b&gt;${'👗'.repeat(14)}…</text>`)
  expect(chart).toMatch(/<text class="value"[^>]*>₦1.5M<\/text>/)
  expect(text).toContain(`<td data-title="Product" class="title">&lt;b&gt;${'👗'.repeat(30)} فستان</td>`)
})

test('the report and the file of sales per product contain 100 products, and the page states that the others are left out', async () => {
  const shop = await openShop(api().context)
  const sell = async (count: number) => {
    const variants = await Promise.all(Array.from({ length: count }, () => stockVariant(api(), shop.merchantId)))
    for (let from = 0; from < count; from += 50) {
      const items = variants.slice(from, from + 50).map(({ variantId }) => ({ variantId, quantity: 1 }))
      await placeOrder(api(), shop, { body: { items } })
    }
  }
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const rowsOf = async () => {
    const { text } = await member.get('/dashboard/reports?groupBy=product')
    const file = (await member.get('/dashboard/reports/download?groupBy=product')).text.trim().split('\r\n')
    const hasHint = text.includes('Only the 100 products with the highest gross sales are listed')
    return { page: text.match(/<td data-title="Product"/g)?.length, file: file.length - 1, hasHint }
  }
  await sell(99)
  expect(await rowsOf()).toEqual({ page: 99, file: 99, hasHint: false })
  await sell(2)
  expect(await rowsOf()).toEqual({ page: 100, file: 100, hasHint: true })
})

test('the reports list only days with sales or refunds, and omit figures that are zero', async () => {
  const shop = await openShop(api().context)
  await placeOrder(api(), shop, { priceKobo: 1_234_500 })
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const { text } = await member.get('/dashboard/reports?from=2026-11-15&to=2026-11-21')
  const table = text.slice(text.indexOf('<caption>Sales by day</caption>'))
  expect(table.match(/<td data-title="Day"/g)).toHaveLength(1)
  expect(table).toContain('Days without sales and refunds are not listed.')
  expect(table.match(/(?<=<th scope="col"[^>]*>)[^<]+/g)).toEqual([
    'Day',
    'Orders',
    'Units',
    'Gross',
    'Net with shipping',
  ])
})

test('the axis of a chart has round numbers, and its range contains zero and every value of the chart', () => {
  expect(scaleOf([0, 3]).ticks).toEqual([0, 1, 2, 3])
  expect(scaleOf([997, 12]).ticks).toEqual([0, 500, 1_000])
  expect(scaleOf([-250, 700]).ticks).toEqual([-500, 0, 500, 1_000])
  expect(scaleOf([-3]).ticks).toEqual([-3, -2, -1, 0])
  expect(scaleOf([])).toEqual({ low: 0, high: 1, ticks: [0, 1] })
  expect(scaleOf([9e15]).ticks.at(-1)).toBe(1e16)
})
