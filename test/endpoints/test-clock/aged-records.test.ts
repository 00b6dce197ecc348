import { expect, test } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { summariseSales } from '../../../src/commerce/reports/summarise-sales.ts'
import { sendMails } from '../../../src/notifications/send-mails.ts'
import { columnOf } from '../../../src/store/core/names.ts'
import { movingTables } from '../../../src/store/test-clock/fixed-times.ts'
import { useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { getShipment, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { addEndpoint, advance, startClockWorker } from '../../support/test-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

const started = useApi()

const day = 86_400

test('a used idempotency key returns the first refund until the test clock has advanced by 24 hours, and creates a new refund afterwards', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const { id: orderId } = await placeOrder(api, shop)
  const refund = async () => {
    const body = { orderId, amountKobo: 1_000, reason: 'damaged' }
    const headers = { 'Idempotency-Key': 'refund-1' }
    return (await api.send('POST', '/api/v1/refunds', { token: shop.token, body, headers })).body.id
  }
  const first = await refund()
  await advance(api, shop, day - 60)
  expect(await refund()).toBe(first)
  await advance(api, shop, 60)
  expect(await refund()).not.toBe(first)
})

test('a cursor that was issued before an advance of the test clock returns the next page, and expires after 24 hours of the test clock', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const ids: string[] = []
  for (let number = 0; number < 3; number++) {
    ids.unshift((await placeOrder(api, shop)).id)
    api.clock.advance(1000)
  }
  const list = (cursor: string) => api.send('GET', `/api/v1/orders?limit=1${cursor}`, { token: shop.token })
  const first = await list('')
  const cursor = `&cursor=${first.body.pagination.cursor}`
  await advance(api, shop, day - 60)
  const second = await list(cursor)
  expect([first, second].map(({ body }) => body.data[0].id)).toEqual(ids.slice(0, 2))
  expect((await list(`&cursor=${second.body.pagination.cursor}`)).body.data[0].id).toBe(ids[2])
  await advance(api, shop, 60)
  expect((await list(cursor)).body.error).toMatchObject({ code: 'cursor_expired' })
})

test('after a test clock advance, a cursor of the delivery zones still returns the next page, because the times of zones do not move', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  const list = async (query: string) =>
    (await api.send('GET', `/api/v1/logistics/zones?${query}`, { token: shop.token })).body
  const { data: zones } = await list('limit=2')
  const first = await list('limit=1')
  await advance(api, shop, 3600)
  const second = await list(`limit=1&cursor=${first.pagination.cursor}`)
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(zones.map(({ id }: { id: string }) => id))
})

test('after an advance of the test clock, a sales report counts an order on the day to which the order’s times were moved', async () => {
  const api = started()
  const shop = await openTestShop(api)
  await startClockWorker(api)
  await placeOrder(api, shop)
  await summariseSales({ database: api.database })
  await advance(api, shop, 3 * day)
  const { body: report } = await api.send('GET', '/api/v1/reports/sales', { token: shop.token })
  const days: { group: string; orderCount: number }[] = report.data
  const today = days.length - 1
  expect(days.flatMap(({ orderCount }, index) => (orderCount === 0 ? [] : [{ index, orderCount }]))).toEqual([
    { index: today - 3, orderCount: 1 },
  ])
})

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads, and an assertion on a missing column fails.
type Rows = Record<string, any[]>

/** Tables that recurring jobs write for every merchant, once a minute in real time. */
const writtenByJobs = ['audit_chain', 'audit_heads', 'audit_queue', 'sales_changes', 'sales_summaries']

