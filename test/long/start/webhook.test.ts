import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/wait-for.ts'

const run = promisify(execFile)
let folder: string
let service: ChildProcess
let receiver: Server
let output = ''

const received: { body: Buffer; signature: string }[] = []
const environment = () => ({ ...process.env, NODE_ENV: 'development', DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-webhook-'))
  await chmod(folder, 0o711)
  receiver = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      received.push({ body: Buffer.concat(chunks), signature: String(incoming.headers['service-signature']) })
      outgoing.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  service = spawn(process.execPath, ['src/main.ts'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  service.stdout?.on('data', (chunk) => (output += chunk))
  await waitUntil(() => output.includes('Idempotency-Key'))
})

afterAll(async () => {
  const ended = new Promise((resolve) => service.on('exit', resolve))
  service.kill('SIGINT')
  await ended
  receiver.close()
  await rm(folder, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: object) {
  const url = /listening on (\S+)\/api\/v1,/.exec(output)?.[1]
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${/svc_live_\w+/.exec(output)?.[0]}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return JSON.parse(await response.text())
}

test('webhook events of an order and a refund arrive with signatures that Stripe’s library verifies', async () => {
  const address = receiver.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const merchant = /mer_\w+/.exec(output)?.[0] ?? ''
  const created = await run(
    process.execPath,
    [
      'src/cli.ts',
      ...['webhook', 'create', '--merchant', merchant, '--url', `http://127.0.0.1:${port}/hooks`],
      ...['--events', 'order.created,order.refunded', '--json'],
    ],
    { env: environment() },
  )
  const { secret } = JSON.parse(created.stdout)
  const [paid] = (await call('GET', '/api/v1/orders?paymentStatus=paid&limit=1')).data
  const { items } = await call('GET', `/api/v1/orders/${paid.id}`)
  const order = await call('POST', '/api/v1/orders', {
    customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' },
    items: [{ variantId: items[0].variantId, quantity: 1 }],
    paymentMethod: 'bank_transfer',
  })
  const refund = await call('POST', '/api/v1/refunds', { orderId: paid.id, amountKobo: 100, reason: 'damaged' })
  await expect.poll(() => received.length).toBe(2)

  const { webhooks } = new Stripe('sk_test_unused')
  const verified = received.map(({ body, signature }) => webhooks.constructEvent(body, signature, secret))
  expect(verified).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'order.created', data: { order } }),
      expect.objectContaining({ event: 'order.refunded', data: { refund, fullyRefunded: false } }),
    ]),
  )
  const [first] = received
  if (first === undefined) throw new Error('Two deliveries have arrived.')
  const changed = Buffer.from(first.body)
  changed[10] = (changed[10] ?? 0) ^ 1
  expect(() => webhooks.constructEvent(changed, first.signature, secret)).toThrow()
})
