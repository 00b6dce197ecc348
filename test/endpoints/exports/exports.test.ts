import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { auditRows, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const started = useApi()

const resources = ['orders', 'order-items', 'payments', 'refunds', 'shipments', 'customers', 'products'] as const

function exported(shop: Shop, resource: string, query = '') {
  return started().send('GET', `/api/v1/exports/${resource}${query}`, { token: shop.token })
}

/** Parses CSV (RFC 4180) independently of the code that writes it. */
function parseCsv(text: string): Record<string, string>[] {
  expect(text.startsWith('\u{feff}')).toBe(true)
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  const [names = [], ...records] = rows
  for (const record of records) expect(record).toHaveLength(names.length)
  return records.map((record) => Object.fromEntries(record.map((cell, index) => [names[index] ?? '', cell])))
}

async function csvOf(shop: Shop, resource: string, format = 'csv'): Promise<Record<string, string>[]> {
  return parseCsv((await exported(shop, resource, `?format=${format}`)).text)
}

async function refund(shop: Shop, orderId: string): Promise<string> {
  const body = { orderId, amountKobo: 100_000, reason: 'damaged' }
  return (await started().send('POST', '/api/v1/refunds', { token: shop.token, body })).body.id
}

test('an export contains the same records as the API’s list, newest first, even if the service reads the records in several batches', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { token } = shop
  const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10_000 })
  const ids: string[] = []
  for (let number = 0; number < 105; number++) {
    const created = await api.send('POST', '/api/v1/orders', { token, body: orderBody(variantId) })
    ids.push(created.body.id)
    if (number % 10 === 0) api.clock.advance(1)
  }
  api.clock.advance(1)
  const {
    body: { data },
  } = await exported(shop, 'orders')
  const newestFirst = await select(
    api,
    'select id from orders where merchant_id = $1 order by created_at desc, id desc',
    [shop.merchantId],
  )
  expect(data.map(({ id }: { id: string }) => id)).toEqual(newestFirst.map(({ id }) => id))
  expect((await exported(shop, 'orders', '?format=ndjson')).body).toEqual(data)
  const one = await api.send('GET', `/api/v1/orders/${ids[0]}`, { token })
  expect(data.at(-1)).toEqual(one.body)
  const items = await exported(shop, 'order-items')
  expect(items.body.data).toHaveLength(105)
  expect(items.body.data.at(-1)).toEqual({
    orderId: one.body.id,
    orderNumber: one.body.number,
    orderStatus: one.body.status,
    orderCreatedAt: one.body.createdAt,
    ...one.body.items[0],
  })
})

test.for([
  ['payments', '/payments'],
  ['refunds', '/refunds'],
  ['shipments', '/logistics/shipments'],
  ['customers', '/customers'],
  ['products', '/products'],
] as const)('the export of %s contains the same records as the list', async ([resource, list]) => {
  const api = started()
  const shop = await openShop(api.context)
  const first = await placeOrder(api, shop)
  await placeOrder(api, shop, { body: { customer: { name: 'Bisi', email: 'bisi@example.com' } } })
  await refund(shop, first.id)
  await storeShipment(api, shop, { orderId: first.id })
  api.clock.advance(1)
  const listed = await api.send('GET', `/api/v1${list}`, { token: shop.token })
  const {
    body: { data },
  } = await exported(shop, resource)
  expect(data).toEqual(listed.body.data)
  expect(data.length).toBeGreaterThan(0)
  expect((await exported(shop, resource, '?format=ndjson')).body).toEqual(data)
  const rows = await csvOf(shop, resource)
  expect(rows.map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id))
})

test('an export contains only the records of its time range and of its merchant', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const other = await openShop(api.context)
  const times: string[] = []
  for (const place of [shop, other]) {
    for (let number = 0; number < 3; number++) {
      const customer = { name: 'Bisi', email: `customer-${number}@example.com` }
      const order = await placeOrder(api, place, { body: { customer } })
      await refund(place, order.id)
      await storeShipment(api, place, { orderId: order.id })
      times.push(new Date(api.clock.nowMs()).toISOString())
      api.clock.advance(60_000)
    }
  }
  const range = `?createdFrom=${times[1]}&createdTo=${times[2]}`
  for (const resource of resources) {
    const { body } = await exported(shop, resource, range)
    expect(body.data.map((record: Record<string, string>) => record.createdAt ?? record.orderCreatedAt)).toEqual([
      times[1],
    ])
  }
  for (const resource of resources) {
    const { text } = await exported(shop, resource)
    const secrets = (await exported(other, resource)).text.match(/[a-z]{3}_[0-9a-z]{26}/g) ?? []
    expect(secrets.filter((id) => text.includes(id))).toEqual([])
  }
  const reversed = `?createdFrom=${times[2]}&createdTo=${times[1]}`
  answers('exportOrders', 'invalid_time_range', await exported(shop, 'orders', reversed))
  answers('exportOrderItems', 'invalid_time_range', await exported(shop, 'order-items', reversed))
  answers('exportPayments', 'invalid_time_range', await exported(shop, 'payments', reversed))
  answers('exportRefunds', 'invalid_time_range', await exported(shop, 'refunds', reversed))
  answers('exportShipments', 'invalid_time_range', await exported(shop, 'shipments', reversed))
  answers('exportCustomers', 'invalid_time_range', await exported(shop, 'customers', reversed))
  answers('exportProducts', 'invalid_time_range', await exported(shop, 'products', reversed))
})

