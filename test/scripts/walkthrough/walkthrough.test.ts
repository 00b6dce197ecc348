import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../support/wait-for.ts'

const run = promisify(execFile)
let folder: string
let service: ChildProcess
let output = ''

const environment = () => ({ ...process.env, NODE_ENV: 'development', DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-walkthrough-'))
  await chmod(folder, 0o711)
  service = spawn(process.execPath, ['src/main.ts'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  service.stdout?.on('data', (chunk) => (output += chunk))
  await waitUntil(() => output.includes('Idempotency-Key'))
})

afterAll(async () => {
  const ended = new Promise((resolve) => service.on('exit', resolve))
  service.kill('SIGINT')
  await ended
  await rm(folder, { recursive: true, force: true })
})

test('the walkthrough creates a product, an order and a refund, receives four webhooks, and cancels a shipment', async () => {
  const url = /listening on (\S+)\/api\/v1,/.exec(output)?.[1] ?? ''
  const { stdout } = await run(process.execPath, ['scripts/walkthrough.ts', url], { env: environment() })
  const arrived = [...stdout.matchAll(/webhook: (\S+)/g)].map(([, kind]) => kind)
  expect(arrived.toSorted()).toEqual(['inventory.low_stock', 'order.created', 'order.refunded', 'order.status_changed'])
  expect(stdout).toContain('status processing, payment paid')
  expect(stdout).toContain('All four webhooks arrived with valid signatures.')
  expect(stdout).toMatch(/Simulator \w+ accepted shipment shp_\w+: status awaiting_courier/)
  expect(stdout.trim().split('\n').at(-1)).toBe('Cancelled the shipment for a fee of ₦0: status cancelled')
})
