import { describe, expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { type RotationRequest, rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { showSigningSecret } from '../../../src/access/show-signing-secret.ts'
import { VaultError, vaultOf } from '../../../src/base/vault.ts'
import { openProviders } from '../../../src/partners/payments/providers.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { listSecrets } from '../../../src/store/webhooks/signing-secrets.ts'
import { createTasks } from '../../../src/worker/tasks.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'
import { acceptedBy, bothVerifiers } from './verifiers.ts'

const opened = useDatabase()
const hour = 60 * 60_000

type Shop = Awaited<ReturnType<typeof openShop>>

async function rotate(shop: Shop, endpoint: EndpointKey, request: Omit<RotationRequest, 'endpointId'> = {}) {
  const { endpointId } = endpoint
  const outcome = await rotateSigningSecret(shop.context, operator, shop.tenant, { endpointId, ...request })
  if (outcome.is === 'rotated') trustSecret((await shop.endpoint(endpoint)).url, outcome.secret)
  return outcome
}

async function rotated(...words: Parameters<typeof rotate>) {
  const outcome = await rotate(...words)
  if (outcome.is !== 'rotated') throw new Error(`Not rotated: ${outcome.is}.`)
  return outcome
}

async function shopWithEndpoint(answer = status(200)) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(answer)
  const endpoint = await shop.addEndpoint(receiver.url)
  const deliver = async () => {
    receiver.received.length = 0
    await shop.emit()
    await shop.deliver(endpoint)
    return only(receiver.received)
  }
  const secrets = () => listSecrets(opened().database, endpoint)
  return { shop, receiver, endpoint, deliver, secrets }
}

describe('the grace period of a secret rotation', () => {
  test('during the grace period of a rotation, receivers with the old or the new secret accept deliveries; afterwards only receivers with the new secret do', async () => {
    const { shop, endpoint, deliver } = await shopWithEndpoint()
    const { secret, previousExpiresAt } = await rotated(shop, endpoint)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(endpoint.secret)
    expect(previousExpiresAt).toBe(new Date(shop.clock.nowMs() + 24 * hour).toISOString())
    shop.clock.advance(24 * hour - 1)
    const during = await deliver()
    for (const each of [endpoint.secret, secret]) {
      expect(acceptedBy(during, each, shop.clock.nowMs())).toEqual(bothVerifiers)
    }
    shop.clock.advance(1)
    const after = await deliver()
    expect(acceptedBy(after, secret, shop.clock.nowMs())).toEqual(bothVerifiers)
    expect(acceptedBy(after, endpoint.secret, shop.clock.nowMs())).toEqual([])
  })

  test('during the grace period of a secret rotation, both signature headers carry two signatures, with the current secret’s signature first', async () => {
    const { shop, endpoint, deliver } = await shopWithEndpoint()
    const { secret } = await rotated(shop, endpoint)
    const { headers, rawBody } = await deliver()
    const now = shop.clock.nowMs()
    expect(headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    const [time = '', ...digests] = String(headers['service-signature']).split(',')
    const signatures = String(headers['webhook-signature']).split(' ')
    expect(signatures).toHaveLength(2)
    const alone = (index: number) => ({
      path: '',
      rawBody,
      headers: {
        ...headers,
        'service-signature': `${time},${digests[index]}`,
        'webhook-signature': signatures[index],
      },
    })
    expect(acceptedBy(alone(0), secret, now)).toEqual(bothVerifiers)
    expect(acceptedBy(alone(1), secret, now)).toEqual([])
    expect(acceptedBy(alone(1), endpoint.secret, now)).toEqual(bothVerifiers)
  })

  test('during the grace period of a secret rotation, a request to show the signing secret returns the new secret', async () => {
    const { shop, endpoint } = await shopWithEndpoint()
    const { secret } = await rotated(shop, endpoint)
    expect(await showSigningSecret(shop.context, endpoint)).toBe(secret)
  })
})

describe('the length of the grace period', () => {
  test('a rotation with a grace period of zero ends the old signing secret at once', async () => {
    const { shop, endpoint, deliver, secrets } = await shopWithEndpoint()
    const { secret, previousExpiresAt } = await rotated(shop, endpoint, { graceHours: 0 })
    expect(previousExpiresAt).toBeNull()
    expect(await secrets()).toHaveLength(1)
    const received = await deliver()
    expect(received.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(acceptedBy(received, secret, shop.clock.nowMs())).toEqual(bothVerifiers)
    expect(acceptedBy(received, endpoint.secret, shop.clock.nowMs())).toEqual([])
  })

  test('the grace period of a secret rotation is at most a week', async () => {
    const { shop, endpoint } = await shopWithEndpoint()
    for (const graceHours of [-1, 0.5, 169, Number.NaN]) {
      expect(await rotate(shop, endpoint, { graceHours })).toEqual({ is: 'grace_refused' })
    }
    expect(await showSigningSecret(shop.context, endpoint)).toBe(endpoint.secret)
    const { previousExpiresAt } = await rotated(shop, endpoint, { graceHours: 168 })
    expect(previousExpiresAt).toBe(new Date(shop.clock.nowMs() + 168 * hour).toISOString())
  })
})

describe('a second rotation within the grace period', () => {
  test('a second secret rotation within the grace period is rejected, because it would end the secret that receivers still use', async () => {
    const { shop, endpoint, deliver } = await shopWithEndpoint()
    const first = await rotated(shop, endpoint)
    shop.clock.advance(hour)
    expect(await rotate(shop, endpoint)).toEqual({
      is: 'rotation_under_way',
      previousExpiresAt: first.previousExpiresAt,
    })
    expect(await shop.audits('webhook_endpoint.rotate_secret')).toHaveLength(1)
    expect(acceptedBy(await deliver(), endpoint.secret, shop.clock.nowMs())).toEqual(bothVerifiers)
  })

  test('a second secret rotation within the grace period invalidates the oldest secret if `endsPrevious` is set', async () => {
    const { shop, endpoint, deliver, secrets } = await shopWithEndpoint()
    const first = await rotated(shop, endpoint)
    const second = await rotated(shop, endpoint, { endsPrevious: true })
    expect(await secrets()).toHaveLength(2)
    const received = await deliver()
    const now = shop.clock.nowMs()
    expect(acceptedBy(received, endpoint.secret, now)).toEqual([])
    expect(acceptedBy(received, first.secret, now)).toEqual(bothVerifiers)
    expect(acceptedBy(received, second.secret, now)).toEqual(bothVerifiers)
  })

  test('a second secret rotation without a grace period invalidates both older secrets at once', async () => {
    const { shop, endpoint, deliver, secrets } = await shopWithEndpoint()
    const first = await rotated(shop, endpoint)
    const second = await rotated(shop, endpoint, { graceHours: 0 })
    expect(await secrets()).toHaveLength(1)
    const received = await deliver()
    const now = shop.clock.nowMs()
    for (const old of [endpoint.secret, first.secret]) expect(acceptedBy(received, old, now)).toEqual([])
    expect(acceptedBy(received, second.secret, now)).toEqual(bothVerifiers)
  })

  test('after the grace period of the first rotation, a second rotation is possible and deletes the expired secret', async () => {
    const { shop, endpoint, secrets } = await shopWithEndpoint()
    await rotated(shop, endpoint, { graceHours: 1 })
    const before = (await secrets()).map(({ id }) => id)
    shop.clock.advance(hour)
    await rotated(shop, endpoint)
    const after = (await secrets()).map(({ id }) => id)
    expect(after).toHaveLength(2)
    expect(after).toContain(before[0])
    expect(after).not.toContain(before[1])
  })
})

test('only one of three concurrent rotations of a signing secret is performed, and the others are rejected', async () => {
  const { shop, endpoint, secrets } = await shopWithEndpoint()
  const outcomes = await Promise.all([rotate(shop, endpoint), rotate(shop, endpoint), rotate(shop, endpoint)])
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['rotated', 'rotation_under_way', 'rotation_under_way'])
  expect(await secrets()).toHaveLength(2)
  const made = outcomes.find((outcome) => outcome.is === 'rotated')
  expect(await showSigningSecret(shop.context, endpoint)).toBe(made?.secret)
})

test('after concurrent secret rotations that end older secrets, the endpoint has two secrets, and the newest secret is the current one', async () => {
  const { shop, endpoint, secrets } = await shopWithEndpoint()
  const request = { endsPrevious: true }
  const outcomes = await Promise.all([1, 2, 3].map(() => rotated(shop, endpoint, request)))
  expect(await secrets()).toHaveLength(2)
  const current = await showSigningSecret(shop.context, endpoint)
  expect(outcomes.map(({ secret }) => secret)).toContain(current)
})

test('each signature of a webhook delivery during several secret rotations is valid with one of the endpoint’s secrets', async () => {
  const { shop, receiver, endpoint } = await shopWithEndpoint()
  for (let count = 0; count < 40; count++) await shop.emit()
  const delivering = shop.deliver(endpoint)
  const known = [endpoint.secret]
  for (let count = 0; count < 4; count++) {
    known.push((await rotated(shop, endpoint, { endsPrevious: true })).secret)
  }
  await delivering
  expect(receiver.received).toHaveLength(40)
  for (const received of receiver.received) {
    const accepting = known.filter((secret) => acceptedBy(received, secret, shop.clock.nowMs()).length === 2)
    expect(accepting.length).toBe(String(received.headers['webhook-signature']).split(' ').length)
    expect(accepting.length).toBeGreaterThan(0)
  }
  expect((await shop.deliveries()).every((delivery) => delivery.status === 'succeeded')).toBe(true)
})

test('a webhook delivery attempt that started before a secret rotation does not change the endpoint’s failure count', async () => {
  const { shop, receiver, endpoint } = await shopWithEndpoint(status(500))
  await shop.emit()
  await shop.deliver(endpoint)
  const answers: (() => void)[] = []
  receiver.answer = (_, response) => answers.push(() => response.writeHead(401).end())
  await shop.emit()
  const delivering = shop.deliver(endpoint)
  await expect.poll(() => answers.length).toBe(1)
  await rotated(shop, endpoint)
  for (const answer of answers) answer()
  await delivering
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 1 })
  receiver.answer = status(401)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(await shop.endpoint(endpoint)).toMatchObject({ consecutiveFailures: 2 })
})