test('an export of chosen orders contains each chosen order once in every format, but no orders of other merchants or outside the time range', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const ids: string[] = []
  const times: string[] = []
  for (let number = 0; number < 4; number++) {
    ids.push((await placeOrder(api, shop)).id)
    times.push(new Date(api.clock.nowMs()).toISOString())
    api.clock.advance(60_000)
  }
  const [first = '', second = '', third = ''] = ids
  const { id: foreign } = await placeOrder(api, await openShop(api.context))
  api.clock.advance(1)
  const unknown = `ord_${'0'.repeat(26)}`
  const listed = `id=${first},${foreign},${third},${unknown},${first}`
  const { body } = await exported(shop, 'orders', `?${listed}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([third, first])
  expect(body.data[0]).toEqual((await started().send('GET', `/api/v1/orders/${third}`, { token: shop.token })).body)
  const repeated = [first, foreign, third, unknown, first].map((id) => `id=${id}`).join('&')
  expect((await exported(shop, 'orders', `?format=ndjson&${repeated}`)).body).toEqual(body.data)
  const rows = parseCsv((await exported(shop, 'orders', `?format=csv&${listed}`)).text)
  expect(rows.map(({ id }) => id)).toEqual([third, first])
  const range = `createdFrom=${times[1]}&createdTo=${times[2]}`
  const ranged = await exported(shop, 'orders', `?${range}&id=${first},${second},${third}`)
  expect(ranged.body.data.map(({ id }: { id: string }) => id)).toEqual([second])
  expect((await exported(shop, 'orders', `?id=${foreign},${unknown}`)).body).toEqual({ data: [] })
  const audited = (await auditRows(api, shop.merchantId)).map(({ changes }) => changes)
  expect(audited).toContainEqual(expect.objectContaining({ id: [null, [foreign, unknown]] }))
})

test('an export of up to 100 chosen orders is complete, and 101 ids or a malformed id are rejected', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { variantId } = await stockVariant(api, shop.merchantId, { onHand: 10_000 })
  const ids: string[] = []
  for (let number = 0; number < 101; number++)
    ids.push((await api.send('POST', '/api/v1/orders', { token: shop.token, body: orderBody(variantId) })).body.id)
  api.clock.advance(1)
  const { text } = await exported(shop, 'orders', `?format=ndjson&id=${ids.slice(1)}`)
  const lines = text.split('\n').filter((line) => line !== '')
  expect(lines.map((line): string => JSON.parse(line).id).toSorted()).toEqual(ids.slice(1).toSorted())
  for (const [given, path] of [
    [ids.join(','), 'query.id'],
    [`${ids[0]},ord_1`, 'query.id[1]'],
    ['', 'query.id[0]'],
  ]) {
    const refused = await exported(shop, 'orders', `?format=csv&id=${given}`)
    answers('exportOrders', 'validation_failed', refused)
    expect(refused.body.error.errors).toMatchObject([{ path }])
  }
})

test('a CSV export escapes formulas, quotes text and preserves every letter', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const names = [
    '=HYPERLINK("http://evil.example","x")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\u{ff1d}1+1',
    'ọláyínká, "Ọlá"',
    "'=1",
    "''=1",
    "'Adire' Lagos",
  ]
  for (const [index, name] of names.entries()) {
    const body = {
      name,
      email: `customer-${index}@example.com`,
      phone: '+2348031234567',
      note: 'two\nlines',
      metadata: { size: 'M, L' },
    }
    const created = await api.send('POST', '/api/v1/customers', { token: shop.token, body })
    expect(created.status, created.text).toBe(201)
    api.clock.advance(1)
  }
  const rows = (await csvOf(shop, 'customers')).toReversed()
  expect(rows.map(({ name }) => name)).toEqual([
    `'=HYPERLINK("http://evil.example","x")`,
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\u{ff1d}1+1",
    'ọláyínká, "Ọlá"',
    "''=1",
    "'''=1",
    "'Adire' Lagos",
  ])
  const restored = rows.map(({ name = '' }) =>
    name.replace(/^'(?='*[=+\-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}])/u, ''),
  )
  expect(restored).toEqual(names)
  expect(rows[0]).toMatchObject({ phone: "'+2348031234567", note: 'two\nlines', metadata: '{"size":"M, L"}' })
})

test('a CSV export has a column for each nested field, amounts in kobo, and an empty cell for null', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { isPaid: false })
  api.clock.advance(1)
  const [row] = await csvOf(shop, 'orders')
  expect(row).toMatchObject({
    id: order.id,
    'customer.name': 'Adaeze Okafor',
    totalKobo: String(order.totalKobo),
    taxInclusive: 'true',
    'shippingAddress.city': '',
    cancelledAt: '',
    tags: '[]',
  })
  expect(JSON.parse(row?.items ?? '')).toEqual((await exported(shop, 'orders')).body.data[0].items)
})

