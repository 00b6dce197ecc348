import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { contextOf, vault } from '../../scripts/faults/merchants.ts'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { acceptInvitationAsNewUser } from '../../src/access/members/accept-invitation.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import type { Database } from '../../src/store/core/database.ts'
import { openPaystackServer } from '../partners/payments/paystack-server.ts'
import { type Browser, formOf, openBrowser } from './dashboard.ts'
import { openShop, operator } from './shop.ts'

/** A service that runs in a separate process, and the database of that service. */
interface Used {
  readonly url: string
  readonly database: Database
}

const source = { ip: '127.0.0.1', requestId: null, userAgent: null }
const account = '/dashboard/settings/account'

/**
 * Signs a member in to the dashboard with a password and a TOTP code, which creates a session. Returns each of these
 * secrets with its name.
 */
export async function signInWithEverySecret({ url, database }: Used): Promise<Map<string, string>> {
  const context = contextOf(database)
  const { merchantId } = await openShop(context)
  const email = `${randomUUID()}@example.com`
  const password = `lace and thread ${randomUUID()}`
  const invited = await inviteMember(context, operator, { merchantId, email, name: 'Ada Obi', role: 'owner' })
  if (invited.is !== 'invited') throw new Error(`No invitation: ${invited.is}.`)
  const accepted = await acceptInvitationAsNewUser(context, { token: invited.token, name: 'Ada Obi', password, source })
  if (accepted.is !== 'accepted') throw new Error(`No member: ${accepted.is}.`)
  const browser = openBrowser({ url })
  browser.cookies.set('commerce-session', accepted.sessionToken)
  const { text: page } = await browser.submit(account, `${account}/totp/start`)
  const secret = /<code data-copy>([A-Z2-7]+)<\/code>/.exec(page)?.[1] ?? ''
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await browser.post(`${account}/totp/confirm`, { ...formOf(page, `${account}/totp/confirm`), code: '000000' })
  const form = formOf(page, `${account}/totp/confirm`)
  const confirmed = await browser.post(`${account}/totp/confirm`, { ...form, code })
  const codes = confirmed.text.match(/\b[0-9a-z]{4}(?:-[0-9a-z]{4}){3}\b/g) ?? []
  expect(codes).toHaveLength(10)
  const signIn = (one: Browser, entered: string) =>
    one.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password: entered })
  const wrong = `not ${password}`
  expect((await signIn(openBrowser({ url }), wrong)).status).toBe(422)
  const another = openBrowser({ url })
  await signIn(another, password)
  const cookies = [...browser.cookies, ...another.cookies].map(([name, value]): [string, string] => [value, name])
  expect(cookies.length).toBeGreaterThan(1)
  return new Map([
    ...cookies,
    [email, 'the e-mail address of a member'],
    [password, 'a password'],
    [invited.token, 'the token of an invitation'],
    [secret, 'the secret of an authenticator app'],
    ...codes.map((backupCode): [string, string] => [backupCode, 'a backup code']),
  ])
}

/** Sends two callbacks, one of which is signed with a Paystack key. Returns the key with its name. */
export async function sendPaystackCallbacks({ url, database }: Used): Promise<Map<string, string>> {
  const context = contextOf(database)
  const shop = await openShop(context)
  const key = `sk_live_${randomUUID().replaceAll('-', '')}`
  const connected = await connectProvider({ ...context, vault, isProduction: true }, operator, shop.tenant, {
    ...{ provider: paystack, secretKey: key },
  })
  if (connected.is !== 'connected') throw new Error(`Not connected: ${connected.is}.`)
  const path = `${new URL(url).origin}/callbacks/paystack/${shop.merchantId}`
  const { callback } = await openPaystackServer(key)
  const data = { reference: 'T1', amount: 1_000, currency: 'NGN', channel: 'card', metadata: { orderId: 'none' } }
  const { body, headers } = callback('charge.success', data)
  expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(200)
  expect((await fetch(path, { method: 'POST', headers, body: `${body} ` })).status).toBe(401)
  return new Map([[key, 'the key of Paystack']])
}

/** Sends the bank details of a refund. Returns the account number and the account holder, each with a description. */
export async function sendBankAccount({ url }: Used, token: string, refundId: string): Promise<Map<string, string>> {
  const number = '7391846205'
  const holder = `Holder ${randomUUID()}`
  const response = await fetch(`${url}/api/v1/refunds/${refundId}/bank-details`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ accountNumber: number, bankCode: '058', accountName: holder }),
  })
  // The service rejects the sent bank details, because the refund needs no bank account.
  expect(response.status).toBe(409)
  return new Map([
    [number, 'the number of a bank account'],
    [holder, 'the holder of a bank account'],
  ])
}
