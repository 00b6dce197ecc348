import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exportsMax } from '../../../registry/values/limits.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { asSuperuser, auditRows, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Exports whose client reads slowly or disconnects, and exports that fail midway. */

const idleMs = 2_000

const started = useApi({ waitBounds: { perMerchant: 100, perAddress: 400, idleMs } })

/** Number of customers: their export is larger than the buffers of the operating system. */
const count = 20_000

async function openLargeShop(): Promise<Shop> {
  const api = started()
  const shop = await openShop(api.context)
  await select(
    api,
    `insert into customers (merchant_id, id, name, email, note, created_at, updated_at)
     select $1, 'cus_0' || lpad(number::text, 25, '0'), 'Adaeze', number || '@example.com', repeat('x', 1000), moment, moment
     from generate_series(1, $2::integer) number, cast($3 as timestamptz) moment`,
    [shop.merchantId, count, new Date(api.clock.nowMs() - 1000).toISOString()],
  )
  return shop
}

const head = (shop: Shop, version = '1.1') =>
  `GET /api/v1/exports/customers HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`

/** Starts an export whose client reads only the first bytes. */
async function startUnread(shop: Shop, version?: string): Promise<Socket> {
  const socket = connect(started().port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(head(shop, version))
  await once(socket, 'readable')
  return socket
}

async function endOf(shop: Shop): Promise<unknown> {
  return waitFor(async () => {
    const rows = await auditRows(started(), shop.merchantId)
    const ended = rows.find(({ changes }) => 'records' in changes)
    expect(ended).toBeDefined()
    return ended?.changes
  })
}

/** Reads an export to its end. Rejects if the connection ends before the response is complete. */
async function readExport(shop: Shop): Promise<number> {
  const headers = { Authorization: `Bearer ${shop.token}` }
  const response = await fetch(`${started().url}/api/v1/exports/customers`, { headers })
  return (await response.text()).split('\n').length - 1
}

test('a client that stops reading is disconnected, has no database connection meanwhile, and may start again', async () => {
  const api = started()
  const shop = await openLargeShop()
  const sockets = await Promise.all(Array.from({ length: exportsMax }, () => startUnread(shop)))
  const third = await api.send('GET', '/api/v1/exports/orders', { token: shop.token })
  answers('exportOrders', 'rate_limited', third)
  expect(third.body.error.details).toEqual({ policy: 'concurrency-export' })
  expect(third.headers.get('retry-after')).toBe('10')
  const other = await openShop(api.context)
  expect((await api.send('GET', '/api/v1/exports/orders', { token: other.token })).status).toBe(200)
  await waitFor(async () => {
    const [row] = await select(api, "select count(*) from pg_stat_activity where state like 'idle in transaction%'")
    expect(row.count).toBe(0)
  })
  expect(await endOf(shop)).toMatchObject({ status: ['started', 'aborted'] })
  for (const socket of sockets) socket.resume()
  await waitFor(async () => expect(await readExport(shop)).toBe(count))
})

test('an export ends when its client disconnects', async () => {
  const shop = await openLargeShop()
  const socket = await startUnread(shop)
  socket.destroy()
  expect(await endOf(shop)).toMatchObject({ status: ['started', 'aborted'] })
})

test.for(['1.1', '1.0'])('HTTP/%s: the connection is reset when the database fails midway', async (version) => {
  const api = started()
  const shop = await openLargeShop()
  const socket = await startUnread(shop, version)
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
  await asSuperuser(api, async (client) => {
    await client.query('alter table customers rename to unavailable')
    try {
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text = (text + chunk.toString()).slice(-10)
      })
      expect((await failed).code).toBe('ECONNRESET')
      expect(text.endsWith('\r\n0\r\n\r\n')).toBe(false)
    } finally {
      await client.query('alter table unavailable rename to customers')
    }
  })
  expect(await endOf(shop)).toMatchObject({ status: ['started', 'aborted'] })
})

test('a database error before the first record is an error response', async () => {
  const api = started()
  const shop = await openShop(api.context)
  await asSuperuser(api, async (client) => {
    await client.query('alter table customers rename to unavailable')
    try {
      const reply = await api.send('GET', '/api/v1/exports/customers', { token: shop.token })
      expect(reply.status).toBe(500)
    } finally {
      await client.query('alter table unavailable rename to customers')
    }
  })
  // The place of the failed export is free again.
  for (let attempt = 0; attempt <= exportsMax; attempt++) {
    expect((await api.send('GET', '/api/v1/exports/customers', { token: shop.token })).status).toBe(200)
  }
})
