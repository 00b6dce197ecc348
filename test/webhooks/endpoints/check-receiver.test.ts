import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { eventKinds } from '../../../registry/kit/event.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { expectForgeries } from '../../../scripts/faults/outside-verifiers.ts'
import { checkReceiver } from '../../../src/access/check-receiver.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { verifyWebhook } from '../../../src/receiver/verify-webhook.ts'
import { type ProbeName, probeNames } from '../../../src/webhooks/probe-receiver.ts'
import { useDatabase } from '../../support/database.ts'
import { type Answer, openReceiver, type Received, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const isTaken = (takes: boolean): Answer => status(takes ? 204 : 400)

type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * Opens a shop with one webhook receiver. The function `answer` creates its response from the endpoint's signing
 * secret.
 */
async function openChecked(answer: (secret: string, shop: Shop) => Answer) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url, ['order.refunded', 'order.created'])
  expectForgeries(receiver.url)
  receiver.answer = answer(endpoint.secret, shop)
  const { endpointId } = endpoint
  const check = async (request: Partial<Parameters<typeof checkReceiver>[3]> = {}) => {
    const context = { ...shop.context, fetch: shop.pumpContext.fetch }
    const outcome = await checkReceiver(context, operator, shop.tenant, { endpointId, ...request })
    if (outcome.is !== 'checked') throw new Error(outcome.is)
    return outcome
  }
  return { shop, receiver, endpoint, check }
}

/**
 * Returns the response of a webhook receiver that verifies and deduplicates deliveries, as the reference recommends.
 */
function sound(secret: string, { clock }: Shop, handled: string[] = []): Answer {
  return async ({ rawBody, headers }, response) => {
    const verification = await verifyWebhook({ rawBody, headers, secret, nowSeconds: clock.nowMs() / 1000 })
    if (verification.is === 'verified' && !handled.includes(verification.event.id)) handled.push(verification.event.id)
    isTaken(verification.is === 'verified')({ rawBody, headers, path: '/' }, response)
  }
}

test('the receiver check sends the documented probes, and reports no problem for a receiver that uses the documented verifier', async () => {
  const handled: string[] = []
  const { receiver, check } = await openChecked((secret, shop) => sound(secret, shop, handled))
  const report = await check()
  expect(report).toMatchObject({ verdict: 'sound', findings: [], kind: 'order.created' })
  expect(report.probes.map(({ name }) => name)).toEqual(probeNames)
  expect(report.probes.map(({ outcome }) => outcome)).toEqual([
    'acknowledged',
    'refused',
    'refused',
    'refused',
    'refused',
    'refused',
    'acknowledged',
  ])
  expect(handled).toEqual([report.probes[0]?.eventId])
  const sent = receiver.received.map(({ rawBody }) => JSON.parse(rawBody))
  for (const sample of sent) {
    expect(events['order.created'].envelope.parse(sample)).toMatchObject({ test: true, mode: 'live' })
    expect(sample.id).toMatch(/testtest$/)
  }
  expect(sent.map(({ id }) => id)).toEqual(report.probes.map(({ eventId }) => eventId))
  expect(new Set(sent.map(({ id }) => id)).size).toBe(probeNames.length - 1)
  expect(receiver.received.at(-1)?.rawBody).toBe(receiver.received[0]?.rawBody)
})

test.each(eventKinds)('the receiver check can send its probes as events of kind %s', async (kind) => {
  const { receiver, check } = await openChecked(sound)
  expect(await check({ kind })).toMatchObject({ verdict: 'sound', kind })
  for (const { rawBody } of receiver.received)
    expect(events[kind].envelope.safeParse(JSON.parse(rawBody)).success).toBe(true)
})

test('the receiver check reports no problem for a receiver that uses a Standard Webhooks library', async () => {
  const { check } = await openChecked((secret) => (received, response) => {
    isTaken(isTakenBy(() => new Webhook(secret).verify(received.rawBody, textsOf(received))))(received, response)
  })
  expect(await check()).toMatchObject({ verdict: 'sound' })
})

