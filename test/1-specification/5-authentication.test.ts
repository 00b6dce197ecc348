import { createHmac, hash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { EndpointId } from '../../registry/index.ts'
import { openWebhookShop, type WebhookShop } from '../dashboard/webhooks/webhook-shop.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange, scopeOf } from '../support/contract/operation.ts'
import { type SignedInMember, signedIn } from '../support/dashboard.ts'
import { dumpOf } from '../support/database-dump.ts'
import { mintToken } from '../support/shop.ts'
import { openReceiver } from '../webhooks/receiver.ts'

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

/** Operations that need no authentication. The README beside this file says why. */
const open: readonly EndpointId[] = ['getOpenApiDocument', 'getChangelog']
const guarded = endpointIds.filter((id) => !open.includes(id))

async function minted(name: string, scopes: readonly string[]) {
  const path = '/dashboard/tokens/new'
  const { text } = await owner.submit(path, path, { name, scopes, days: '30', networks: '' })
  const [token = 'none'] = /svc_live_[0-9A-Za-z]+/.exec(text) ?? []
  return { token, text }
}

const statusWith = async (token: string, path = '/orders') =>
  (await api().send('GET', `/api/v1${path}`, { token })).status

test.for(guarded)('spec 5: the operation %s requires the header Authorization: Bearer', async (id) => {
  const operation = await arrange(api(), id, shop)
  expect((await operation.send({})).status).toBe(401)
  const headers = { Authorization: `Basic ${Buffer.from(shop.token).toString('base64')}` }
  expect((await operation.send({ headers })).status).toBe(401)
})

test.for(open)('spec 5: the public operation %s returns 200 both without a token and with one', async (id) => {
  const operation = await arrange(api(), id, shop)
  expect((await operation.send({})).status).toBe(200)
  expect((await operation.send({ token: shop.token })).status).toBe(200)
})

test('spec 5: API tokens are minted in the dashboard under Developers > API tokens', async () => {
  const { text } = await owner.get('/dashboard')
  const [, developers = ''] = />Developers<(.*?)>Account</s.exec(text) ?? []
  expect(developers).toMatch(/<a href="\/dashboard\/tokens"[^>]*>API tokens</)
  expect((await owner.get('/dashboard/tokens')).text).toContain('href="/dashboard/tokens/new"')
})

test('spec 5: any number of tokens can be minted in the dashboard', async () => {
  const tokens = []
  for (let count = 0; count < 12; count++) tokens.push((await minted(`Integration ${count}`, ['orders:read'])).token)
  expect(new Set(tokens).size).toBe(12)
  for (const token of tokens) expect(await statusWith(token)).toBe(200)
})

test('spec 5: a token has the scopes that it was created with, and no others', async () => {
  const { token } = await minted('Warehouse', ['orders:read', 'logistics:read'])
  expect([await statusWith(token), await statusWith(token, '/logistics/zones')]).toEqual([200, 200])
  expect(await statusWith(token, '/customers')).toBe(403)
})

test.for(
  guarded,
)('spec 5: a token with only the scope that the operation %s declares may call it, and a token with all other scopes may not', async (id) => {
  const scope = scopeOf(id)
  const operation = await arrange(api(), id, shop)
  const others = guarded.map(scopeOf).filter((other) => other !== scope)
  const lacking = await mintToken(api().context, operation.shop.tenant, { scopes: [...new Set(others)] })
  expect((await operation.send({ token: lacking.token })).status).toBe(403)
  const sufficient = await mintToken(api().context, operation.shop.tenant, { scopes: [scope] })
  expect((await operation.send({ token: sufficient.token })).status).toBeLessThan(400)
})

test('spec 5: every token has the fixed prefix of the service', async () => {
  const test = await mintToken(api().context, { merchantId: shop.testMerchantId, mode: 'test' }, {})
  for (const token of [(await minted('Till', ['orders:read'])).token, test.token]) expect(token).toMatch(/^svc_/)
})

test('spec 5: a token is displayed once, at its creation', async () => {
  const { token, text } = await minted('Till', ['orders:read'])
  const [, id = ''] = /(tok_[0-9a-z]{26})/.exec(text) ?? []
  for (const path of ['/dashboard/tokens', `/dashboard/tokens/${id}`, '/dashboard/audit']) {
    const page = await owner.get(path)
    expect([path, page.status]).toEqual([path, 200])
    expect(page.text).not.toContain(token)
  }
})

test('spec 5: the service stores only a hash of a token', async () => {
  const { token } = await minted('Till', ['orders:read'])
  expect(await statusWith(token)).toBe(200)
  const dump = await dumpOf(api())
  expect(dump).toContain(hash('sha256', token, 'hex'))
  expect(dump).not.toContain(token)
})

test('spec 5: each webhook endpoint has a signing secret, which the dashboard shows after the endpoint is saved', async () => {
  const path = '/dashboard/webhooks/new'
  const save = async (url: string) => {
    const { text } = await owner.submit(path, path, { url, kinds: ['order.created'], description: '' })
    return /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0]
  }
  const secrets = [await save('http://127.0.0.1:9/one'), await save('http://127.0.0.1:9/two')]
  expect(secrets).toEqual([expect.any(String), expect.any(String)])
  expect(secrets[0]).not.toBe(secrets[1])
})

test('spec 5: a webhook delivery is authenticated by a signature with the secret of its endpoint', async () => {
  const [one, two] = [await openReceiver(), await openReceiver()]
  const endpoints = [await shop.addEndpoint(one.url), await shop.addEndpoint(two.url)]
  await shop.emit()
  for (const endpoint of endpoints) await shop.deliver(endpoint)
  for (const [index, { received }] of [one, two].entries()) {
    const [delivery] = received
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(delivery?.headers['service-signature'])) ?? []
    const signed = (secret: string) => createHmac('sha256', secret).update(`${t}.${delivery?.rawBody}`).digest('hex')
    expect(endpoints.map(({ secret }) => signed(secret) === v1)).toEqual([index === 0, index === 1])
  }
})
