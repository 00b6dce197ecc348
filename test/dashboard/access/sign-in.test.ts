import { beforeEach, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { suspendMerchant } from '../../../src/access/suspend-merchant.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { listTokens } from '../../../src/store/access/tokens.ts'
import { useApi } from '../../support/api.ts'
import { formOf, openBrowser, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop

beforeEach(async () => {
  shop = await openShop(api().context)
})

describe('a browser without a session', () => {
  test('a browser without a session is redirected to the sign-in page, which leads back to the requested page', async () => {
    const browser = openBrowser(api())
    const page = await browser.get('/dashboard/discounts?state=active')
    expect([page.status, page.location]).toEqual([
      303,
      '/dashboard/sign-in?next=%2Fdashboard%2Fdiscounts%3Fstate%3Dactive',
    ])
    expect((await browser.get(page.location ?? '')).text).toContain('value="/dashboard/discounts?state=active"')
  })

  test('a browser without a session is never redirected to a foreign site after sign-in', async () => {
    const browser = openBrowser(api())
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/dashboard//evil',
      'javascript:alert(1)',
    ]) {
      const page = await browser.get(`/dashboard/sign-in?next=${encodeURIComponent(next)}`)
      expect(page.text).toContain('name="next" value="/dashboard"')
    }
  })
})

describe('signing in', () => {
  test('signing in with e-mail and password opens the page that was requested before', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const browser = openBrowser(api())
    const signed = await browser.submit('/dashboard/sign-in?next=/dashboard/discounts', '/dashboard/sign-in', {
      email: member.email.toUpperCase(),
      password: member.password,
    })
    expect([signed.status, signed.location]).toEqual([303, '/dashboard/discounts'])
    const page = await browser.get('/dashboard/discounts')
    expect(page.status).toBe(200)
    expect(page.text).toContain('There are no discounts yet.')
  })

  test('signing in with a wrong password shows the form again, with the e-mail address filled in and the password empty', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const refused = await openBrowser(api()).submit('/dashboard/sign-in', '/dashboard/sign-in', {
      email: member.email,
      password: 'not the password',
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The e-mail or the password is wrong.')
    expect(refused.text).toContain(`value="${member.email}"`)
    expect(refused.text).not.toContain('not the password')
  })

  test('signing in is refused for a form that another site submits', async () => {
    const browser = openBrowser(api())
    await browser.get('/dashboard/sign-in')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const refused = await browser.post('/dashboard/sign-in', { email: 'a@example.com', password: 'x' }, headers)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('The form was sent from another site.')
  })

  test('a sign-out ends the session', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const out = await member.submit('/dashboard/discounts', '/dashboard/sign-out')
    expect([out.status, out.location]).toEqual([303, '/dashboard/sign-in'])
    expect((await member.get('/dashboard/discounts')).status).toBe(303)
  })
})

test.for([
  '127.evil.example',
  'shop.example',
  '0x7f.1.example',
])('signing in over plain HTTP at the domain %s is refused', async (host) => {
  const refused = await openBrowser(api()).post('/dashboard/sign-in', {}, { host })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('Sign-in requires HTTPS.')
})

test('the request that starts a passkey sign-in returns 409 if too many passkey sign-ins are in progress', async () => {
  await select(
    api(),
    `insert into passkey_challenges (token_hash, challenge, network, expires_at)
     select sha256(number::text::bytea), 'challenge', '127.0.0', $1 from generate_series(1, 1000) as number`,
    [toTimestamp(api().clock.nowMs() + 1)],
  )
  const browser = openBrowser(api())
  const { csrf = '' } = formOf((await browser.get('/dashboard/sign-in')).text, '/dashboard/sign-in/passkey')
  const refused = await browser.post('/dashboard/sign-in/passkey/options', { csrf })
  expect(refused.status).toBe(409)
  expect(JSON.parse(refused.text)).toEqual({ message: 'Too many sign-ins were started. Try again in five minutes.' })
  api().clock.advance(1)
})

