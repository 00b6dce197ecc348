import { connect, createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { openRequestLog, type RequestLog } from '../../src/http/request-log.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { countRequestsByDay } from '../../src/store/requests/request-counts.ts'
import { findRequest, listRequests, type RequestRow } from '../../src/store/requests/request-list.ts'
import { insertRequests } from '../../src/store/requests/request-log.ts'
import { addressOf, type TestApi, useApi } from '../support/api.ts'
import { mintToken, openShop, type Shop } from '../support/shop.ts'
import { waitFor } from '../support/wait-for.ts'

const started = useApi()

/** Opens a request log on a database, by default that of the test, and closes both at the end of the test. */
function openLog(log = silentLog, connectionString = started().connectionString): RequestLog {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  const requestLog = openRequestLog(database, log)
  onTestFinished(async () => {
    await requestLog.close()
    await database.close()
  })
  return requestLog
}

/**
 * Starts an API that stores its requests in the request log. Returns a function that sends a request and returns its
 * status and id.
 */
async function serve(api: TestApi, requestLog: RequestLog, log = silentLog) {
  const service = await openService({ ...api.context, requestLog }, log, 0)
  const server = createApiServer(service)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await service.subscription.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  })
  const url = `http://127.0.0.1:${addressOf(server.address()).port}`
  return async (method: string, path: string, { token, body }: { token?: string; body?: object } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return { status: response.status, id: response.headers.get('request-id') ?? '' }
  }
}

/** Returns the requests of a merchant from the request log, newest first. */
async function logged({ merchantId }: Shop): Promise<readonly RequestRow[]> {
  return (await listRequests(started().database, { merchantId }, { limit: 100 })).rows
}

function recordingLog() {
  const warnings: { readonly message: string; readonly requests: unknown }[] = []
  const add = (fields: object, message: string) => warnings.push({ message, requests: Reflect.get(fields, 'requests') })
  const log: Log = Object.assign(Object.create(silentLog), { warn: add, error: add })
  return { log, warnings }
}

function requestOf(shop: Shop, id: string) {
  const result = { operation: 'listOrders', status: 200, errorCode: null, durationMs: 1, problems: null }
  return { merchantId: shop.merchantId, id, ...result, tokenId: shop.tokenId, sourceIp: '203.0.113.7' }
}

function requestId(index: number): string {
  return `req_01m7zz8k3re338th02${String(index).padStart(8, '0')}`
}

test('a request is written to the request log with its operation, result, token and address', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const requestLog = openLog()
  const send = await serve(api, requestLog)
  const { id } = await send('GET', '/api/v1/orders', { token: shop.token })
  await requestLog.close()
  expect(await logged(shop)).toEqual([
    {
      merchantId: shop.merchantId,
      id,
      occurredAt: '2026-11-21T08:30:00.000Z',
      operation: 'listOrders',
      status: 200,
      errorCode: null,
      durationMs: expect.any(Number),
      problems: null,
      tokenId: shop.tokenId,
      sourceIp: '127.0.0.1',
    },
  ])
})

test('the requests of reachable merchants are written to the request log while the database node of another merchant does not respond', async () => {
  const api = started()
  const [shop, lost] = [await openShop(api.context), await openShop(api.context)]
  const database = openDatabase({ connectionString: api.connectionString, maxConnections: 2 })
  onTestFinished(database.close)
  const { log, warnings } = recordingLog()
  const requestLog = openRequestLog(database, log)
  requestLog.add(requestOf(shop, requestId(71)))
  requestLog.add(requestOf(lost, requestId(72)))
  database.reachability.set({ reachable: [shop.merchantId], unreachable: [lost.merchantId] })
  await requestLog.close()
  expect((await logged(shop)).map(({ id }) => id)).toEqual([requestId(71)])
  expect(await logged(lost)).toEqual([])
  expect(warnings).toEqual([{ message: 'Requests are missing from the request log.', requests: 1 }])
})

