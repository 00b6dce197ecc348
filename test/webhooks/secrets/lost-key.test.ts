import { expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { type RotationRequest, rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { showSigningSecret } from '../../../src/access/show-signing-secret.ts'
import { updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { listSecrets } from '../../../src/store/webhooks/signing-secrets.ts'
import type { CustomHeader } from '../../../src/webhooks/delivery-headers.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'
import { acceptedBy, bothVerifiers } from './verifiers.ts'

const opened = useDatabase()

/** Opens a shop with an endpoint whose signing secret was encrypted with a key that the service has lost. */
async function openShopWithLostKey(headers: readonly CustomHeader[] = []) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(status(200))
  const lost = { ...shop.context, vault: vaultOf([Buffer.alloc(32, 77)]) }
  const request = { url: receiver.url, kinds: ['inventory.low_stock'] as const, headers }
  const created = await createWebhookEndpoint(lost, operator, shop.tenant, request)
  if (created.is !== 'created') throw new Error(`The endpoint was refused: ${created.is}.`)
  const endpoint = { merchantId: shop.merchantId, endpointId: created.id }
  const rotate = async (more: Omit<RotationRequest, 'endpointId'> = {}, context = shop.context) => {
    const outcome = await rotateSigningSecret(context, operator, shop.tenant, { endpointId: created.id, ...more })
    if (outcome.is === 'rotated') trustSecret(receiver.url, outcome.secret)
    return outcome
  }
  return { shop, receiver, endpoint, rotate, lost }
}

test('after a rotation of a signing secret whose encryption key is lost, the deliveries of the endpoint are sent at once', async () => {
  const { shop, receiver, endpoint, rotate } = await openShopWithLostKey()
  await shop.emit()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(0)
  const outcome = await rotate()
  expect(outcome).toMatchObject({ is: 'rotated', previousExpiresAt: null })
  shop.clock.advance(60_000)
  await shop.deliver(endpoint)
  const secret = await showSigningSecret(shop.context, endpoint)
  expect(acceptedBy(only(receiver.received), secret ?? '', shop.clock.nowMs())).toEqual(bothVerifiers)
  expect(await listSecrets(opened().database, endpoint)).toHaveLength(1)
})

test('if the encryption key of the custom headers is lost too, deliveries are sent once the signing secret is rotated and the headers are given again', async () => {
  const { shop, receiver, endpoint, rotate } = await openShopWithLostKey([{ name: 'A', value: 'old' }])
  await shop.emit()
  await rotate()
  await shop.deliver(endpoint)
  expect(receiver.received).toHaveLength(0)
  const change = { endpointId: endpoint.endpointId, headers: { set: [{ name: 'A', value: 'new' }], remove: [] } }
  expect(await updateWebhookEndpoint(shop.context, operator, shop.tenant, change)).toMatchObject({ is: 'updated' })
  shop.clock.advance(60_000)
  await shop.deliver(endpoint)
  expect(only(receiver.received).headers).toMatchObject({ a: 'new' })
})

test('an older signing secret whose encryption key is lost does not prevent a further rotation', async () => {
  const { shop, endpoint, rotate, lost } = await openShopWithLostKey()
  expect(await rotate({}, lost)).toMatchObject({ is: 'rotated' })
  expect(await listSecrets(opened().database, endpoint)).toHaveLength(2)
  expect(await rotate()).toMatchObject({ is: 'rotated', previousExpiresAt: null })
  expect(only(await listSecrets(opened().database, endpoint)).expiresAt).toBeNull()
  expect(await shop.audits('webhook_endpoint.rotate_secret')).toHaveLength(2)
})
