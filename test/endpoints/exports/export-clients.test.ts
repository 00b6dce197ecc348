import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exportsMax } from '../../../registry/values/limits.ts'
import { type Log, silentLog } from '../../../src/base/log.ts'
import { noMeters, type RequestEnd } from '../../../src/base/meters.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { asSuperuser, auditRows, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'
import { waitFor, waitUntil } from '../../support/wait-for.ts'
import { openLargeShop } from './large-shop.ts'

/** Exports whose client reads slowly or disconnects, and exports that fail midway. */

const idleMs = 2_000

const lines: { readonly requestId: unknown; readonly message: string }[] = []
const addLine = (fields: object, message: string) =>
  void lines.push({ requestId: Reflect.get(fields, 'requestId'), message })
const log: Log = Object.assign(Object.create(silentLog), { info: addLine, error: addLine })
const measured: RequestEnd[] = []

const started = useApi({
  waitBounds: { perMerchant: 100, perAddress: 400, idleMs },
  log,
  meters: { ...noMeters, requestEnded: (ended) => void measured.push(ended) },
})

/** Returns the messages of the log about a request, without the line that every request has. */
const loggedOf = (requestId: unknown) =>
  lines.filter((line) => line.requestId === requestId && line.message !== 'request').map(({ message }) => message)

const apiHead = (shop: Shop, version = '1.1') =>
  `GET /api/v1/exports/customers?format=ndjson HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`

async function dashboardHead(shop: Shop, version: string): Promise<string> {
  const { cookies } = await signedIn(started(), shop.merchantId, 'owner')
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return `GET /dashboard/exports/customers HTTP/${version}\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`
}

/** Starts an export whose client reads only the first bytes. */
async function startUnread(head: string): Promise<Socket> {
  const socket = connect(started().port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(head)
  await once(socket, 'readable')
  return socket
}

/** Waits for the end of an export. Returns its entry in the audit log. */
async function endOf(shop: Shop) {
  return waitFor(async () => {
    const rows = await auditRows(started(), shop.merchantId)
    const ended = rows.find(({ changes }) => 'records' in changes)
    expect(ended).toBeDefined()
    return ended
  })
}

/** Returns the number of lines of an export. Rejects if the connection ends before the response is complete. */
async function readExport(shop: Shop): Promise<number> {
  const headers = { Authorization: `Bearer ${shop.token}` }
  const response = await fetch(`${started().url}/api/v1/exports/customers?format=ndjson`, { headers })
  return (await response.text()).split('\n').length - 1
}

test('a client that stops reading an export occupies no database connection, is disconnected, and can then start another export', async () => {
  const api = started()
  const shop = await openLargeShop(started())
  const sockets = await Promise.all(Array.from({ length: exportsMax }, () => startUnread(apiHead(shop))))
  const third = await api.send('GET', '/api/v1/exports/orders', { token: shop.token })
  answers('exportOrders', 'rate_limited', third)
  expect(third.body.error.details).toEqual({ policy: 'concurrency-export' })
  expect(third.headers.get('retry-after')).toBe('10')
  const file = await (await signedIn(api, shop.merchantId, 'owner')).get('/dashboard/deliveries/download')
  expect(file.status).toBe(429)
  expect(file.text).toContain('2 exports of this merchant are already running.')
  const other = await openShop(api.context)
  expect((await api.send('GET', '/api/v1/exports/orders', { token: other.token })).status).toBe(200)
  expect(await quietOrEnded(shop)).toBe('quiet')
  const { request_id, changes } = (await endOf(shop)) ?? {}
  expect(changes).toMatchObject({ status: ['started', 'aborted'] })
  expect(loggedOf(request_id)).toEqual(['A response was aborted: its client reads nothing.'])
  for (const socket of sockets) socket.resume()
  await waitFor(async () => expect(await readExport(shop)).toBe(shop.count))
})

/**
 * Waits until several samples in succession show that no connection works for the exports of a shop, or until an export
 * has ended.
 */
function quietOrEnded(shop: Shop): Promise<'quiet' | 'ended'> {
  let quiet = 0
  return waitUntil(async () => {
    const [{ busy, ended }] = await select(
      started(),
      `select
         (select count(*) from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
            and pid <> pg_backend_pid()) as busy,
         (select count(*) from audit_log where merchant_id = $1 and changes ? 'records') as ended`,
      [shop.merchantId],
    )
    if (ended > 0) return 'ended'
    quiet = busy === 0 ? quiet + 1 : 0
    return quiet === 3 ? 'quiet' : false
  })
}

test('the duration of an export in the metrics excludes the time that the service waits for its client to read', async () => {
  const shop = await openLargeShop(started())
  const startMs = performance.now()
  await startUnread(apiHead(shop))
  const firstByteMs = performance.now() - startMs
  measured.length = 0
  await endOf(shop)
  const ended = await waitFor(() => {
    const found = measured.find(({ operation }) => operation === 'exportCustomers')
    expect(found).toBeDefined()
    return found
  })
  expect(ended?.durationMs).toBeLessThanOrEqual(firstByteMs)
})

test('an export ends when its client disconnects', async () => {
  const shop = await openLargeShop(started())
  const socket = await startUnread(apiHead(shop))
  socket.destroy()
  const { request_id, changes } = (await endOf(shop)) ?? {}
  expect(changes).toMatchObject({ status: ['started', 'aborted'] })
  expect(loggedOf(request_id)).toEqual(['A connection was closed before its response was complete.'])
})

test.for([
  ['the API', '1.1', apiHead],
  ['the API', '1.0', apiHead],
  ['the dashboard', '1.1', dashboardHead],
  ['the dashboard', '1.0', dashboardHead],
] as const)('%s over HTTP/%s resets the connection of an export when the database fails midway', async ([
  ,
  version,
  headOf,
]) => {
  const api = started()
  const shop = await openLargeShop(started())
  const socket = await startUnread(await headOf(shop, version))
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
  const { request_id, changes } = (await endOf(shop)) ?? {}
  expect(changes).toMatchObject({ status: ['started', 'aborted'] })
  expect(loggedOf(request_id)).toEqual(['A response was aborted: a part failed.'])
})

test('an export returns an error response if the database fails before the first record', async () => {
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
  // The failed export no longer counts as running.
  for (let attempt = 0; attempt <= exportsMax; attempt++) {
    expect((await api.send('GET', '/api/v1/exports/customers', { token: shop.token })).status).toBe(200)
  }
})
