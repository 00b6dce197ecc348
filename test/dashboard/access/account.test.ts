import { Secret, TOTP } from 'otpauth'
import { decodeQR } from 'qr/decode.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { openAuthenticator } from '../../access/members/authenticator.ts'
import { useApi } from '../../support/api.ts'
import { type Browser, formOf, openBrowser, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop

beforeEach(async () => {
  shop = await openShop(api().context)
})

const account = '/dashboard/settings/account'
const newPassword = 'another sentence of words'

async function signInAgain({ email, password }: Pick<SignedInMember, 'email' | 'password'>): Promise<Browser> {
  const browser = openBrowser(api())
  const reply = await browser.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
  expect(reply.status).toBe(303)
  return browser
}

const isSignedIn = async (browser: Browser) => (await browser.get(account)).status === 200

/** A time longer than the ten minutes for which the dashboard accepts a sign-in as recent. */
const longAgoMs = 11 * 60_000

describe('a change of the password', () => {
  const change = (browser: Browser, fields: Record<string, string>) =>
    browser.submit(account, `${account}/password`, fields)

  test('a change of the password gives the browser a new session cookie and signs out all other browsers', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const other = await signInAgain(member)
    const before = member.cookies.get('commerce-session')
    const changed = await change(member, { currentPassword: member.password, newPassword })
    expect([changed.status, changed.location]).toEqual([303, `${account}?done=settings.account.password`])
    expect((await member.get(changed.location ?? '')).text).toContain('The password is changed.')
    expect(member.cookies.get('commerce-session')).not.toBe(before)
    expect(await isSignedIn(other)).toBe(false)
    await signInAgain({ email: member.email, password: newPassword })
  })

  test.for([
    ['the wrong current password', { currentPassword: 'not the password', newPassword }, 'The password is wrong.'],
    [
      'a short password',
      { currentPassword: 'a sentence of words', newPassword: 'short' },
      'Use at least 12 characters.',
    ],
    ['no new password', { currentPassword: 'a sentence of words' }, 'Fill in this field.'],
  ] as const)('the password does not change if the form has %s', async ([, fields, message]) => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const other = await signInAgain(member)
    const refused = await change(member, fields)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(message)
    expect(refused.text).not.toContain('not the password')
    expect(await isSignedIn(other)).toBe(true)
    await signInAgain(member)
  })

  test('a change of the password requires a recent sign-in, and the page that asks to confirm the identity does not contain the entered passwords', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    api().clock.advance(longAgoMs)
    const asked = await change(member, { currentPassword: member.password, newPassword })
    expect(asked.status).toBe(403)
    expect(asked.text).toContain('Confirm that it is you')
    expect(asked.text).not.toContain(newPassword)
    expect(asked.text).not.toContain(member.password)
    await signInAgain(member)
  })
})

describe('an authenticator app', () => {
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api().clock.nowMs() })

  /** Starts the set-up of a member's authenticator app. Returns the page and the secret that it shows. */
  async function start(member: Browser): Promise<{ readonly secret: string; readonly page: string }> {
    const { status, text } = await member.submit(account, `${account}/totp/start`)
    expect(status).toBe(200)
    return { secret: /<code data-copy>([A-Z2-7]+)<\/code>/.exec(text)?.[1] ?? '', page: text }
  }

  const confirm = (member: Browser, page: string, code: string) =>
    member.post(`${account}/totp/confirm`, { ...formOf(page, `${account}/totp/confirm`), code })

  test('an authenticator app is set up with a code; then a sign-in requires a code, and each code is accepted once', async () => {
    const member = await signedIn(api(), shop.merchantId, 'owner')
    const { secret, page } = await start(member)
    expect(page).toMatch(/<svg class="qr"[^>]*><rect[^>]*\/><path fill="#000" d="M[^"]*"\/><\/svg>/)
    const confirmed = await confirm(member, page, codeOf(secret))
    expect(confirmed.text).toContain('The authenticator app is set up. The next sign-in requires a code.')
    api().clock.advance(60_000)
    const browser = openBrowser(api())
    const { email, password } = member
    const asked = await browser.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
    expect(asked.text).toContain('Enter your code')
    const sent = formOf(asked.text, '/dashboard/sign-in/code')
    const code = codeOf(secret)
    expect((await browser.post('/dashboard/sign-in/code', { ...sent, code })).status).toBe(303)
    const second = openBrowser(api())
    const again = await second.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
    const reused = await second.post('/dashboard/sign-in/code', {
      ...formOf(again.text, '/dashboard/sign-in/code'),
      code,
    })
    expect(reused.status).toBe(422)
    expect(reused.text).toContain('The code is wrong, or was used before.')
  })

  test('the QR code of an authenticator app contains the secret that the page shows', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const { secret, page } = await start(member)
    const uri = new URL(decodeQR(pictureOf(page)))
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret])
  })

  test('an authenticator app is not set up by a wrong code', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const { page } = await start(member)
    const refused = await confirm(member, page, '000000')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The code is wrong.')
    await signInAgain(member)
  })

  test('a code is refused if the user has not started the set-up of an authenticator app', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const form = formOf((await member.get(account)).text, `${account}/password`)
    const refused = await member.post(`${account}/totp/confirm`, { ...form, code: '123456' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('No set-up of an authenticator app is in progress.')
  })

  test('after an authenticator app is removed, a sign-in requires only the password', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const { secret, page } = await start(member)
    await confirm(member, page, codeOf(secret))
    const asked = await member.get(`${account}/totp/remove`)
    expect(asked.text).toContain('your password alone signs you in, and the backup codes no longer work.')
    expect(asked.text).not.toContain('A passkey still signs you in')
    const removed = await member.submit(`${account}/totp/remove`, `${account}/totp/remove`)
    expect(removed.location).toBe(`${account}?done=settings.account.totp.remove`)
    expect(await isSignedIn(await signInAgain(member))).toBe(true)
    const refused = await member.submit(`${account}/totp/remove`, `${account}/totp/remove`)
    expect(refused.text).toContain('No authenticator app is set up.')
  })
})