describe('a NUL character', () => {
  test('a dashboard form with a NUL character is refused', async () => {
    const fields = { email: 'a\0@example.com', password: 'a sentence of words' }
    expect((await openBrowser(api()).submit('/dashboard/sign-in', '/dashboard/sign-in', fields)).status).toBe(400)
  })

  test('a passkey id with a NUL character matches no passkey', async () => {
    const browser = openBrowser(api())
    const form = formOf((await browser.get('/dashboard/sign-in')).text, '/dashboard/sign-in/passkey')
    const options = await browser.post('/dashboard/sign-in/passkey/options', { csrf: form.csrf ?? '' })
    const { challenge } = JSON.parse(options.text)
    const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
    const ids = { id: 'a\0', rawId: 'a\0' }
    const credential = JSON.stringify({ ...ids, type: 'public-key', clientExtensionResults: {}, response })
    const refused = await browser.post('/dashboard/sign-in/passkey', { ...form, challenge, credential })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The passkey is not registered with this service.')
  })

  test.for([
    ['/dashboard/tokens?cursor=%00', 200],
    ['/dashboard/requests?cursor=a%00', 200],
    ['/dashboard/requests?token=%00', 200],
    ['/dashboard/requests?operation=%00&id=%00', 200],
    ['/dashboard/deliveries?event=%00&endpoint=%00', 200],
    ['/dashboard/notifications?cursor=%00', 200],
    ['/dashboard/orders/%00', 404],
  ] as const)('the dashboard URL %s, which contains a NUL character, finds no record', async ([address, status]) => {
    const owner = await signedIn(api(), shop.merchantId, 'owner')
    expect((await owner.get(address)).status).toBe(status)
  })
})

test('a dashboard request with a method other than GET and POST is refused, and the response names the supported methods', async () => {
  const response = await fetch(`${api().url}/dashboard/orders`, { method: 'DELETE' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  expect(await response.text()).toContain('Method not allowed')
})

describe('signing out', () => {
  test('a form on another site can neither sign out a member nor delete the session cookie', async () => {
    // A browser does not send SameSite cookies when a page of another site submits a form.
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const refused = await openBrowser(api()).post('/dashboard/sign-out', {}, headers)
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
  })
})

describe('an expired session', () => {
  test('if the session expires while a form is open, the input of the form is restored after sign-in', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const opened = await member.get('/dashboard/tokens/new')
    expect(opened.status).toBe(200)
    member.cookies.delete('commerce-session')
    const expired = await member.post('/dashboard/tokens/new', {
      name: 'Till <b>one</b>',
      scopes: ['orders:read', 'refunds:read'],
    })
    expect(expired.status).toBe(401)
    expect(expired.text).toContain('Sign in first: the form that you submitted then opens again with your input.')
    const restored = await member.post('/dashboard/sign-in', {
      ...formOf(expired.text, '/dashboard/sign-in'),
      email: member.email,
      password: member.password,
    })
    expect(restored.text).toContain('Your sign-in had expired. Check the form and submit it again.')
    expect(restored.text).toContain('value="Till &lt;b&gt;one&lt;/b&gt;"')
    expect(restored.text.match(/checked/g)).toHaveLength(2)
  })
})

describe('a submitted form', () => {
  test('a dashboard form that was issued to another session is refused', async () => {
    const [one, other] = [
      await signedIn(api(), shop.merchantId, 'owner'),
      await signedIn(api(), shop.merchantId, 'owner'),
    ]
    const form = formOf((await other.get('/dashboard/tokens/new')).text, '/dashboard/tokens/new')
    const refused = await one.post('/dashboard/tokens/new', { ...form, name: 'Till', scopes: 'orders:read' })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('The form belongs to another session.')
  })

  test('a dashboard form that is submitted twice performs its action once', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const form = formOf((await member.get('/dashboard/tokens/new')).text, '/dashboard/tokens/new')
    const sent = { ...form, name: 'Till', scopes: ['orders:read'] }
    const statuses = (await Promise.all([1, 2, 3].map(() => member.post('/dashboard/tokens/new', sent)))).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 409, 409])
    expect((await member.get('/dashboard/tokens')).text.match(/>Till</g)).toHaveLength(1)
  })
})

