import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

const api = useApi()
let shop: Shop
let member: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'viewer')
})

test('in a shop’s first month, the exports page offers each kind of record of that month as CSV and as NDJSON', async () => {
  expect((await member.get('/dashboard/orders')).text).toContain('href="/dashboard/exports"')
  const { text } = await member.get('/dashboard/exports')
  expect(text).toContain('Records from 1 November 2026 to 21 November 2026')
  expect(text).not.toContain('Last month')
  for (const name of ['Orders', 'Order items', 'Payments', 'Refunds', 'Shipments', 'Customers', 'Products']) {
    expect(text).toContain(`aria-label="Download CSV: ${name}">Download CSV</a>`)
    expect(text).toContain(`aria-label="Download NDJSON: ${name}">Download NDJSON</a>`)
  }
})

test('the exports page states its purpose, and its only main action downloads the orders of the chosen days', async () => {
  const { text } = await member.get('/dashboard/exports?period=this_month')
  expect(text).toContain('<p>Download the records of your shop as files')
  const filled = [...text.matchAll(/<(?:a|button)[^>]* class="main"[^>]*>[^<]*/g)].map(([part]) => part)
  expect(filled).toEqual([
    '<a class="main" href="/dashboard/exports/orders?from=2026-11-01&amp;to=2026-11-21&amp;format=spreadsheet">Download the orders of 1 Nov 2026 to 21 Nov 2026 as CSV',
  ])
  expect((await member.get('/dashboard/exports?from=soon&to=soon')).text).not.toContain('class="main" href')
})

test('each link of the exports page downloads the records of the chosen days in the format that the link names', async () => {
  const order = await placeOrder(api(), shop)
  api().clock.advance(1)
  const { text } = await member.get('/dashboard/exports?from=2026-11-21&to=2026-11-21')
  const read = async (name: string) => {
    const address = new RegExp(`href="([^"]+)" aria-label="${name}"`).exec(text)?.[1] ?? ''
    return await member.get(address.replaceAll('&amp;', '&'))
  }
  const csv = await read('Download CSV: Orders')
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.headers['content-disposition']).toBe('attachment; filename="orders-2026-11-21-to-2026-11-21.csv"')
  const [names = '', row = ''] = csv.text.split('\r\n')
  expect(row).toContain(order.number)
  for (const name of ['totalNaira', 'createdAt (Lagos)']) expect(names.split(',')).toContain(name)
  expect(names).not.toContain('Kobo')
  const lines = await read('Download NDJSON: Orders')
  expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  expect(JSON.parse(lines.text)).toMatchObject({ id: order.id, number: order.number })
  const before = await member.get('/dashboard/exports/orders?from=2026-11-20&to=2026-11-20&format=ndjson')
  expect(before.text).toBe('')
})

const chosen = '/dashboard/orders/export'

test('the form on the list of orders exports the chosen orders as CSV, even if it is submitted a second time', async () => {
  const [first, second] = [await placeOrder(api(), shop), await placeOrder(api(), shop)]
  await placeOrder(api(), shop)
  api().clock.advance(1)
  const { text } = await member.get('/dashboard/orders')
  expect(text).toContain(`<button formaction="${chosen}">Export chosen</button>`)
  const form = formOf(text, '/dashboard/orders/slips')
  for (let time = 1; time <= 2; time++) {
    const { status, location = '' } = await member.post(chosen, { ...form, id: [second.id, first.id, second.id] })
    expect([status, location]).toEqual([303, `/dashboard/exports/orders?id=${second.id}&id=${first.id}`])
    const file = await member.get(location)
    expect(file.headers['content-disposition']).toContain('.csv')
    const ids = file.text.split('\r\n').slice(1, -1)
    expect(ids.map((row) => row.split(',')[0]).toSorted()).toEqual([first.id, second.id].toSorted())
    const lines = await member.get(`${location}&format=ndjson`)
    expect(lines.text.trim().split('\n')).toHaveLength(2)
  }
})

test('exporting another merchant’s order or an unknown id returns 404; exporting no order or more than 100 orders is refused', async () => {
  const other = await placeOrder(api(), await openShop(api().context))
  const own = await placeOrder(api(), shop)
  const form = formOf((await member.get('/dashboard/orders')).text, '/dashboard/orders/slips')
  const statusOf = async (id: string[]) => (await member.post(chosen, { ...form, id })).status
  expect(await statusOf([own.id, other.id])).toBe(404)
  expect(await statusOf(['nonsense'])).toBe(404)
  const none = await member.post(chosen, form)
  expect(none).toMatchObject({ status: 422, text: expect.stringContaining('Choose at least one order.') })
  expect(none.text).toContain(own.number)
  const many = await member.post(chosen, { ...form, id: Array.from({ length: 101 }, (_, index) => String(index)) })
  expect(many).toMatchObject({ status: 422, text: expect.stringContaining('Choose at most 100 orders at once.') })
  const foreign = await member.get(`/dashboard/exports/orders?id=${other.id}&format=ndjson`)
  expect(foreign).toMatchObject({ status: 200, text: '' })
})

test('the exports page shows the problems of invalid days at their fields and offers no file', async () => {
  const problems = async (from: string, to: string) => {
    const { text } = await member.get(`/dashboard/exports?${new URLSearchParams({ from, to })}`)
    expect(text).not.toContain('Download CSV')
    expect(text).toContain('There is a problem')
    return ['from', 'to'].filter((name) => text.includes(`id="p-${name}"`))
  }
  expect(await problems('2026-11-02', '2026-11-01')).toEqual(['to'])
  expect(await problems('2026-02-30', '2026-11-01')).toEqual(['from'])
  expect(await problems('', '2026-11-01')).toEqual(['from'])
  expect(await problems('é'.repeat(600), 'soon')).toEqual(['from', 'to'])
})

test('the periods of the exports are months and days in Lagos time, which begin an hour before those in UTC', async () => {
  const range = async (query: string) => {
    const { text } = await member.get(`/dashboard/exports${query}`)
    return /\/exports\/orders\?from=([\d-]+)&amp;to=([\d-]+)/.exec(text)?.slice(1)
  }
  expect(await range('?period=this_month')).toEqual(['2026-11-01', '2026-11-21'])
  expect(await range('?period=last_7_days')).toEqual(['2026-11-15', '2026-11-21'])
  api().clock.advance(Date.parse('2026-12-31T23:00:00.000Z') - api().clock.nowMs())
  member = await signedIn(api(), shop.merchantId, 'viewer')
  expect(await range('')).toEqual(['2026-12-01', '2026-12-31'])
  expect(await range('?period=this_month')).toEqual(['2027-01-01', '2027-01-01'])
  expect(await range('?period=last_7_days')).toEqual(['2026-12-26', '2027-01-01'])
})
