import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { formOf, openBrowser, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { auditRows } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop

beforeEach(async () => {
  shop = await openShop(api().context)
})

const account = '/dashboard/settings/account'

/** After eleven minutes, an action that changes the sign-in asks for a confirmation of identity. */
const longAgoMs = 11 * 60_000

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api().clock.nowMs() })

const path = `${account}/totp/backup-codes`
const codesIn = (page: string) => page.match(/\b[0-9a-z]{4}(?:-[0-9a-z]{4}){3}\b/g) ?? []

/** Sets up an authenticator app. Returns the member and the backup codes that the page shows. */
async function enrol() {
  const member = await signedIn(api(), shop.merchantId, 'viewer')
  const { text } = await member.submit(account, `${account}/totp/start`)
  const secret = /<code data-copy>([A-Z2-7]+)<\/code>/.exec(text)?.[1] ?? ''
  const form = formOf(text, `${account}/totp/confirm`)
  const confirmed = await member.post(`${account}/totp/confirm`, { ...form, code: codeOf(secret) })
  return { member, codes: codesIn(confirmed.text) }
}

async function signInWith({ email, password }: SignedInMember, code: string) {
  const browser = openBrowser(api())
  const asked = await browser.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
  return browser.post('/dashboard/sign-in/code', { ...formOf(asked.text, '/dashboard/sign-in/code'), code })
}

test('ten backup codes are shown once at the set-up; each code signs the user in once, and the account page counts the unused codes', async () => {
  const { member, codes } = await enrol()
  const [code = ''] = codes
  api().clock.advance(1)
  expect(new Set(codes).size).toBe(10)
  const before = (await member.get(account)).text
  expect([before.includes('10 backup codes left'), codesIn(before)]).toEqual([true, []])
  expect((await signInWith(member, code.replaceAll('-', ' ').toUpperCase())).status).toBe(303)
  expect((await signInWith(member, code)).status).toBe(422)
  expect((await member.get(account)).text).toContain('9 backup codes left')
  const entries = await auditRows(api(), shop.merchantId)
  const changes = entries.flatMap(({ changes: fields }) =>
    Object.entries(fields).flatMap(([name, change]) => (name === 'backupCodes' ? [change] : [])),
  )
  expect(changes).toEqual([
    [0, 10],
    [10, 9],
  ])
})

test('a backup code confirms the identity of a user once, and new codes replace the old ones only after a confirmation', async () => {
  const { member, codes } = await enrol()
  const [first = '', second = ''] = codes
  api().clock.advance(longAgoMs)
  const asked = await member.submit(path, path)
  expect(asked.text).toContain('or a backup code.')
  const confirmForm = () => formOf(asked.text, '/dashboard/sign-in/confirm')
  const wrong = await member.post('/dashboard/sign-in/confirm', { ...confirmForm(), password: 'aaaa-bbbb-cccc-dddd' })
  expect([wrong.status, wrong.text.includes('The code is wrong, or was used before.')]).toEqual([422, true])
  const confirmed = await member.post('/dashboard/sign-in/confirm', { ...confirmForm(), password: first })
  expect(confirmed.text).toContain('Your identity is confirmed.')
  const renewed = await member.submit(path, path)
  expect(new Set([...codesIn(renewed.text), ...codes]).size).toBe(20)
  expect((await signInWith(member, second)).status).toBe(422)
  expect((await signInWith(member, codesIn(renewed.text)[0] ?? '')).status).toBe(303)
})

test.each([
  ['in upper case', (code: string) => code.toUpperCase()],
  ['with spaces', (code: string) => ` ${code.replaceAll('-', ' ')} `],
  ['without hyphens', (code: string) => code.replaceAll('-', '').toUpperCase()],
])('a backup code that is typed %s is accepted at sign-in and for a confirmation of identity', async (_how, typed) => {
  const { member, codes } = await enrol()
  const [first = '', second = ''] = codes
  expect((await signInWith(member, typed(first))).status).toBe(303)
  api().clock.advance(longAgoMs)
  const asked = await member.submit(path, path)
  const form = { ...formOf(asked.text, '/dashboard/sign-in/confirm'), password: typed(second) }
  expect((await member.post('/dashboard/sign-in/confirm', form)).text).toContain('Your identity is confirmed.')
})

test('the form for new backup codes creates codes only once when it is submitted twice, and is refused for a user without an authenticator app', async () => {
  const { member } = await enrol()
  const form = { ...formOf((await member.get(path)).text, path), confirmed: 'yes' }
  const replies = [await member.post(path, form), await member.post(path, form)]
  expect(replies.map(({ status }) => status)).toEqual([200, 409])
  expect(codesIn(replies[1]?.text ?? '')).toEqual([])
  const other = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await other.get(account)).text).not.toContain('backup codes')
  const refused = await other.submit(path, path)
  expect([refused.status, refused.text.includes('No authenticator app is set up.')]).toEqual([422, true])
})