test('the receiver check reports that a receiver with Stripe’s library accepts events with future timestamps', async () => {
  const { webhooks } = new Stripe('sk_test_unused')
  const { check } = await openChecked((secret) => (received, response) => {
    const header = textsOf(received)['service-signature'] ?? ''
    isTaken(isTakenBy(() => webhooks.constructEvent(received.rawBody, header, secret)))(received, response)
  })
  const report = await check()
  expect(report.verdict).toBe('flawed')
  expect(wrongOf(report)).toEqual(['future'])
  expect(report.findings).toEqual([expect.stringMatching(/^The receiver accepts events from the future/)])
})

/**
 * Returns the response of a webhook receiver that checks only the named properties of a signature: its value, its age,
 * or whether the header is present.
 */
function careless(checks: { signature?: boolean; past?: boolean; future?: boolean; presence?: boolean }) {
  return (secret: string, { clock }: Shop): Answer =>
    async (received, response) => {
      const header = textsOf(received)['service-signature']
      if (header === undefined) return isTaken(checks.presence !== true)(received, response)
      const seconds = Number(/t=(\d+)/.exec(header)?.[1])
      const ageSeconds = Math.floor(clock.nowMs() / 1000) - seconds
      const given = { rawBody: received.rawBody, header, secret, nowSeconds: seconds }
      const isSigned = (await verifyWebhook(given)).is === 'verified'
      const takes =
        (isSigned || checks.signature !== true) &&
        (ageSeconds <= 300 || checks.past !== true) &&
        (ageSeconds >= -300 || checks.future !== true)
      isTaken(takes)(received, response)
    }
}

const everything = { signature: true, past: true, future: true, presence: true }

test.each([
  ['accepts everything', {}, ['forged', 'stale', 'future', 'altered', 'unsigned']],
  ['does not compare signatures', { ...everything, signature: false }, ['forged', 'altered']],
  ['does not check timestamps', { ...everything, past: false, future: false }, ['stale', 'future']],
  ['accepts future timestamps', { ...everything, future: false }, ['future']],
  ['accepts old timestamps', { ...everything, past: false }, ['stale']],
  ['accepts events without a signature header', { ...everything, presence: false }, ['unsigned']],
  ['checks everything', everything, []],
])('the receiver check reports exactly the missing verification steps of a receiver that %s', async (_, checks, wrong) => {
  const { check } = await openChecked(careless(checks))
  const report = await check()
  expect(wrongOf(report)).toEqual(wrong)
  expect(report.verdict).toBe(wrong.length === 0 ? 'sound' : 'flawed')
  expect(report.findings).toHaveLength(wrong.length)
  for (const finding of report.findings)
    expect(finding).toMatch(/^The receiver accepts (forged|old|altered|unsigned) events|future/)
})

test('if a receiver only checks whether it has seen a signature before, the receiver check reports that the receiver accepts altered events', async () => {
  const { check } = await openChecked((secret, shop) => {
    const known = new Set<string>()
    const respond = sound(secret, shop)
    return (received, response) => {
      const header = textsOf(received)['service-signature'] ?? ''
      if (known.has(header)) return isTaken(true)(received, response)
      known.add(header)
      respond(received, response)
    }
  })
  expect(wrongOf(await check())).toEqual(['altered'])
})

test('if a receiver responds 500 to every request, the receiver check reports that the receiver rejects valid events, so its other rejections prove nothing', async () => {
  const { check } = await openChecked(() => status(500))
  const report = await check()
  expect(wrongOf(report)).toEqual(['valid', 'duplicate'])
  expect(report.verdict).toBe('flawed')
  expect(report.findings[0]).toMatch(/^The receiver rejects valid events, so its other rejections prove nothing/)
})

