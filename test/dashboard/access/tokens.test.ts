import { beforeEach, describe, expect, test } from 'vitest'
import { scopes } from '../../../registry/values/scopes.ts'
import { listTokens } from '../../../src/store/access/tokens.ts'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { mintToken, openShop, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openShop(api().context)
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

const tokens = () => listTokens(api().database, { merchantId: shop.merchantId, limit: 100 })
const audits = async (action: string) =>
  (await listAudit(api().database, { merchantId: shop.merchantId, limit: 100 })).filter((row) => row.action === action)
const statusWith = async (token: string) => (await api().send('GET', '/api/v1/orders', { token })).status
const newToken = '/dashboard/tokens/new'
const filledIn = { name: 'Warehouse', scopes: ['orders:read', 'logistics:read'], days: '30', networks: '' }

function tokenIn(page: string): string {
  return /svc_live_[0-9A-Za-z]{38}/.exec(page)?.[0] ?? 'none'
}

describe('creating a token', () => {
  test('creating a token shows the token once, and the token authenticates requests', async () => {
    const created = await owner.submit(newToken, newToken, filledIn)
    expect(created.status).toBe(200)
    const token = tokenIn(created.text)
    expect(await statusWith(token)).toBe(200)
    const stored = (await tokens()).find(({ name }) => name === 'Warehouse')
    expect(stored).toMatchObject({ scopes: ['orders:read', 'logistics:read'], createdBy: 'Ada Obi' })
    for (const path of ['/dashboard/tokens', `/dashboard/tokens/${stored?.id}`]) {
      const page = await owner.get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('Warehouse')
      expect(page.text).not.toContain(token)
    }
    expect(await audits('token.create')).toHaveLength(2)
  })

  test('a token form with an invalid choice and an unknown field is refused, and the page shows a message about each of the two problems', async () => {
    const refused = await owner.submit(newToken, newToken, { ...filledIn, days: '31', admin: 'yes' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Must be one of the allowed values.')
    expect(refused.text).toContain('Must not have undeclared fields.')
    expect(await tokens()).toHaveLength(1)
  })

  test('a token form that is submitted twice creates one token', async () => {
    const fields = { ...formOf((await owner.get(newToken)).text, newToken), ...filledIn }
    const [first, second] = [await owner.post(newToken, fields), await owner.post(newToken, fields)]
    expect([first.status, second.status]).toEqual([200, 409])
    expect(tokenIn(second.text)).toBe('none')
    expect(await tokens()).toHaveLength(2)
  })

  test('the token form with an invalid network is shown again, and no token is created', async () => {
    const refused = await owner.submit(newToken, newToken, { ...filledIn, networks: '203.0.113.0/24\nlagos' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('lagos is not a network such as 203.0.113.0/24.')
    expect(refused.text).toContain('value="Warehouse"')
    expect(await tokens()).toHaveLength(1)
  })

  test('the token form is shown again when no scope is chosen', async () => {
    const refused = await owner.submit(newToken, newToken, { ...filledIn, scopes: [] })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Choose at least one scope.')
  })

  test('the form for a new token, opened by the link of a preset, has the scopes of the preset selected', async () => {
    const form = await owner.get(newToken)
    const [, path = ''] = /href="([^"]+)">Logistics</.exec(form.text) ?? []
    const preset = await owner.get(path.replaceAll('&amp;', '&'))
    expect(preset.text).toContain('value="logistics:dispatch" checked')
    expect(preset.text).not.toContain('value="refunds:write" checked')
  })

  test('the form for a new token lists the scopes in alphabetical order, and links back to the list of tokens', async () => {
    const { text } = await owner.get('/dashboard/tokens/new')
    const scopes = [...text.matchAll(/name="scopes" value="([^"]+)"/g)].map(([, scope]) => scope)
    expect(scopes.length).toBeGreaterThan(10)
    expect(scopes).toEqual(scopes.toSorted())
    expect(text).toContain('<a href="/dashboard/tokens">All tokens</a>')
  })

  test('the form for a new token ignores unknown scopes in the URL', async () => {
    const page = await owner.get(`${newToken}?scopes=orders:read,%22%3E%3Cscript%3E&name=%3Cb%3Ex`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('value="&lt;b&gt;x"')
    expect(page.text).not.toContain('<b>x')
  })
})

describe('rotating a token', () => {
  const rotate = (hours: string) =>
    owner.submit(`/dashboard/tokens/${shop.tokenId}`, `/dashboard/tokens/${shop.tokenId}/rotate`, { hours })

  test('rotating a token without an overlap shows the new token and ends the old token at once', async () => {
    api().clock.advance(1000)
    const rotated = await rotate('0')
    expect(rotated.status).toBe(200)
    expect(await statusWith(tokenIn(rotated.text))).toBe(200)
    expect(await statusWith(shop.token)).toBe(401)
    expect(await audits('token.rotate')).toHaveLength(1)
  })

  test('rotating a token with an overlap of 24 hours keeps the old and the new token valid', async () => {
    const rotated = await rotate('24')
    expect(await statusWith(tokenIn(rotated.text))).toBe(200)
    expect(await statusWith(shop.token)).toBe(200)
    const page = await owner.get(`/dashboard/tokens/${shop.tokenId}`)
    expect(page.text).toContain('expiring')
    expect(page.text).toContain('>Expire this token</label>')
    expect(page.text).not.toContain(tokenIn(rotated.text))
  })

  test('rotating a token is refused for an overlap that the form does not offer', async () => {
    expect((await rotate('99999')).status).toBe(422)
    expect(await tokens()).toHaveLength(1)
  })

  test('rotating a token is refused after the token was revoked', async () => {
    const path = `/dashboard/tokens/${shop.tokenId}/rotate`
    const fields = formOf((await owner.get(`/dashboard/tokens/${shop.tokenId}`)).text, path)
    await owner.submit(`/dashboard/tokens/${shop.tokenId}/revoke`, `/dashboard/tokens/${shop.tokenId}/revoke`)
    const refused = await owner.post(path, { ...fields, hours: '24' })
    expect(refused.status).toBe(422)
    expect(await tokens()).toHaveLength(1)
  })
})

test('a revoked token is rejected, and its page shows that it is revoked', async () => {
  const path = `/dashboard/tokens/${shop.tokenId}/revoke`
  const revoked = await owner.submit(path, path)
  expect([revoked.status, revoked.location?.split('?')[0]]).toEqual([303, `/dashboard/tokens/${shop.tokenId}`])
  expect(await statusWith(shop.token)).toBe(401)
  const page = await owner.get(revoked.location ?? '')
  expect(page.text).toContain('The token is revoked.')
  expect(page.text).toContain('revoked')
  expect(page.text).not.toContain('Rotate token')
})

test('the list of tokens marks a token as never used one day after its creation, and as unused 90 days after its last use', async () => {
  const path = `/dashboard/tokens/${shop.tokenId}`
  expect((await owner.get(path)).text).not.toContain('never used')
  api().clock.advance(25 * 60 * 60 * 1000)
  const later = await signedIn(api(), shop.merchantId, 'developer')
  expect((await later.get(path)).text).toContain('never used')
  await api().send('GET', '/api/v1/orders', { token: shop.token })
  await expect.poll(async () => (await tokens())[0]?.lastUsedIp).toBe('127.0.0.1')
  const used = await later.get(path)
  expect(used.text).toContain('from 127.0.0.1')
  expect(used.text).not.toContain('never used')
  api().clock.advance(91 * 24 * 60 * 60 * 1000)
  const last = await signedIn(api(), shop.merchantId, 'developer')
  expect((await last.get('/dashboard/tokens')).text).toContain('unused for 90 days')
})

test('the list of tokens has pages of 25 tokens', async () => {
  for (let number = 0; number < 30; number++) {
    await mintToken(api().context, shop.tenant, { name: `integration ${String(number).padStart(2, '0')}.` })
    api().clock.advance(1)
  }
  const first = await owner.get('/dashboard/tokens')
  expect(first.text).toContain('integration 29.')
  expect(first.text).not.toContain('integration 04.')
  const [, next = ''] = /href="([^"]+)">Next page/.exec(first.text) ?? []
  const second = await owner.get(next)
  expect(second.text).toContain('integration 04.')
  expect(second.text).not.toContain('integration 05.')
  expect(second.text).not.toContain('Next page')
})

test.each(['viewer', 'operations'] as const)('a member with the role %s cannot see or change tokens', async (role) => {
  const member = await signedIn(api(), shop.merchantId, role)
  const hidden = formOf((await owner.get(newToken)).text, newToken)
  const ownForm = formOf((await member.get('/dashboard/discounts')).text, '/dashboard/select-merchant')
  expect((await member.get('/dashboard/tokens')).status).toBe(403)
  expect((await member.get(`/dashboard/tokens/${shop.tokenId}`)).status).toBe(403)
  const fields = { ...filledIn, form: hidden.form ?? '', csrf: ownForm.csrf ?? '' }
  expect((await member.post(newToken, fields)).status).toBe(403)
  for (const verb of ['rotate', 'revoke']) {
    const path = `/dashboard/tokens/${shop.tokenId}/${verb}`
    expect((await member.post(path, { ...fields, hours: '0' })).status).toBe(403)
  }
  expect(await tokens()).toHaveLength(1)
  expect(await statusWith(shop.token)).toBe(200)
})

describe('a developer', () => {
  let developer: SignedInMember
  beforeEach(async () => {
    developer = await signedIn(api(), shop.merchantId, 'developer')
  })

  test('a developer creates tokens with the scopes of the developer role in live mode, and with every scope in test mode', async () => {
    expect((await developer.submit(newToken, newToken, filledIn)).status).toBe(200)
    await developer.submit('/dashboard/tokens', '/dashboard/select-merchant', { merchant: shop.testMerchantId })
    expect((await developer.get(newToken)).text).toContain('value="refunds:write"')
    const every = { ...filledIn, scopes: Object.keys(scopes) }
    expect((await developer.submit(newToken, newToken, every)).text).toMatch(/svc_test_[0-9A-Za-z]{38}/)
    const merchant = { merchantId: shop.testMerchantId, limit: 100 }
    const created = (await listTokens(api().database, merchant)).find(({ name }) => name === 'Warehouse')
    expect(created?.scopes.toSorted()).toEqual(Object.keys(scopes).sort())
  })

  test('a developer is offered no scopes outside the developer role, and cannot create a token with such a scope', async () => {
    const page = await developer.get(newToken)
    expect(page.text).toContain('value="refunds:read"')
    expect(page.text).not.toContain('refunds:write')
    const more = { scopes: ['refunds:read', 'refunds:write', 'orders:write'] }
    const refused = await developer.submit(newToken, newToken, { ...filledIn, ...more })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(
      'Your role, developer, cannot give a token the scopes refunds:write, orders:write in live mode.',
    )
    expect(tokenIn(refused.text)).toBe('none')
    expect(await tokens()).toHaveLength(1)
  })

  test('a developer cannot rotate a token with scopes outside the developer role, but can revoke that token', async () => {
    const path = `/dashboard/tokens/${shop.tokenId}`
    const page = await developer.get(path)
    expect(page.text).not.toContain('Rotate token')
    expect(page.text).toContain('Only an owner can create or rotate a token with these scopes.')
    const fields = formOf((await developer.get(newToken)).text, newToken)
    const refused = await developer.post(`${path}/rotate`, { ...fields, hours: '0' })
    expect(refused.status).toBe(422)
    expect(await tokens()).toHaveLength(1)
    expect((await developer.submit(`${path}/revoke`, `${path}/revoke`)).status).toBe(303)
    expect(await statusWith(shop.token)).toBe(401)
  })
})

test('the pages of another merchant’s token return 404', async () => {
  const other = await openShop(api().context)
  for (const id of [other.tokenId, 'tok_nothing', '%00']) {
    expect((await owner.get(`/dashboard/tokens/${id}`)).status).toBe(404)
  }
  const path = `/dashboard/tokens/${shop.tokenId}/revoke`
  const fields = formOf((await owner.get(path)).text, path)
  expect((await owner.post(`/dashboard/tokens/${other.tokenId}/revoke`, fields)).status).toBe(404)
  expect(await statusWith(other.token)).toBe(200)
})
