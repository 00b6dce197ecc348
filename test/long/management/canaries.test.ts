import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextOf, encryptionKey } from '../../../scripts/faults/merchants.ts'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { type ServiceProcess, startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { randomSecret } from '../../../src/base/ids.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../../src/store/embedded/embedded.ts'
import { sendTo } from '../../support/api.ts'
import { sendEveryWrite } from '../../support/contract/personal-writes.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts'
import { sendBankAccount, sendPaystackCallbacks, signInWithEverySecret } from '../../support/secrets.ts'
import { operator, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver } from '../../webhooks/receiver.ts'

/**
 * Requests, deliveries, dispatches and failures of a whole service, with a different text in every personal field,
 * secret, token, header and reason. None of these texts may appear in the output of the service, in the log of its
 * PostgreSQL server or in its traces.
 */

/**
 * Prefix of the texts that the test puts into headers, paths and failures. No id can contain such a text, because ids
 * have no hyphen.
 */
const prefix = 'zq-'

let folder: string
let collector: OtlpReceiver
let service: ServiceProcess
let postgres: EmbeddedPostgres
let database: Database
let shop: Shop

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-canaries-'))
  await chmod(folder, 0o711)
  collector = await openOtlpReceiver()
  service = await startServiceProcess('', {
    DATA_DIR: folder,
    // The service runs with log level debug, at which it logs the messages of PostgreSQL.
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    // No server listens on the ports of SMTP_URL and PAYSTACK_URL, so every e-mail and every request to Paystack fails.
    SMTP_URL: `smtp://${prefix}sender:${prefix}password@127.0.0.1:1`,
    MAIL_FROM: 'Commerce <notifications@example.com>',
    PAYSTACK_URL: 'http://127.0.0.1:1',
  })
  postgres = await openEmbedded({ dataDirectory: folder })
  database = openDatabase({ connectionString: postgres.connectionString })
  shop = await openTestShop({ context: contextOf(database) })
})
afterAll(async () => {
  service.kill('SIGKILL')
  await service.ended
  await database.close()
  await postgres.stop()
  collector.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Texts that must appear only in the tables that are meant to store them. Each value is the field or header that
 * contains the text.
 */
const canaries = new Map<string, string>()

function foundIn(text: string): string[] {
  // A text of digits must be a whole word. Otherwise, it could match a part of a time or of an id by chance.
  const isIn = (canary: string) =>
    /^[+\d]+$/.test(canary)
      ? new RegExp(`(?<![0-9a-z])${canary.replace('+', '\\+')}(?![0-9a-z])`).test(text)
      : text.includes(canary)
  return [...canaries].filter(([canary]) => isIn(canary)).map(([canary, place]) => `${place}: ${canary}`)
}

const traceparent = `00-${'4bf92f3577b34da6'.repeat(2)}-00f067aa0ba902b7-01`

const api = {
  clock: systemClock,
  get database() {
    return database
  },
  send: (method: string, path: string, sent: Parameters<typeof sendTo>[3] = {}) =>
    sendTo(service.url, method, path, {
      ...sent,
      headers: { traceparent, 'User-Agent': `${prefix}agent`, ...sent.headers },
    }),
}

/** Sends failing requests with prefixed texts in the path, the query, the headers and the body. */
async function sendFailures(orderId: string): Promise<void> {
  const { token } = shop
  const json = { 'Content-Type': 'application/json' }
  const raw: [path: string, init: RequestInit][] = [
    ['/api/v1/orders', { method: 'POST', headers: json, body: `{"${prefix}field": "${prefix}value` }],
    ['/api/v1/customers', { method: 'POST', headers: json, body: `{"${prefix}field": "${prefix}value"}` }],
    [`/api/v1/orders?${prefix}name=${prefix}value`, {}],
    [`/api/v1/customers?q=${prefix}search`, {}],
    [`/${prefix}path`, {}],
    [`/docs/${prefix}page`, {}],
    [`/dashboard/sign-in/link/${prefix}link`, {}],
    [`/api/v1/orders/${prefix}id`, {}],
    [
      '/api/v1/refunds',
      {
        method: 'POST',
        headers: { ...json, 'Idempotency-Key': `${prefix}createRefund` },
        body: JSON.stringify({ orderId, amountKobo: 1, reason: `${prefix}reason` }),
      },
    ],
    [
      '/api/v1/refunds',
      {
        method: 'POST',
        headers: { ...json, 'Idempotency-Key': `${prefix}too-much` },
        body: JSON.stringify({ orderId, amountKobo: 900_000_000_000, reason: 'damaged', note: `${prefix}note` }),
      },
    ],
    [
      `/callbacks/paystack/${shop.merchantId}`,
      { method: 'POST', headers: { 'X-Paystack-Signature': `${prefix}signature` }, body: `${prefix}callback` },
    ],
    [`/callbacks/carriers/chowdeck/${prefix}key`, { method: 'POST', body: `${prefix}callback` }],
  ]
  for (const [path, { headers, ...init }] of raw) {
    const response = await fetch(service.url + path, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    })
    expect(response.status, path).toBeLessThan(500)
    await response.arrayBuffer()
  }
  const unknown = await fetch(`${service.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${prefix}token` } })
  expect(unknown.status).toBe(401)
}

