import { expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openShop, operator } from '../../support/shop.ts'

const api = useApi()

/** Creates an endpoint whose signing secret was encrypted with a key that the service has lost. Returns its page. */
async function openEndpointWithLostKey(): Promise<{ readonly owner: SignedInMember; readonly page: string }> {
  const { merchantId, tenant } = await openShop(api().context)
  const lost = { ...api().context, policy: { allowsLoopback: true } as const, vault: vaultOf([Buffer.alloc(32, 77)]) }
  const request = { url: 'http://127.0.0.1:9/hook', kinds: ['order.created'] as const }
  const created = await createWebhookEndpoint(lost, operator, tenant, request)
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
  const [secret = 'none'] = /whsec_[A-Za-z0-9+/=]+/.exec(rotated.text) ?? []
  const shown = await owner.submit(page, `${page}/secret`)
  expect([shown.status, shown.text.includes(secret)]).toEqual([200, true])
})