test('authenticated requests that are then rejected are written to the request log with their error code', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const narrow = await mintToken(api.context, shop.tenant, { scopes: ['orders:read'] })
  const requestLog = openLog()
  const send = await serve(api, requestLog)
  const refused = [
    [await send('GET', '/api/v1/orders?limit=0', { token: shop.token }), 'validation_failed'],
    [await send('GET', '/api/v1/customers', narrow), 'insufficient_scope'],
    [await send('GET', '/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k', { token: shop.token }), 'order_not_found'],
  ] as const
  await requestLog.close()
  expect(refused.map(([{ status }]) => status)).toEqual([400, 403, 404])
  for (const [{ id, status }, errorCode] of refused)
    expect(await findRequest(api.database, { merchantId: shop.merchantId, id })).toMatchObject({ status, errorCode })
  const problemsOf = async (id: string) =>
    (await findRequest(api.database, { merchantId: shop.merchantId, id }))?.problems
  expect(await Promise.all(refused.map(([{ id }]) => problemsOf(id)))).toEqual([
    [{ path: 'query.limit', code: 'too_small' }],
    null,
    null,
  ])
})

test('the request log contains no requests without a valid token, no requests to public operations, and no requests to unknown paths', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const restricted = await mintToken(api.context, shop.tenant, { ipAllowlist: ['203.0.113.0/24'] })
  const requestLog = openLog()
  const send = await serve(api, requestLog)
  const answers = [
    await send('GET', '/api/v1/orders'),
    await send('GET', '/api/v1/orders', { token: `${shop.token}x` }),
    await send('GET', '/api/v1/orders', restricted),
    await send('GET', '/api/v1/openapi.json', { token: shop.token }),
    await send('GET', '/api/v1/nothing', { token: shop.token }),
  ]
  await requestLog.close()
  const ids = answers.map(({ id }) => id)
  const { rows } = await api.database.pool.query('select id from request_log where id = any($1)', [ids])
  expect(rows).toEqual([])
})

test('the request log contains neither bodies nor tokens nor query strings', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const requestLog = openLog()
  const send = await serve(api, requestLog)
  const body = { name: 'Ngozi Eze', email: 'ngozi.eze@example.com' }
  const created = await send('POST', '/api/v1/customers', { token: shop.token, body })
  const found = await send('GET', '/api/v1/customers?q=Ngozi', { token: shop.token })
  await requestLog.close()
  expect([created.status, found.status]).toEqual([201, 200])
  const text = "select string_agg(request_log::text, e'\\n') as rows from request_log where merchant_id = $1"
  const { rows } = await api.database.pool.query<{ rows: string }>(text, [shop.merchantId])
  expect(rows[0]?.rows).toContain(created.id)
  expect(rows[0]?.rows).not.toMatch(/ngozi|example\.com|svc_/i)
})

test('the request log never lists requests of another merchant or of the other mode', async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const requestLog = openLog()
  const send = await serve(api, requestLog)
  const { id } = await send('GET', '/api/v1/orders', { token: shop.token })
  await requestLog.close()
  for (const merchantId of [other.merchantId, shop.testMerchantId]) {
    expect(await findRequest(api.database, { merchantId, id })).toBeUndefined()
    expect((await listRequests(api.database, { merchantId }, { limit: 100 })).rows).toEqual([])
    const days = await countRequestsByDay(api.database, { merchantId, now: toTimestamp(api.clock.nowMs()) })
    expect(days.map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 0, 0, 0])
  }
  expect(await findRequest(api.database, { merchantId: shop.merchantId, id })).toMatchObject({ id })
})

test('a batch of the request log is stored while the process runs, not only when the process stops', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const send = await serve(api, openLog())
  const { id } = await send('GET', '/api/v1/orders', { token: shop.token })
  await waitFor(async () => expect((await logged(shop)).map((row) => row.id)).toEqual([id]), { timeout: 60_000 })
})

test('requests succeed while the request log cannot reach its database, and a stopping process logs how many requests are missing', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { log, warnings } = recordingLog()
  const requestLog = openLog(log, 'postgres://127.0.0.1:1/none')
  const send = await serve(api, requestLog)
  for (let index = 0; index < 3; index++) expect((await send('GET', '/api/v1/orders', shop)).status).toBe(200)
  await requestLog.close()
  expect(warnings.at(-1)).toEqual({ message: 'Requests are missing from the request log.', requests: 3 })
  expect(await logged(shop)).toEqual([])
})

test('while the buffer of the request log is full, further requests are not recorded, and one log line states their number', async () => {
  const shop = await openShop(started().context)
  const { log, warnings } = recordingLog()
  const requestLog = openLog(log, 'postgres://127.0.0.1:1/none')
  for (let index = 0; index < 10_007; index++) requestLog.add(requestOf(shop, requestId(index)))
  await waitFor(() => expect(warnings).toContainEqual(expect.objectContaining({ requests: 7 })), { timeout: 60_000 })
  expect(warnings.filter(({ requests }) => requests !== undefined)).toHaveLength(1)
})

