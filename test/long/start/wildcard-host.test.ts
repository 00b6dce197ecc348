import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { waitUntil } from '../../support/wait-for.ts'

/** Timeout of the first start of a service while other tests run. */
const startMaxMs = 180_000

const publicUrl = 'https://api.example.com'

let folder: string
let service: ChildProcess
let output = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-wildcard-'))
  await chmod(folder, 0o711)
  const settings = { NODE_ENV: 'development', DATABASE_URL: '', DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' }
  service = spawn(process.execPath, ['src/main.ts'], {
    // Simulated carriers send callbacks to a loopback address, even when webhooks must not use one.
    env: {
      ...process.env,
      ...settings,
      HOST: '0.0.0.0',
      PUBLIC_URL: publicUrl,
      WEBHOOK_REFUSED_NETWORKS: '127.0.0.0/8',
      TEST_STEP_SECONDS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  service.stdout?.on('data', (chunk) => (output += chunk))
  await waitUntil(() => output.includes('Idempotency-Key'), { timeout: startMaxMs })
}, startMaxMs)

afterAll(async () => {
  const ended = new Promise((resolve) => service.on('exit', resolve))
  service.kill('SIGINT')
  await ended
  await rm(folder, { recursive: true, force: true })
})

test(
  'with HOST=0.0.0.0 the simulated carriers’ callbacks arrive, and the start message prints a loopback URL',
  async () => {
    const url = /listening on (\S+),/.exec(output)?.[1] ?? ''
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/)
    const headers = { Authorization: `Bearer ${/svc_test_\w+/.exec(output)?.[0]}`, 'Content-Type': 'application/json' }
    const parcel = {
      reference: 'wildcard-1',
      carriers: ['simulator-swift'],
      pickup: pickupInputExample,
      dropoff: dropoffInputExample,
      parcels: [{ description: 'Ankara maxi dress', weightGrams: 800, valueKobo: 1_500_000 }],
    }
    const sent = await fetch(`${url}/logistics/dispatch`, { method: 'POST', headers, body: JSON.stringify(parcel) })
    const { id } = JSON.parse(await sent.text())
    const sources = async () => {
      const response = await fetch(`${url}/logistics/shipments/${id}`, { headers })
      return JSON.parse(await response.text()).timeline.map(({ source }: { source: string }) => source)
    }
    await expect.poll(sources, { timeout: startMaxMs }).toContain('callback')
  },
  startMaxMs,
)

test('docUrl and the code samples have the origin of PUBLIC_URL', async () => {
  const { origin } = new URL(/listening on (\S+),/.exec(output)?.[1] ?? '')
  const refused = await fetch(`${origin}/api/v1/orders`)
  expect(await refused.json()).toMatchObject({ error: { docUrl: `${publicUrl}/docs/errors/missing_token` } })
  const guide = await fetch(`${origin}/docs/guides/pagination.md`)
  expect(await guide.text()).toContain(`${publicUrl}/api/v1/orders?limit=2`)
})