test('the audit log contains the ids of rotated secrets, never the secrets', async () => {
  const { shop, endpoint, secrets } = await shopWithEndpoint()
  const [old] = await secrets()
  const { secret, previousExpiresAt } = await rotated(shop, endpoint)
  const [current] = await secrets()
  const row = only(await shop.audits('webhook_endpoint.rotate_secret'))
  expect(row).toMatchObject({
    resourceId: endpoint.endpointId,
    changes: { signingSecret: [old?.id, current?.id], previousExpiresAt: [null, previousExpiresAt] },
  })
  for (const each of [secret, endpoint.secret]) expect(JSON.stringify(row)).not.toContain(each)
})

test('the hourly job deletes expired signing secrets but no valid ones', async () => {
  const { shop, endpoint, secrets } = await shopWithEndpoint()
  const providers = openProviders(shop.pumpContext.fetch, { urls: { paystack: 'http://127.0.0.1:1' } })
  const tasks = createTasks({ ...shop.sweepContext, ...shop.context, providers })
  await rotated(shop, endpoint, { graceHours: 1 })
  shop.clock.advance(hour - 1)
  await tasks.delete_expired_secrets({})
  expect(await secrets()).toHaveLength(2)
  shop.clock.advance(1)
  await tasks.delete_expired_secrets({})
  expect(only(await secrets())).toMatchObject({ expiresAt: null })
})

test('a secret rotation writes nothing when no encryption key is configured', async () => {
  const { shop, endpoint, secrets } = await shopWithEndpoint()
  const before = await secrets()
  const keyless = { ...shop, context: { ...shop.context, vault: vaultOf([]) } }
  await expect(rotate(keyless, endpoint)).rejects.toThrow(VaultError)
  await expect(rotate(keyless, endpoint)).rejects.toThrow(
    /ENCRYPTION_KEY is required to store secrets: 32 random bytes/,
  )
  expect(await secrets()).toEqual(before)
  expect(await shop.audits('webhook_endpoint.rotate_secret')).toEqual([])
})

test('a secret rotation returns the outcome `endpoint_unknown` for a deleted endpoint and for another merchant’s endpoint', async () => {
  const { shop, endpoint } = await shopWithEndpoint()
  const other = await openShop(opened().database)
  expect(await rotate(other, endpoint)).toEqual({ is: 'endpoint_unknown' })
  await deleteWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
  expect(await rotate(shop, endpoint)).toEqual({ is: 'endpoint_unknown' })
  expect(await showSigningSecret(shop.context, endpoint)).toBeUndefined()
  expect(await shop.audits('webhook_endpoint.rotate_secret')).toEqual([])
})