test('requests during an outage of the database are stored in the request log after the outage, each exactly once', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { log, warnings } = recordingLog()
  const proxy = await openProxy(api.connectionString)
  const requestLog = openLog(log, proxy.connectionString)
  for (let index = 0; index < 1_200; index++) requestLog.add(requestOf(shop, requestId(index)))
  await waitFor(() => expect(warnings).not.toEqual([]), { timeout: 60_000 })
  await proxy.open()
  const count = async () => {
    const text = 'select count(*)::int as count from request_log where merchant_id = $1'
    return (await api.database.pool.query(text, [shop.merchantId])).rows[0].count
  }
  await waitFor(async () => expect(await count()).toBe(1_200), { timeout: 60_000 })
  expect(warnings.map(({ message }) => message)).toEqual([
    'Recurring work failed. It is repeated until it succeeds.',
    'Recurring work succeeds again.',
  ])
})

test('a batch of the request log is stored and counted only once, even if it is inserted again after the response of the database was lost', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const batch = [
    requestOf(shop, requestId(1)),
    { ...requestOf(shop, requestId(2)), status: 404, errorCode: 'not_found' },
  ]
  await insertRequests(api.database, batch)
  await insertRequests(api.database, [...batch, { ...requestOf(shop, requestId(3)), sourceIp: 'fe80::1%eth0' }], true)
  expect((await logged(shop)).map(({ id, sourceIp }) => [id, sourceIp])).toEqual([
    [requestId(3), 'fe80::1'],
    [requestId(2), '203.0.113.7'],
    [requestId(1), '203.0.113.7'],
  ])
  const text = 'select status_class, requests from request_counts where merchant_id = $1 order by status_class'
  const { rows } = await api.database.pool.query(text, [shop.merchantId])
  expect(rows).toEqual([
    { status_class: 2, requests: 2 },
    { status_class: 4, requests: 1 },
  ])
})

test('when concurrent batches of the request log contain several merchants, the request count of each merchant is exact', async () => {
  const api = started()
  const shops = [await openShop(api.context), await openShop(api.context)]
  const batchOf = (each: readonly Shop[]) => each.map((shop) => requestOf(shop, newId('req', api.clock.nowMs())))
  const batches = Array.from({ length: 10 }, (_, index) => batchOf(index % 2 === 0 ? shops : shops.toReversed()))
  await Promise.all(batches.map((batch) => insertRequests(api.database, batch)))
  const text = 'select sum(requests)::integer as requests from request_counts where merchant_id = $1'
  const counts = shops.map(({ merchantId }) => api.database.pool.query(text, [merchantId]))
  expect((await Promise.all(counts)).map(({ rows }) => rows)).toEqual([[{ requests: 10 }], [{ requests: 10 }]])
})

/** Returns a database connection string. Connections to its address are refused until `open` is called. */
async function openProxy(connectionString: string) {
  const target = new URL(connectionString)
  const server: Server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.pipe(other).on('error', () => one.destroy())
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = addressOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  onTestFinished(() => void server.close())
  const refused = new URL(connectionString)
  refused.hostname = '127.0.0.1'
  refused.port = String(port)
  return { connectionString: refused.href, open: () => listen(port) }
}

test('the log line of a failed request has its error code, and the line of a successful request has none', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const lines: object[] = []
  const log: Log = Object.assign(Object.create(silentLog), { info: (fields: object) => lines.push(fields) })
  const send = await serve(api, openLog(), log)
  const found = await send('GET', '/api/v1/orders', { token: shop.token })
  const missing = await send('GET', `/api/v1/orders/${newId('ord', 0)}`, { token: shop.token })
  const anonymous = await send('GET', '/api/v1/orders')
  const codeOf = (id: string) => {
    const line = lines.find((each) => Reflect.get(each, 'requestId') === id)
    return [Reflect.get(Object(line), 'status'), Reflect.get(Object(line), 'errorCode')]
  }
  expect(codeOf(found.id)).toEqual([200, undefined])
  expect(codeOf(missing.id)).toEqual([404, 'order_not_found'])
  expect(codeOf(anonymous.id)).toEqual([401, 'missing_token'])
})