/** Draws the QR code of a page as an RGBA image, in place of the image that a camera captures. */
function pictureOf(page: string) {
  const pixels = 4
  const size = Number(/viewBox="0 0 (\d+)/.exec(page)?.[1]) * pixels
  const data = new Uint8Array(size * size * 4).fill(255)
  for (const [, x, y] of page.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < pixels; row++) {
      const start = ((Number(y) * pixels + row) * size + Number(x) * pixels) * 4
      for (let pixel = 0; pixel < pixels; pixel++) data.fill(0, start + pixel * 4, start + pixel * 4 + 3)
    }
  }
  return { width: size, height: size, data }
}

test.for([
  ['password', { currentPassword: 'a sentence of words', newPassword }],
  ['totp/start', {}],
  ['totp/confirm', { code: '123456' }],
  ['totp/remove', {}],
  ['totp/backup-codes', {}],
  ['passkeys/start', {}],
  ['passkeys', { name: 'Phone', challenge: 'x', credential: '{}' }],
  ['passkeys/x/remove', {}],
  ['sessions/ses_01jd3f8q6hf5n8v1zr4c7e2m9k/revoke', {}],
  ['sessions/revoke-others', {}],
] as const)('the account action %s requires a confirmation of identity if the sign-in was over ten minutes ago', async ([
  path,
  fields,
]) => {
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const form = formOf((await member.get(account)).text, `${account}/password`)
  api().clock.advance(longAgoMs)
  const asked = await member.post(`${account}/${path}`, { ...form, ...fields })
  expect(asked.status).toBe(403)
  expect(asked.text).toContain('Confirm that it is you')
})

describe('a passkey', () => {
  /** Uses the host name localhost, because browsers create passkeys for localhost but not for an IP address. */
  const byName = (member: SignedInMember) => {
    const url = api().url.replace('127.0.0.1', 'localhost')
    const browser = openBrowser({ url })
    browser.cookies.set('commerce-session', member.cookies.get('commerce-session') ?? '')
    return { browser, authenticator: openAuthenticator(url) }
  }

  async function register({ browser, authenticator }: ReturnType<typeof byName>, name: string) {
    const form = formOf((await browser.get(`${account}/passkeys`)).text, `${account}/passkeys`)
    const { text } = await browser.post(`${account}/passkeys/options`, { csrf: form.csrf ?? '' })
    const { options, challenge } = JSON.parse(text)
    const credential = JSON.stringify(authenticator.create(options.challenge))
    return browser.post(`${account}/passkeys`, { ...form, challenge, credential, name })
  }

  async function signInWith(authenticator: ReturnType<typeof openAuthenticator>) {
    const browser = openBrowser({ url: api().url.replace('127.0.0.1', 'localhost') })
    const form = formOf((await browser.get('/dashboard/sign-in')).text, '/dashboard/sign-in/passkey')
    const { text } = await browser.post('/dashboard/sign-in/passkey/options', { csrf: form.csrf ?? '' })
    const { options, challenge } = JSON.parse(text)
    const credential = JSON.stringify(authenticator.get(options.challenge))
    return browser.post('/dashboard/sign-in/passkey', { ...form, challenge, credential })
  }

  test('a passkey can be registered, is listed, can be used to sign in and can be removed', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const opened = byName(member)
    const { browser, authenticator } = opened
    expect((await register(opened, 'Ada’s <phone>')).location).toBe(`${account}?done=settings.account.passkeys`)
    expect((await browser.get(account)).text).toContain('Ada’s &lt;phone&gt;')
    const { text } = await browser.get(`${account}/totp/remove`)
    expect(text).toContain('A passkey still signs you in without the password.')
    expect((await signInWith(authenticator)).location).toBe('/dashboard')
    const path = `${account}/passkeys/${authenticator.credentialId}/remove`
    expect((await browser.submit(path, path)).location).toBe(`${account}?done=settings.account.passkeys.id.remove`)
    expect((await browser.get(account)).text).toContain('You have no passkeys.')
    expect((await browser.get(path)).status).toBe(404)
    expect((await signInWith(authenticator)).status).toBe(422)
  })

  test('a passkey registration without the response of an authenticator is refused', async () => {
    const { browser } = byName(await signedIn(api(), shop.merchantId, 'viewer'))
    const refused = await browser.submit(`${account}/passkeys`, `${account}/passkeys`, { name: 'Phone' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The request for the passkey has expired.')
  })

  test('a passkey of another user cannot be removed', async () => {
    const owner = byName(await signedIn(api(), shop.merchantId, 'owner'))
    await register(owner, 'Phone')
    const other = await signedIn(api(), shop.merchantId, 'owner')
    const path = `${account}/passkeys/${owner.authenticator.credentialId}/remove`
    const form = formOf((await other.get(account)).text, `${account}/password`)
    expect((await other.post(path, form)).status).toBe(404)
    expect((await owner.browser.get(account)).text).toContain('Phone')
  })

  test('a passkey cannot be added while the dashboard is open at an IP address, and the page links to localhost instead', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const { text } = await member.get(account)
    expect(text).toContain(`href="${api().url.replace('127.0.0.1', 'localhost')}/dashboard/settings/account"`)
    expect(text).not.toContain('Add a passkey')
  })

  test('passkey registration is refused if the last sign-in is not recent', async () => {
    const { browser } = byName(await signedIn(api(), shop.merchantId, 'viewer'))
    const { csrf = '' } = formOf((await browser.get(account)).text, `${account}/password`)
    api().clock.advance(longAgoMs)
    const answer = await browser.post(`${account}/passkeys/options`, { csrf })
    expect(answer.status).toBe(409)
    expect(JSON.parse(answer.text).message).toContain('Reload the page and confirm that it is you.')
    expect((await browser.get(`${account}/passkeys`)).text).toContain('First, confirm that it is you.')
  })

  test('passkey registration is refused for a form that was issued to another session', async () => {
    const { browser } = byName(await signedIn(api(), shop.merchantId, 'viewer'))
    expect((await browser.post(`${account}/passkeys/options`, { csrf: 'x' })).status).toBe(403)
  })
})