test('an export in the format spreadsheet is CSV with amounts in naira and times in Lagos time, as its column names state', async () => {
  const api = started()
  api.clock.advance(Date.parse('2026-11-21T23:30:15.250Z') - api.clock.nowMs())
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { priceKobo: 1_500_005 })
  await placeOrder(api, shop, { priceKobo: 7, isPaid: false })
  const body = { amountKobo: 100, method: 'cash', reference: '+234', allowOverpayment: true }
  await api.send('POST', `/api/v1/orders/${order.id}/payments`, { token: shop.token, body })
  api.clock.advance(1)
  const rows = await csvOf(shop, 'orders', 'spreadsheet')
  const [more, less] = [rows.find(({ id }) => id === order.id), rows.find(({ id }) => id !== order.id)]
  const createdAt = { 'createdAt (Lagos)': '2026-11-22 00:30:15', 'cancelledAt (Lagos)': '' }
  expect(more).toMatchObject({ ...createdAt, totalNaira: '15000.05', balanceNaira: '-1.00', discountNaira: '0.00' })
  expect(less).toMatchObject({ ...createdAt, totalNaira: '0.07', balanceNaira: '0.07' })
  for (const name of ['totalKobo', 'createdAt']) expect(Object.keys(more ?? {})).not.toContain(name)
  const payments = await csvOf(shop, 'payments', 'spreadsheet')
  expect(payments.map(({ reference }) => reference)).toContain("'+234")
  const file = await exported(shop, 'orders', '?format=spreadsheet')
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="orders-2026-11-21.csv"')
})

test('a spreadsheet export writes lists as text with naira amounts, writes product variants as JSON, and escapes texts that look like formulas', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const order = await placeOrder(api, shop, { priceKobo: 123_456_705, body: { tags: ['=gift', 'Lagos, Ikeja'] } })
  await refund(shop, order.id)
  api.clock.advance(1)
  const [row] = await csvOf(shop, 'orders', 'spreadsheet')
  const [{ items }] = (await exported(shop, 'orders')).body.data
  const [{ title, variantTitle }] = items
  expect(row?.items).toBe(`1 × ${title} ${variantTitle} at ₦1,234,567.05`)
  expect(row).toMatchObject({ tags: "'=gift; Lagos, Ikeja", discounts: '', metadata: '' })
  const [refunded] = await csvOf(shop, 'refunds', 'spreadsheet')
  expect(refunded?.items).toBe('')
  const [product] = await csvOf(shop, 'products', 'spreadsheet')
  expect(JSON.parse(product?.variants ?? '')).toMatchObject([{ priceKobo: 123_456_705 }])
})

test('an export of an anonymised customer contains the same redacted values as the API', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const body = { name: 'Adaeze Okafor', email: 'adaeze@example.com' }
  const created = await api.send('POST', '/api/v1/customers', { token: shop.token, body })
  await api.send('POST', `/api/v1/customers/${created.body.id}/anonymise`, { token: shop.token })
  api.clock.advance(1)
  const read = await api.send('GET', `/api/v1/customers/${created.body.id}`, { token: shop.token })
  expect(read.body.status).toBe('anonymised')
  expect((await exported(shop, 'customers')).body.data).toEqual([read.body])
})

test('an empty export is an empty list in JSON, no lines in NDJSON, and only the column names in CSV', async () => {
  const shop = await openShop(started().context)
  const json = await exported(shop, 'refunds')
  expect(json.text).toBe('{"data":[]}')
  const ndjson = await exported(shop, 'refunds', '?format=ndjson')
  const csv = await exported(shop, 'refunds', '?format=csv')
  expect(ndjson.text).toBe('')
  expect(csv.text).toMatch(/^\u{feff}id,orderId,[\w.,]*\r\n$/u)
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="refunds-2026-11-21.csv"')
})

test('the audit log records the start of an export, and its end with the number of records', async () => {
  const api = started()
  const shop = await openShop(api.context)
  await placeOrder(api, shop)
  api.clock.advance(1)
  const before = (await auditRows(api, shop.merchantId)).length
  const reply = await exported(shop, 'orders', '?format=csv&createdFrom=2026-01-01T00:00:00Z')
  const rows = (await auditRows(api, shop.merchantId)).slice(before)
  const requestId = reply.headers.get('request-id')
  const shared = { action: 'export.create', resource_type: 'export', resource_id: requestId, actor_id: shop.tokenId }
  // Audit entries of the same millisecond have no order.
  expect(rows.toSorted((a, b) => Object.keys(b.changes).length - Object.keys(a.changes).length)).toMatchObject([
    {
      ...shared,
      changes: {
        operation: [null, 'exportOrders'],
        status: [null, 'started'],
        format: [null, 'csv'],
        createdFrom: [null, '2026-01-01T00:00:00.000Z'],
      },
    },
    { ...shared, changes: { operation: [null, 'exportOrders'], status: ['started', 'complete'], records: [null, 1] } },
  ])
})