/** Returns the rows of a merchant, by table. Leaves out the tables that recurring jobs write. */
async function rowsOf({ merchantId }: Shop): Promise<Rows> {
  const api = started()
  const tables = await select(
    api,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'merchant_id')
       and relname <> all($1)
     order by relname`,
    [writtenByJobs],
  )
  const rows: Rows = {}
  for (const { name } of tables) {
    const text = `select to_jsonb(found) as row from ${name} found where merchant_id = $1`
    rows[name] = sort((await select(api, text, [merchantId])).map(({ row }) => row))
  }
  return rows
}

/** Sorts rows by their content, because PostgreSQL may store a changed row in any free place of its table. */
function sort<Row extends object>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/**
 * Plans the e-mails of all notifications of a merchant before the test reads the rows. Otherwise, the job of the
 * worker, which plans e-mails once in each minute of real time, could change a notification between two reads.
 */
async function planAllMails({ merchantId }: Shop): Promise<void> {
  const api = started()
  await waitFor(async () => {
    await sendMails({ ...api.context, log: silentLog, mailer: undefined, publicUrl: undefined })
    const text = 'select id from notifications where merchant_id = $1 and not is_mail_planned'
    expect(await select(api, text, [merchantId])).toEqual([])
  })
}

/** Gives a merchant in test mode orders, a shipment under way, a refund and a failing webhook endpoint. */
async function fill(shop: Shop): Promise<string> {
  const api = started()
  await addEndpoint(api, shop, 'http://127.0.0.1:1/hook')
  await placeOrder(api, shop, { isPaid: false })
  const { id: orderId } = await placeOrder(api, shop)
  await api.send('POST', '/api/v1/refunds', {
    token: shop.token,
    body: { orderId, amountKobo: 100, reason: 'damaged' },
  })
  const { body } = await post(api, shop, 'dispatch', parcelTo(plainPhone, { carriers: ['simulator-swift'] }))
  return body.id
}

test('an advance of the test clock by a minute makes every timestamp of the merchant a minute older, except in the columns that are listed as fixed', async () => {
  const api = started()
  const shop = await openTestShop(api)
  const shipmentId = await fill(shop)
  await startClockWorker(api)
  await advance(api, shop, 3600)
  expect((await getShipment(api, shop, shipmentId)).body).toMatchObject({ status: 'delivered' })
  await planAllMails(shop)
  const before = await rowsOf(shop)
  // The next webhook retry is due in more than an hour, so it is not due within this time.
  const spanMs = 60_000
  await advance(api, shop, spanMs / 1000)
  const after = await rowsOf(shop)
  const moving = new Map(movingTables().map((table) => [table.table, table]))
  for (const [name, rows] of Object.entries(before)) {
    const table = moving.get(name)
    if (table === undefined || name === 'test_clocks') continue
    const isMoved = (column: string) => !table.fixed.map(columnOf).includes(column)
    const moved = rows.map((row) => Object.fromEntries(Object.entries(row).map(movedBy(spanMs, isMoved))))
    const documents = new Set(table.documents.map(columnOf))
    const compared = (all: object[] = []) => sort(all.map((row) => withoutDocuments(row, documents)))
    expect(compared(after[name]), name).toEqual(compared(moved))
  }
  for (const name of ['orders', 'payments', 'receipts', 'order_status_changes', 'stock_movements', 'webhook_attempts'])
    expect(before[name], name).not.toEqual([])
  const estimateOf = (rows: Rows) => rows.shipments?.[0]?.delivery_estimate?.p50
  expect(Date.parse(estimateOf(after))).toBe(Date.parse(estimateOf(before)) - spanMs)
})

/** A time with an offset, as PostgreSQL writes it in JSON. */
const storedTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00$/

function movedBy(spanMs: number, isMoved: (column: string) => boolean) {
  return ([column, value]: [string, unknown]): [string, unknown] => {
    const isTime = typeof value === 'string' && storedTime.test(value) && isMoved(column)
    return [column, isTime ? storedTimeOf(Date.parse(value) - spanMs) : value]
  }
}

function storedTimeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, '+00:00')
}

function withoutDocuments(row: object, documents: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !documents.has(column)))
}

test('an advance of the test clock changes no row of another merchant in test mode, nor of the live mode of the same merchant', async () => {
  const api = started()
  const [shop, other, live] = [await openTestShop(api), await openTestShop(api), await openShop(api.context)]
  await fill(shop)
  const shipmentId = await fill(other)
  await placeOrder(api, live, { isPaid: false })
  // The worker sends the first deliveries of both merchants, and submits their refunds, before the test reads the rows
  // that it compares.
  await startClockWorker(api)
  await advance(api, shop, 1)
  await advance(api, other, 1)
  const before = [await rowsOf(other), await rowsOf(live)]
  const simulated = async () =>
    select(api, 'select * from simulated_orders where reference like $1', [`${shipmentId}%`])
  const simulatedBefore = await simulated()
  await advance(api, shop, 30 * day)
  expect([await rowsOf(other), await rowsOf(live)]).toEqual(before)
  expect(await simulated()).toEqual(simulatedBefore)
  expect(simulatedBefore).toHaveLength(1)
  expect((await getShipment(api, other, shipmentId)).body).toMatchObject({ status: 'awaiting_courier' })
})
