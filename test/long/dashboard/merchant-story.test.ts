import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { paths } from '../../../generated/api.d.ts'
import { type RunningDemo, startDemo } from '../../../scripts/dashboard/start-demo.ts'
import { verifyWebhook } from '../../../src/receiver/verify-webhook.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../../support/reference/browser.ts'

/** A merchant's first day: the service as `npm start` runs it, a browser, and a webhook receiver. */

const password = 'three words and a comma'

/** The audited actions of this test, in their order: the actions of a merchant on the first day. */
const stepActions = [
  ...['user.password_change', 'user.totp_enable', 'token.create', 'webhook_endpoint.create', 'webhook_endpoint.test'],
  ...['webhook_endpoint.enable', 'webhook_delivery.replay', 'refund.create'],
]

const switchName = /^Switch to (live|test) mode$/

interface Entry {
  readonly id: string
  readonly action: string
  readonly actor: { readonly type: string }
  readonly sourceIp: string | null
}

interface Received {
  readonly body: string
  readonly signature: string
}

describeInBrowser('the first day of a merchant', () => {
  const visit = useBrowser()
  let demo: RunningDemo
  let receiver: Server
  let isBroken = false
  const received: Received[] = []

  beforeAll(async () => {
    receiver = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        if (!isBroken)
          received.push({
            body: Buffer.concat(chunks).toString(),
            signature: String(incoming.headers['service-signature']),
          })
        outgoing.writeHead(isBroken ? 500 : 200).end(isBroken ? 'the till is offline' : '')
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    // The service does not throttle the webhook endpoint, so that the sixth event is sent, and fails, at once.
    demo = await startDemo({ WEBHOOK_PACE_SECONDS: '0' })
  })

  afterAll(async () => {
    await demo.stop()
    receiver.close()
  })

  const hooksUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  /** Connects to the service's database as a superuser, who can disable its triggers. */
  async function asSuperuser<Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const { port, superuserPassword } = JSON.parse(readFileSync(join(demo.dataDirectory, 'postgres.json'), 'utf8'))
    const client = new pg.Client({
      connectionString: `postgresql://postgres:${superuserPassword}@127.0.0.1:${port}/commerce`,
    })
    await client.connect()
    try {
      return await run(client)
    } finally {
      await client.end()
    }
  }

  const isLinked = (auditId: string) =>
    asSuperuser(async (client) => {
      const { rowCount } = await client.query('select from audit_chain where audit_id = $1', [auditId])
      return rowCount === 1
    })

  const countHeld = () =>
    asSuperuser(async (client) => {
      const { rows } = await client.query<{ held: number }>(
        "select count(*)::integer as held from webhook_deliveries where status = 'held'",
      )
      return rows[0]?.held
    })

  const countFailedAttempts = () =>
    asSuperuser(async (client) => {
      const { rows } = await client.query<{ failed: number }>(
        "select count(*)::integer as failed from webhook_attempts where outcome = 'failed'",
      )
      return rows[0]?.failed
    })

  const readEventId = (deliveryId: string) =>
    asSuperuser(async (client) => {
      const { rows } = await client.query<{ eventId: string }>(
        'select event_id as "eventId" from webhook_deliveries where id = $1',
        [deliveryId],
      )
      return rows[0]?.eventId ?? ''
    })

  const receivedIds = () => received.map(({ body }) => JSON.parse(body).id)

  async function exportedBy(page: Page): Promise<readonly Entry[]> {
    const response = await page.request.get(`${demo.url}/dashboard/audit/export`)
    expect(response.headers()['content-type']).toBe('application/x-ndjson; charset=utf-8')
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('in the demo, a merchant can use tokens, webhooks and refunds in the dashboard, and the verification of the audit log reports a changed row', async () => {
    const visited = await visit()
    const { page } = visited
    const open = (path: string) => page.goto(`${demo.url}/dashboard${path}`)
    const shown = async (path: string) => {
      await open(path)
      return page.locator('main').innerText()
    }

    await page.goto(demo.signInLink)
    await press(page, 'Sign in')
    await page.getByLabel('New password').fill(password)
    await press(page, 'Set password')
    await press(page, 'Set up an authenticator app')
    const secret = Secret.fromBase32((await page.locator('[data-copy]').first().innerText()).trim())
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
    await press(page, 'Confirm the code')
    await page.getByText('The authenticator app is set up.').waitFor()

    // The member creates an API token in the dashboard. The test then calls the API with this token.
    await open('/tokens/new')
    await page.getByLabel('Name').fill('Till in Yaba')
    for (const scope of ['orders:read', 'orders:write']) await page.locator(`input[value="${scope}"]`).check()
    await press(page, 'Create token')
    const token = (await page.locator('[data-copy]').first().innerText()).trim()
    const api = createClient<paths>({
      baseUrl: `${demo.url}/api/v1`,
      headers: { Authorization: `Bearer ${token}` },
    })
    const orders = await api.GET('/orders', { params: { query: { paymentStatus: ['paid'], limit: 1 } } })
    const paidId = orders.data?.data[0]?.id ?? ''
    expect(paidId).toMatch(/^ord_/)

    // The member creates a webhook endpoint, which receives a signed test event.
    await open('/webhooks/new')
    await page.getByLabel('URL').fill(hooksUrl())
    await page.locator('input[value="order.created"]').check()
    await press(page, 'Create endpoint')
    const signingSecret = (await page.locator('[data-copy]').first().innerText()).trim()
    await page.getByRole('link', { name: 'Open the endpoint' }).click()
    await press(page, 'Send a test event')
    await expect.poll(() => received.length).toBe(1)
    const [testEvent] = received
    const delivery = { rawBody: testEvent?.body ?? '', header: testEvent?.signature, secret: signingSecret }
    expect(await verifyWebhook(delivery)).toMatchObject({ is: 'verified', event: { event: 'order.created' } })

    // Six failures in a row disable the webhook endpoint. Each order is placed after the delivery for the previous
    // order has failed, because concurrent failures count only once.
    isBroken = true
    const paid = await api.GET('/orders/{id}', { params: { path: { id: paidId } } })
    const body = {
      customer: { name: 'Adaeze <b>Okafor</b>', email: 'adaeze.okafor@example.com' },
      items: [{ variantId: paid.data?.items[0]?.variantId ?? '', quantity: 1 }],
      paymentMethod: 'bank_transfer' as const,
    }
    for (let failures = 1; failures <= 6; failures += 1) {
      expect((await api.POST('/orders', { body })).response.status).toBe(201)
      await expect.poll(countFailedAttempts).toBeGreaterThanOrEqual(failures)
    }
    await expect.poll(() => shown('')).toContain('disabled')
    await page.getByRole('link', { name: '127.0.0.1' }).click()
    const reasons = await page.locator('main').innerText()
    expect(reasons).toContain('disabled after 6 failures')
    expect(reasons.split('Why the endpoint is in this state')[1]).toMatch(/500/)

    // The webhook receiver works again. When the member enables the endpoint, the held deliveries resume, each at the
    // time of its next retry. A replay is sent at once.
    expect(await countHeld()).toBe(6)
    isBroken = false
    await press(page, 'Enable endpoint')
    await expect.poll(countHeld).toBe(0)
    await open('/deliveries')
    const row = page.locator('tbody a[href*="/deliveries/dlv_"]').first()
    const replayedId = await readEventId((await row.getAttribute('href'))?.split('/').at(-1) ?? '')
    await row.click()
    await press(page, 'Replay delivery')
    await expect.poll(receivedIds).toContain(replayedId)

    await open(`/orders/${paidId}/refund`)
    await page.getByLabel('Amount in naira').fill('1,000.50')
    await page.getByLabel('Reason').selectOption('damaged')
    await press(page, 'Check the refund')
    // The dashboard asks for a confirmation before a refund, because its record cannot be removed.
    await page.getByRole('heading', { name: /^Confirm: / }).waitFor()
    await page.getByRole('button', { name: /^Record the refund of ₦1,000\.50 to / }).click()
    await page.waitForURL(/\/dashboard\/(refunds|orders)\/\w+(\?|$)/)
    expect(await shown(`/orders/${paidId}`)).toContain('₦1,000.50')

    // The audit log contains the name and the IP address of the member, and the verification of its hash chain finds no
    // change.
    const changes = await shown('/audit?actor=demo-owner%40example.com')
    for (const action of ['token.create', 'webhook_endpoint.create', 'webhook_endpoint.enable', 'refund.create'])
      expect(changes).toContain(action)
    expect(changes).toContain('Adaeze Okafor')
    expect(changes).toContain('127.0.0.1')
    await page.getByRole('link', { name: 'refund.create' }).click()
    const changedId = await page.locator('tbody a[href*="/audit/aud_"]').first().getAttribute('href')
    const auditId = changedId?.split('/').at(-1) ?? ''
    await expect.poll(() => isLinked(auditId)).toBe(true)
    expect(await shown('/audit/verify')).toContain('No row was changed, deleted or inserted afterwards.')

    // The exported file of the audit log has an entry for every step, with the member, the session and the IP address.
    // Changes of the member's sign-in methods are in the log of the live merchant.
    const first = await exportedBy(page)
    await page.getByRole('button', { name: switchName }).click()
    const entries = [...first, ...(await exportedBy(page))].filter(({ actor }) => actor.type === 'member')
    await page.getByRole('button', { name: switchName }).click()
    const owner = entries.find(({ action }) => action === 'user.password_change')?.actor
    expect(owner).toMatchObject({ label: 'Adaeze Okafor', sessionId: expect.stringMatching(/^ses_/) })
    for (const action of stepActions) {
      expect(entries).toContainEqual(expect.objectContaining({ action, actor: owner, sourceIp: '127.0.0.1' }))
    }
    expect(entries).toContainEqual(expect.objectContaining({ id: auditId, action: 'refund.create' }))

    // The verification of the audit log reports the row that a superuser changes.
    await asSuperuser(async (client) => {
      await client.query('alter table audit_log disable trigger user')
      await client.query("update audit_log set source_ip = '203.0.113.9' where id = $1", [auditId])
    })
    expect(await shown('/audit/verify')).toContain(auditId)
    expectQuiet(visited, demo.url)
  })
})
