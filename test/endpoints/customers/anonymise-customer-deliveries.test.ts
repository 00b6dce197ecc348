import { expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { openPump } from '../../../src/webhooks/pump.ts'
import { useApi, vault } from '../../support/api.ts'
import { createdCustomer, customersPath, orderOf } from '../../support/commerce/customer.ts'
import { select } from '../../support/database-contents.ts'
import { openShop, operator } from '../../support/shop.ts'
import { openReceiver } from '../../webhooks/receiver.ts'

/** The anonymisation of a customer while a worker sends an event about an order of the customer. */

const started = useApi()

const person = { name: 'Zuwena Ityavyar', email: 'zuwena@example.com' }
const policy = { allowsLoopback: true }

test('anonymiseCustomer leaves no personal data in the response of a receiver that has not responded yet, and the event is sent again without it', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const customer = await createdCustomer(api, shop, person)
  const { merchantId } = shop
  const anonymised = Promise.withResolvers<void>()
  const sending = Promise.withResolvers<void>()
  const receiver = await openReceiver(({ rawBody }, response) => {
    sending.resolve()
    void anonymised.promise.then(() => response.writeHead(200).end(rawBody))
  })
  const request = { url: receiver.url, kinds: ['order.created'] as const }
  const endpoint = await createWebhookEndpoint({ ...api.context, policy, vault }, operator, shop.tenant, request)
  if (endpoint.is !== 'created') throw new Error(`The endpoint was refused: ${endpoint.is}.`)
  trustSecret(receiver.url, endpoint.secret)
  await orderOf(api, shop, customer.id, 'delivered')

  const outbound = openSafeFetch(policy)
  const pump = openPump({
    ...{ database: api.database, clock: api.clock, log: silentLog, rules: standardRules, fetch: outbound.fetch },
    openSecrets: openSecretCache(vault),
    workerId: newId('wrk', api.clock.nowMs()),
  })
  const deliver = async () => {
    pump.wake([{ merchantId, endpointId: endpoint.id }])
    await pump.idle()
  }
  const delivered = deliver()
  await sending.promise
  const reply = await api.send('POST', `${customersPath}/${customer.id}/anonymise`, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
  anonymised.resolve()
  await delivered
  await deliver()
  await outbound.close()

  const attempts = await select(
    api,
    'select outcome, response_body as body from webhook_attempts where merchant_id = $1',
    [merchantId],
  )
  expect(attempts).toMatchObject([{ outcome: 'succeeded' }])
  expect(attempts[0]?.body).toContain('Deleted customer')
  expect(attempts[0]?.body).not.toContain(person.name)
  expect(receiver.received.map(({ rawBody }) => rawBody.includes(person.name))).toEqual([true, false])
  expect(await select(api, 'select id from webhook_leases where merchant_id = $1', [merchantId])).toEqual([])
})
