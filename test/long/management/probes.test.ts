import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import type { ReplyBody } from '../../support/api.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../support/database-proxy.ts'
import { openShop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The health probes of an API process and of a worker while the database is lost, frozen or read-only. */

const opened = useDatabase()
let proxy: DatabaseProxy
let api: ServiceProcess
let worker: ServiceProcess
let token: string

beforeAll(async () => {
  token = (await openShop(contextOf(opened().database))).token
  proxy = await openDatabaseProxy(opened().connectionString)
  const started = [{ RUN: 'api' }, { RUN: 'worker' }].map((role) => startServiceProcess(proxy.connectionString, role))
  const [first, second] = await Promise.all(started)
  if (first === undefined || second === undefined) throw new Error('Both processes have started.')
  api = first
  worker = second
})
afterAll(async () => {
  for (const each of [api, worker]) each.kill('SIGKILL')
  await proxy.close()
})

/**
 * Maximum wait until a health probe reports a change. The service guarantees five seconds. The wait is much longer,
 * because the machine also runs other tests.
 */
const noticed = { timeout: 60_000 }

const portsOf = () => [api.url, api.managementUrl, worker.managementUrl]

async function untilDatabase(expected: object, readiness: 200 | 503): Promise<void> {
  for (const url of portsOf()) {
    await waitFor(async () => {
      const response = await fetch(`${url}/readyz`)
      const body: ReplyBody = await response.json()
      expect(body.checks, JSON.stringify(body)).toContainEqual({ name: 'database', ...expected })
      expect(response.status, JSON.stringify(body)).toBe(readiness)
    }, noticed)
    // The liveness probe must still pass, because a supervisor must not restart a process whose database is
    // unavailable.
    expect((await fetch(`${url}/livez`)).status).toBe(200)
  }
}

async function statusOfWrite(): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Ada Obi', email: `${crypto.randomUUID()}@example.com` })
  const response = await fetch(`${api.url}/api/v1/customers`, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

async function statusOfRequest(): Promise<number> {
  const response = await fetch(`${api.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } })
  await response.text()
  return response.status
}

test('both ports of an API process and the port of a worker respond to probes without a token', async () => {
  await untilDatabase({ status: 'ok' }, 200)
  for (const url of portsOf()) {
    const live = await fetch(`${url}/livez`)
    expect(await live.json()).toEqual({ status: 'live' })
    expect(live.headers.get('cache-control')).toBe('no-store')
    const verbose = await fetch(`${url}/readyz?verbose`)
    expect(await verbose.json()).toMatchObject({ status: 'ready' })
    const head = await fetch(`${url}/readyz`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(`${url}/readyz`, { method: 'POST' })
    await post.text()
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  }
})

test('a health probe over HTTP/1.0 without a Host header gets a response', async () => {
  for (const url of portsOf()) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /readyz HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  }
})

test('the readiness response of each process role lists the role’s checks', async () => {
  const namesOf = async (url: string) => {
    const { checks }: ReplyBody = await (await fetch(`${url}/readyz`)).json()
    return checks.map(({ name }: { name: string }) => name)
  }
  const shared = ['process', 'recurring_work', 'database', 'schema', 'deliveries', 'clock', 'encryption_key']
  expect(await namesOf(api.url)).toEqual(shared)
  expect(await namesOf(worker.managementUrl)).toEqual([...shared, 'worker'])
})

test('the management port serves only probes and metrics', async () => {
  const response = await fetch(`${api.managementUrl}/api/v1/orders`)
  expect([response.status, await response.text()]).toEqual([404, 'This port serves /livez, /readyz, /metrics.\n'])
})

test('while the database is lost, no process is ready, and requests fail with 503', async () => {
  proxy.cut()
  await untilDatabase({ status: 'failed', detail: 'The database cannot be reached.' }, 503)
  expect(await statusOfRequest()).toBe(503)
  proxy.restore()
  await untilDatabase({ status: 'ok' }, 200)
  expect(await statusOfRequest()).toBe(200)
})

test('while the database is frozen, no process is ready and requests fail with 503', async () => {
  proxy.freeze()
  expect(await statusOfRequest()).toBe(503)
  for (const url of portsOf()) {
    await waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), noticed)
  }
  proxy.restore()
  await untilDatabase({ status: 'ok' }, 200)
  expect(await statusOfRequest()).toBe(200)
})

test('while the database is read-only, no process is ready', async () => {
  const { pool } = opened().database
  const name = new URL(opened().connectionString).pathname.slice(1)
  const setReadOnly = async (value: 'on' | 'off') => {
    await pool.query(`alter role current_user in database ${name} set default_transaction_read_only = ${value}`)
    // The read-only setting applies only to new connections, so the proxy closes the existing connections of the
    // service.
    proxy.restore()
  }
  await setReadOnly('on')
  await untilDatabase({ status: 'failed', detail: 'The database accepts no writes.' }, 503)
  expect(await statusOfWrite()).toBe(503)
  await setReadOnly('off')
  await untilDatabase({ status: 'ok' }, 200)
})

test('a write that fails because the database’s disk is full returns an error with 503, and the process stays live', async () => {
  // Only root could fill the disk of a test server, so a trigger raises the error that PostgreSQL reports for a full
  // disk.
  await asOwner(
    opened(),
    `create function report_full_disk() returns trigger language plpgsql as $$
     begin
       raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device';
     end $$`,
  )
  await asOwner(opened(), 'create trigger full_disk before insert on customers execute function report_full_disk()')
  expect([await statusOfWrite(), await statusOfRequest()]).toEqual([503, 200])
  expect((await fetch(`${api.url}/livez`)).status).toBe(200)
  await asOwner(opened(), 'drop trigger full_disk on customers')
  expect(await statusOfWrite()).toBe(201)
  await untilDatabase({ status: 'ok' }, 200)
})