/** Makes PostgreSQL log an error about a row. The details of the error would contain the value of the row. */
async function failInPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.connectionString })
  await client.connect()
  await client.query('create temporary table unique_values (value text unique)')
  const insert = () => client.query('insert into unique_values values ($1)', [`${prefix}parameter`])
  await insert()
  await expect(insert()).rejects.toThrow('duplicate key')
  await client.end()
}

/** Returns the passwords of the embedded PostgreSQL, with the names of their roles. */
async function databasePasswords(): Promise<Map<string, string>> {
  const record = Object(JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8')))
  const names = Object.keys(record).filter((name) => name.endsWith('Password'))
  expect(names.length).toBeGreaterThan(1)
  return new Map(names.map((name) => [String(record[name]), name]))
}

test.for([
  ['refuses connections', 'postgres://user:zq-password@127.0.0.1:1/commerce'],
  ['is not valid', 'postgres://user:zq-password@127.0.0.1:port/commerce'],
  ['has a password with a slash', 'postgres://user:zq-pass/zq-word@127.0.0.1:1/commerce'],
] as const)('the error message for a DATABASE_URL that %s does not contain the password', async ([, databaseUrl]) => {
  const urls = { DATABASE_OWNER_URL: databaseUrl, DATABASE_READ_URL: databaseUrl }
  const starting = startServiceProcess(databaseUrl, { ...urls, LOG_LEVEL: 'debug' })
  const { message } = await starting.then(
    () => new Error('The service has started.'),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  expect(message).toContain('DATABASE_URL')
  expect(message).not.toMatch(/zq-(?:pass|word)/)
})

test('no output of the service contains personal data, a secret or a token', async () => {
  const { url, received, ...receiver } = await openReceiver((_, response) =>
    response.writeHead(500).end(`${prefix}response`),
  )
  const hook = url.replace('/hook', `/${prefix}hook`)
  const kinds = ['order.created', 'order.status_changed', 'order.refunded'] as const
  const key = randomSecret(16)
  const request = { url: hook, kinds, headers: [{ name: 'X-Api-Key', value: key }] }
  const endpoint = await createWebhookEndpoint(contextOf(database), operator, shop.tenant, request)
  if (endpoint.is !== 'created') throw new Error(`The endpoint was rejected: ${endpoint.is}.`)
  trustSecret(hook, endpoint.secret)
  const { fieldOf, orders, refund } = await sendEveryWrite(api, shop)
  await sendFailures(orders[1]?.id ?? '')
  await failInPostgres()
  for (const [canary, field] of fieldOf) canaries.set(canary, field)
  canaries.set(prefix, 'a header, a path, a parameter or a failure')
  canaries.set(key, 'the value of a custom header')
  canaries.set(shop.token, 'the token').set(endpoint.secret, 'the signing secret')
  canaries.set('Bearer collector', 'the headers of exports')
  canaries.set(encryptionKey.toString('base64'), 'the encryption key')
  for (const secrets of [
    await signInWithEverySecret({ url: service.url, database }),
    await sendPaystackCallbacks({ url: service.url, database }),
    await sendBankAccount({ url: service.url, database }, shop.token, refund.id),
    await databasePasswords(),
  ])
    for (const [secret, name] of secrets) canaries.set(secret, name)
  await waitFor(() => expect(received.length).toBeGreaterThan(2), { timeout: 60_000 })
  expect(receiver).toBeDefined()
  await waitFor(() => expect(service.output()).toContain('duplicate key value'), { timeout: 60_000 })
  expect(canaries.size).toBeGreaterThan(80)
  expect(foundIn(service.output())).toEqual([])
})

test('the log line of a request names its merchant, token, operation and route', () => {
  const line = service
    .output()
    .split('\n')
    .find((each) => each.includes('"operation":"createRefund"'))
  expect(JSON.parse(line ?? '')).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    merchantId: shop.merchantId,
    tokenId: shop.tokenId,
    route: 'POST /api/v1/refunds',
    status: expect.any(Number),
    durationMs: expect.any(Number),
  })
})