test('the receiver check reports a receiver that rejects duplicate events', async () => {
  const { check } = await openChecked((secret, shop) => {
    const handled: string[] = []
    const respond = sound(secret, shop, handled)
    return (received, response) => {
      if (handled.includes(JSON.parse(received.rawBody).id)) return status(409)(received, response)
      respond(received, response)
    }
  })
  const report = await check()
  expect(wrongOf(report)).toEqual(['duplicate'])
  expect(report.findings).toEqual([expect.stringMatching(/^The receiver rejects a duplicate event/)])
})

test('the receiver check is inconclusive for a receiver that closes the connection without a response', async () => {
  const { check } = await openChecked((secret, shop) => {
    const respond = sound(secret, shop)
    return (received, response) => {
      if (textsOf(received)['service-signature'] === undefined) response.destroy()
      else respond(received, response)
    }
  })
  const report = await check()
  expect(report.verdict).toBe('inconclusive')
  expect(report.findings).toEqual([
    'The receiver did not respond to the unsigned sample (connection), which proves nothing.',
  ])
})

test('the receiver check reports an unreachable receiver and sends no further probe', async () => {
  const shop = await openShop(opened().database)
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:1/')
  const context = { ...shop.context, fetch: shop.pumpContext.fetch }
  expect(await checkReceiver(context, operator, shop.tenant, { endpointId })).toMatchObject({
    verdict: 'unreachable',
    findings: ['The receiver could not be reached (connection), so it was not checked.'],
    probes: [{ name: 'valid', outcome: 'unanswered', httpStatus: null, errorCode: 'connection', isRight: false }],
  })
})

test('a receiver check leaves the endpoint’s failure count unchanged, works for a disabled endpoint, and records each probe’s result in the audit log', async () => {
  const { shop, endpoint, check } = await openChecked(() => status(500))
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  const before = await shop.endpoint(endpoint)
  await check()
  expect(await shop.endpoint(endpoint)).toEqual(before)
  expect(await shop.deliveries()).toEqual([])
  const audit = only(await shop.audits('webhook_endpoint.check'))
  const outcomes = Object.fromEntries(probeNames.map((name) => [name, 'refused']))
  expect(audit).toMatchObject({ resourceId: endpoint.endpointId })
  expect(audit.changes).toEqual({
    verdict: [null, 'flawed'],
    kind: [null, 'order.created'],
    outcomes: [null, outcomes],
  })
})

test('for a deleted webhook endpoint or an endpoint of another merchant, the receiver check sends nothing and returns the outcome `endpoint_unknown`', async () => {
  const { shop, receiver, endpoint } = await openChecked(sound)
  const other = await openShop(opened().database)
  const { endpointId } = endpoint
  const context = { ...shop.context, fetch: shop.pumpContext.fetch }
  expect(await checkReceiver(context, operator, other.tenant, { endpointId })).toEqual({ is: 'endpoint_unknown' })
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  await opened().database.pool.query('update webhook_endpoints set deleted_at = now() where id = $1', [endpointId])
  expect(await checkReceiver(context, operator, shop.tenant, { endpointId })).toEqual({ is: 'endpoint_unknown' })
  expect(receiver.received).toEqual([])
  expect(await shop.audits('webhook_endpoint.check')).toEqual([])
})

test('the receiver check sends one probe at a time', async () => {
  let open = 0
  let most = 0
  const { check } = await openChecked(() => (received, response) => {
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      status(200)(received, response)
    })
  })
  await check()
  expect(most).toBe(1)
})

function wrongOf({ probes }: { probes: readonly { name: ProbeName; isRight: boolean }[] }): ProbeName[] {
  return probes.filter(({ isRight }) => !isRight).map(({ name }) => name)
}

function textsOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

function isTakenBy(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

test('during a secret rotation, the receiver check accepts a receiver with either secret, and afterwards only with the new secret', async () => {
  const { shop, endpoint, check } = await openChecked((secret, of) => sound(secret, of))
  await rotateSigningSecret(shop.context, operator, shop.tenant, { endpointId: endpoint.endpointId, graceHours: 1 })
  expect(await check()).toMatchObject({ verdict: 'sound' })
  shop.clock.advance(60 * 60_000)
  expect(await check()).toMatchObject({ verdict: 'flawed' })
})
