import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { openLargeShop } from '../../endpoints/exports/large-shop.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop } from '../../support/shop.ts'

const opened = useDatabase()
const clients = 20

async function startService(settings: Readonly<Record<string, string>> = {}) {
  const service = await startServiceProcess(opened().connectionString, {
    RUN: 'api',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  return { ...service, port: Number(new URL(service.url).port) }
}

interface Outcome {
  acknowledged: number
  /** Errors of the requests of the test, except refused connections. */
  readonly broken: string[]
}

/** Sends requests one after another until the API server no longer listens. */
async function keepBusy(port: number, token: string, outcome: Outcome): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let number = 0; ; number++) {
    const answered = await create(agent, { port, token, number })
    if (answered === 'ECONNREFUSED') break
    if (answered === 201) outcome.acknowledged++
    else outcome.broken.push(String(answered))
    if (outcome.broken.length > 100) break
  }
  agent.destroy()
}

function create(agent: Agent, { port, token, number }: { port: number; token: string; number: number }) {
  const { outgoing, answered } = open(port, token, { agent })
  outgoing.end(customer(number))
  return answered
}

const customer = (number: number) =>
  JSON.stringify({ name: `Customer ${number}`, email: `${crypto.randomUUID()}@example.com` })

/** Starts a request without sending its body. Resolves with the response's status or the connection error. */
function open(port: number, token: string, more: RequestOptions) {
  const { promise: answered, resolve } = Promise.withResolvers<number | string | undefined>()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more.headers }
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/api/v1/customers', ...more, headers }
  const outgoing = request(options, (response) => {
    response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    response.on('end', () => resolve(response.statusCode)).resume()
  })
  outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  return { outgoing, answered }
}

test.for([
  { PROCESSES: '1', rounds: 4 },
  { PROCESSES: '2', rounds: 4 },
])('SIGTERM while 20 keep-alive clients send requests resets no connection, and loses no response and no request log row: %j', {
  timeout: 600_000,
}, async ({ PROCESSES, rounds }) => {
  const { database } = opened()
  const { merchantId, token } = await openShop(contextOf(database))
  const outcome: Outcome = { acknowledged: 0, broken: [] }
  for (let round = 1; round <= rounds; round++) {
    const service = await startService({ PROCESSES })
    try {
      const target = outcome.acknowledged + clients * 3
      const busy = Promise.all(Array.from({ length: clients }, () => keepBusy(service.port, token, outcome)))
      await expect.poll(() => outcome.acknowledged, { timeout: 120_000, interval: 5 }).toBeGreaterThan(target)
      const signalledMs = performance.now()
      service.kill('SIGTERM')
      expect(await service.ended).toBe(0)
      expect(performance.now() - signalledMs).toBeLessThan(30_000)
      await busy
    } finally {
      service.kill('SIGKILL')
    }
    expect(outcome.broken).toEqual([])
    const customers = 'select count(*)::int as count from customers where merchant_id = $1'
    const stored = await database.pool.query<{ count: number }>(customers, [merchantId])
    expect(stored.rows).toEqual([{ count: outcome.acknowledged }])
    const logged =
      "select count(*)::int as count from request_log where merchant_id = $1 and operation = 'createCustomer' and status = 201"
    expect((await database.pool.query(logged, [merchantId])).rows).toEqual([{ count: outcome.acknowledged }])
  }
})

test('connections that a process has not read yet when it receives SIGTERM are not reset, and the requests on these connections get responses', async () => {
  const { token } = await openShop(contextOf(opened().database))
  const service = await startService()
  const agent = new Agent({ keepAlive: true })
  try {
    service.kill('SIGSTOP')
    const sent = Array.from({ length: clients }, (_, number) => {
      const { outgoing, answered } = open(service.port, token, { agent })
      outgoing.end(customer(number))
      return { connected: once(outgoing, 'finish'), answered }
    })
    // The kernel has accepted the test's connections, but the suspended process has not read them yet.
    await Promise.all(sent.map(({ connected }) => connected))
    service.kill('SIGTERM')
    service.kill('SIGCONT')
    expect(await Promise.all(sent.map(({ answered }) => answered))).toEqual(sent.map(() => 201))
    expect(await service.ended).toBe(0)
  } finally {
    agent.destroy()
    service.kill('SIGKILL')
  }
})

test('SIGTERM closes an idle keep-alive connection at once, but a request that is still arriving gets a response', async () => {
  const { token } = await openShop(contextOf(opened().database))
  const service = await startService()
  const agent = new Agent({ keepAlive: true })
  try {
    const arriving = open(service.port, token, { headers: { Expect: '100-continue' } })
    arriving.outgoing.flushHeaders()
    await once(arriving.outgoing, 'continue')
    expect(await create(agent, { port: service.port, token, number: 1 })).toBe(201)
    await expect.poll(() => Object.values(agent.freeSockets).flat()).toHaveLength(1)
    const [idle] = Object.values(agent.freeSockets).flat()
    const closed = new Promise((resolve) => idle?.once('close', resolve))
    service.kill('SIGTERM')
    await closed
    arriving.outgoing.end(customer(2))
    // With a shorter timeout, the request would time out before the stopping service closes its last connections.
    expect(await arriving.answered).toBe(201)
    expect(await service.ended).toBe(0)
  } finally {
    agent.destroy()
    service.kill('SIGKILL')
  }
})

test('SIGTERM resets the connection of an incomplete export, so that an HTTP/1.0 client cannot take the export for complete', async () => {
  const { database } = opened()
  const { merchantId, token } = await openLargeShop({ database, context: contextOf(database) })
  const service = await startService()
  const socket = connect(service.port, '127.0.0.1')
  try {
    socket.write(`GET /api/v1/exports/customers HTTP/1.0\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await once(socket, 'readable')
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
    const signalledMs = performance.now()
    service.kill('SIGTERM')
    // The client reads nothing until the service has stopped, so that the export cannot end before that.
    expect(await service.ended).toBe(0)
    expect(performance.now() - signalledMs).toBeLessThan(15_000)
    socket.resume()
    expect((await failed).code).toBe('ECONNRESET')
    const ends = "select changes -> 'status' as status from audit_log where merchant_id = $1 and changes ? 'records'"
    expect((await database.pool.query(ends, [merchantId])).rows).toEqual([{ status: ['started', 'aborted'] }])
  } finally {
    socket.destroy()
    service.kill('SIGKILL')
  }
})