test('the search for personal texts works: it finds a marked text in a log line of PostgreSQL', async () => {
  const client = new pg.Client({ connectionString: postgres.connectionString })
  await client.connect()
  await expect(client.query('select $1::integer', [`${prefix}control`])).rejects.toThrow('invalid input syntax')
  await client.end()
  await waitFor(() => expect(foundIn(service.output())).toHaveLength(1), { timeout: 60_000 })
})

const attribute = (name: string, value: unknown) => (span: ReceivedSpan) => span.attributes[name] === value

test('a request continues the trace of its client, and its SQL statements are part of the trace', async () => {
  const spans = () => collector.spans()
  await waitFor(() => expect(spans().some(({ name }) => name === 'POST /api/v1/refunds')).toBe(true), {
    timeout: 60_000,
  })
  const [request] = spans().filter(attribute('commerce.operation', 'createRefund'))
  expect(request).toMatchObject({
    traceId: traceparent.slice(3, 35),
    parentSpanId: traceparent.slice(36, 52),
    attributes: {
      'http.route': '/api/v1/refunds',
      'http.response.status_code': 201,
      'commerce.merchant_id': shop.merchantId,
    },
  })
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['begin', 'commit']))
  for (const { attributes } of statements)
    expect(Object.keys(attributes).sort()).toEqual(['db.operation.name', 'db.system.name'])
})

test('a webhook delivery is part of its event’s trace, which links to the request that emitted the event', async () => {
  const expectLinks = () => {
    const spans = collector.spans()
    const request = spans.find((span) => span.name === 'POST /api/v1/orders' && span.links.length > 0)
    const emitted = spans.find(({ spanId }) => spanId === request?.links[0]?.spanId)
    expect(emitted).toMatchObject({ name: 'emit order.created' })
    expect(emitted?.links).toMatchObject([{ traceId: request?.traceId, spanId: request?.spanId }])
    const delivery = spans.find(({ parentSpanId }) => parentSpanId === emitted?.spanId)
    expect(delivery).toMatchObject({ name: 'deliver', traceId: emitted?.traceId, isFailure: true })
    expect(delivery?.attributes).toMatchObject({ 'commerce.outcome': 'failed', 'http.response.status_code': 500 })
  }
  await waitFor(expectLinks, { timeout: 60_000 })
})

test('the traces have spans for requests to carriers and for jobs', async () => {
  await waitFor(
    () => {
      const names = collector.spans().map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['carrier create', 'job check_shipments']))
    },
    { timeout: 60_000 },
  )
})

test('no exported trace contains personal data, a secret or a token', () => {
  const exported = collector.text().replaceAll(JSON.stringify('Bearer collector'), '')
  expect(exported).toContain('POST /api/v1/refunds')
  expect(foundIn(exported)).toEqual([])
  expect(foundIn(`${exported}${prefix}control`)).toHaveLength(1)
})

test('a trace collector that does not respond delays neither requests nor the stop of the service', async () => {
  collector.hang()
  for (let count = 0; count < 20; count++)
    expect((await api.send('GET', '/api/v1/orders', { token: shop.token })).status).toBe(200)
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
})
