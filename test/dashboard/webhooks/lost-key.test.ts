import { expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import type { CustomHeader } from '../../../src/webhooks/delivery-headers.ts'
import { useApi } from '../../support/api.ts'
import { formOf, openBrowser, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, operator } from '../../support/shop.ts'

const api = useApi()

const url = 'http://127.0.0.1:9/hook'
const kinds = ['order.created'] as const

/** Creates an endpoint whose secrets were encrypted with a key that the service has lost. Returns its page. */
async function openEndpointWithLostKey(
  headers: readonly CustomHeader[] = [],
): Promise<{ readonly owner: SignedInMember; readonly page: string }> {
  const { merchantId, tenant } = await openShop(api().context)
  const lost = { ...api().context, policy: { allowsLoopback: true } as const, vault: vaultOf([Buffer.alloc(32, 77)]) }
  const created = await createWebhookEndpoint(lost, operator, tenant, { url, kinds, headers })
  if (created.is !== 'created') throw new Error(`The endpoint was refused: ${created.is}.`)
  return { owner: await signedIn(api(), merchantId, 'owner'), page: `/dashboard/webhooks/${created.id}` }
}

test.for([
  ['shows the signing secret', '', 'secret', {}],
  ['checks the receiver', '', 'check', {}],
  ['verifies a signature', '/verify', 'verify', { signature: `t=1,v1=${'0'.repeat(64)}`, body: '{}' }],
] as const)('an action that %s of an endpoint whose encryption key is lost advises the member to rotate the secret', async ([
  ,
  form,
  action,
  fields,
]) => {
  const { owner, page } = await openEndpointWithLostKey()
  const reply = await owner.submit(`${page}${form}`, `${page}/${action}`, fields)
  expect(reply.status).toBe(409)
  expect(reply.text).toContain('Rotate the signing secret')
})

test('after a rotation, the dashboard shows the signing secret of an endpoint whose encryption key was lost', async () => {
  const { owner, page } = await openEndpointWithLostKey()
  const rotated = await owner.submit(page, `${page}/rotate`, { graceHours: '24' })
  expect(rotated.text).toContain('No older secret is valid.')
  expect(rotated.text).not.toContain('No delivery is sent yet.')
  const [secret = 'none'] = /whsec_[A-Za-z0-9+/=]+/.exec(rotated.text) ?? []
  const shown = await owner.submit(page, `${page}/secret`)
  expect([shown.status, shown.text.includes(secret)]).toEqual([200, true])
})

const twoHeaders = ['A', 'B'].map((name) => ({ name, value: 'stored' }))

test('an action that opens custom headers whose encryption key is lost advises the member to give their values again', async () => {
  const { owner, page } = await openEndpointWithLostKey(twoHeaders)
  const rotated = await owner.submit(page, `${page}/rotate`, { graceHours: '24' })
  expect(rotated.text).toContain('No delivery is sent yet.')
  const edit = (fields: Readonly<Record<string, string>>) =>
    owner.submit(`${page}/edit`, `${page}/edit`, { url, kinds: [...kinds], ...fields })
  for (const reply of [await owner.submit(page, `${page}/check`), await edit({ headerValue1: 'new' })]) {
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('give the values of the custom headers again')
    expect(reply.text).not.toContain('otate the signing secret')
  }
  expect((await edit({ headerValue1: 'new', headerValue2: 'new' })).status).toBe(303)
  expect((await owner.submit(page, `${page}/check`)).status).toBe(200)
})

test('a sign-in whose authenticator secret cannot be decrypted ends in an unexpected error without advice about signing secrets', async () => {
  const { merchantId } = await openShop(api().context)
  const { memberId, email, password } = await signedIn(api(), merchantId, 'owner')
  const query = "update users set totp_sealed = '\\x00' where id = (select user_id from members where id = $1)"
  await api().database.pool.query(query, [memberId])
  const browser = openBrowser(api())
  const asked = await browser.submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
  const form = formOf(asked.text, '/dashboard/sign-in/code')
  const reply = await browser.post('/dashboard/sign-in/code', { ...form, code: '123456' })
  expect(reply.status).toBe(500)
  expect(reply.text).not.toContain('signing secret')
})