describe('a form of one merchant after the user switched to a second merchant in another tab', () => {
  const newToken = '/dashboard/tokens/new'
  const switchTo = (member: SignedInMember, merchant: string) =>
    member.submit('/dashboard/tokens', '/dashboard/select-merchant', { merchant })
  const tokensOf = (merchantId: MerchantId) => listTokens(api().database, { merchantId, limit: 10 })
  const filledIn = { name: 'Till', scopes: 'orders:read' }
  const signInWith = (member: SignedInMember, page: string) => {
    const { email, password } = member
    return member.post('/dashboard/sign-in', { ...formOf(page, '/dashboard/sign-in'), email, password })
  }

  test('after a switch to another merchant, a submitted form changes neither merchant, and is shown again for the selected merchant with the entered values', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const form = formOf((await member.get(newToken)).text, newToken)
    await switchTo(member, shop.testMerchantId)
    const shown = await member.post(newToken, { ...form, ...filledIn })
    expect(shown.status).toBe(422)
    expect(shown.text).toContain('It now applies to Adire Lagos in test mode: check the form and submit it again.')
    expect(shown.text).toContain('value="Till"')
    expect(await tokensOf(shop.testMerchantId)).toEqual([])
    const submitted = await member.post(newToken, { ...formOf(shown.text, newToken), ...filledIn })
    expect(submitted.text).toContain('svc_test_')
    expect(await tokensOf(shop.merchantId)).toHaveLength(1)
  })

  test('a form that was opened in test mode is restored in test mode after sign-in', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    await switchTo(member, shop.testMerchantId)
    const form = formOf((await member.get(newToken)).text, newToken)
    member.cookies.delete('commerce-session')
    const expired = await member.post(newToken, { ...form, ...filledIn })
    const restored = await signInWith(member, expired.text)
    expect(restored.text).toContain('Your sign-in had expired.')
    expect(restored.text).toContain('Switch to live mode')
    const submitted = await member.post(newToken, { ...formOf(restored.text, newToken), ...filledIn })
    expect(submitted.text).toContain('svc_test_')
  })

  test('after the sign-in, the form of an inaccessible merchant is shown for the user’s own merchant, and a notice names the user’s merchant', async () => {
    const [member, other] = [await signedIn(api(), shop.merchantId, 'owner'), await openShop(api().context)]
    const form = formOf((await member.get(newToken)).text, newToken)
    member.cookies.delete('commerce-session')
    const expired = await member.post(newToken, { ...form, ...filledIn, tenant: other.merchantId })
    const restored = await signInWith(member, expired.text)
    expect(restored.text).toContain('It now applies to Adire Lagos in live mode: check the form and submit it again.')
    expect(await tokensOf(other.merchantId)).toHaveLength(1)
  })
})

test('the owner of a suspended merchant cannot change records, but can still change the password', async () => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const created = await owner.get('/dashboard/tokens/new')
  await suspendMerchant(api().context, operator, { merchantId: shop.merchantId, reason: 'unpaid' })
  const filledIn = { ...formOf(created.text, '/dashboard/tokens/new'), name: 'Till', scopes: 'orders:read' }
  const refused = await owner.post('/dashboard/tokens/new', filledIn)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('The account of the shop is suspended.')
  expect(await listTokens(api().database, { merchantId: shop.merchantId, limit: 10 })).toHaveLength(1)
  const account = '/dashboard/settings/account'
  const change = { currentPassword: owner.password, newPassword: 'another sentence of words' }
  expect((await owner.submit(account, `${account}/password`, change)).status).toBe(303)
})

test('a member with the viewer role can neither open nor submit a page that the role does not allow', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await viewer.get('/dashboard/tokens/new')).status).toBe(403)
  const { csrf = '' } = formOf((await viewer.get('/dashboard/discounts')).text, '/dashboard/sign-out')
  const sent = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', name: 'Till', scopes: 'orders:read' }
  expect((await viewer.post('/dashboard/tokens/new', sent)).status).toBe(403)
})

test('the browser may cache a response to a submitted form only if the response shows no secret, and the sign-out clears this cache', async () => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const path = '/dashboard/tokens/new'
  const form = await owner.get(path)
  expect(form.headers['cache-control']).toBe('no-store')
  const invalid = await owner.submit(path, path, { name: 'Till', scopes: [] })
  expect([invalid.status, invalid.headers['cache-control']]).toEqual([422, 'private, no-cache'])
  const revealed = await owner.submit(path, path, { name: 'Till', scopes: 'orders:read', days: '90' })
  expect(revealed.text).toMatch(/svc_live_/)
  expect(revealed.headers['cache-control']).toBe('no-store')
  // The dashboard's script stores pages with this attribute in the browser's session storage.
  expect([form, invalid, revealed].map(({ text }) => text.includes(' data-answer'))).toEqual([false, true, false])
  const signedOut = await owner.submit('/dashboard', '/dashboard/sign-out')
  expect(signedOut.headers['clear-site-data']).toBe('"cache"')
})

test.for([
  ['/products/prod_1/archive', '/products/prod_1'],
  ['/members/invitations/inv_1/revoke', '/members'],
  ['/orders/export', '/orders'],
  ['/settings/account/password', '/settings/account'],
  ['/sign-in/confirm', ''],
] as const)('a GET of the path %s, which only receives a submitted form, redirects to the page “/dashboard%s”', async ([
  path,
  page,
]) => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const reply = await owner.get(`/dashboard${path}`)
  expect([reply.status, reply.location]).toEqual([303, `/dashboard${page}`])
})

test('the headers of dashboard pages forbid inline scripts, embedding in frames, requests to other hosts, and caching', async () => {
  const page = await openBrowser(api()).get('/dashboard/sign-in')
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style| style=| on\w+=/)
})