describe('signed-in browsers', () => {
  const revocationsIn = (page: string) =>
    [...page.matchAll(/action="([^"]+\/sessions\/ses_[^"]+)"/g)].map(([, path = '']) => path)

  test('the list of signed-in browsers marks the current browser, and each other browser can be signed out', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const [one, two] = [await signInAgain(member), await signInAgain(member)]
    const { text } = await member.get(account)
    expect(text.match(/this browser/g)).toHaveLength(1)
    expect(text.match(/data-title="Last seen">now</g)).toHaveLength(1)
    const paths = revocationsIn(text)
    expect(paths).toHaveLength(2)
    const [path = ''] = paths
    const revoked = await member.post(path, formOf(text, path))
    expect(revoked.location).toBe(`${account}?done=settings.account.sessions.id.revoke`)
    expect([await isSignedIn(one), await isSignedIn(two)].sort()).toEqual([false, true])
    const repeated = await member.post(path, formOf((await member.get(account)).text, `${account}/password`))
    expect(repeated.status).toBe(404)
  })

  test('all signed-in browsers except the current one can be signed out at once', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const others = [await signInAgain(member), await signInAgain(member)]
    const revoked = await member.submit(account, `${account}/sessions/revoke-others`)
    expect(revoked.status).toBe(303)
    expect([...(await Promise.all(others.map(isSignedIn))), await isSignedIn(member)]).toEqual([false, false, true])
  })

  test('a user cannot sign out the signed-in browsers of another user', async () => {
    const [one, other] = [
      await signedIn(api(), shop.merchantId, 'owner'),
      await signedIn(api(), shop.merchantId, 'owner'),
    ]
    await signInAgain(other)
    const [path = ''] = revocationsIn((await other.get(account)).text)
    const refused = await one.post(path, formOf((await one.get(account)).text, `${account}/password`))
    expect(refused.status).toBe(404)
    expect(revocationsIn((await other.get(account)).text)).toEqual([path])
  })

  test('a member can sign out other browsers only after a recent sign-in', async () => {
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const other = await signInAgain(member)
    const { text } = await member.get(account)
    api().clock.advance(longAgoMs)
    const path = `${account}/sessions/revoke-others`
    const asked = await member.post(path, formOf(text, path))
    expect(asked.status).toBe(403)
    expect(await isSignedIn(other)).toBe(true)
    const confirmed = await member.post('/dashboard/sign-in/confirm', {
      ...formOf(asked.text, '/dashboard/sign-in/confirm'),
      password: member.password,
    })
    expect(confirmed.text).toContain('Your identity is confirmed. Submit the form again.')
    expect((await member.post(path, formOf(confirmed.text, path))).status).toBe(303)
    expect(await isSignedIn(other)).toBe(false)
  })
})
