import { describe, expect, test } from 'vitest'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { type EndpointChange, updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { type Vault, VaultError, vaultOf } from '../../../src/base/vault.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const kinds = ['inventory.low_stock'] as const

async function openEndpoint(names: readonly string[]) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const headers = names.map((name) => ({ name, value: `${name}-value` }))
  const endpoint = await shop.addEndpoint(receiver.url, kinds, headers)
  const { endpointId } = endpoint
  const update = (change: Omit<EndpointChange, 'endpointId'>, vault: Vault = shop.context.vault) =>
    updateWebhookEndpoint({ ...shop.context, vault }, operator, shop.tenant, { endpointId, ...change })
  const set = (name: string, value: string) => update({ headers: { set: [{ name, value }], remove: [] } })
  const sent = async () => {
    await shop.emit()
    await shop.deliver(endpoint)
    const { headers: got } = receiver.received.at(-1) ?? { headers: {} }
    return Object.fromEntries(Object.entries(got).filter(([name]) => /^[a-g]$/.test(name)))
  }
  return { shop, receiver, endpoint, update, set, sent }
}

const updates = async ({ shop }: Awaited<ReturnType<typeof openEndpoint>>) =>
  (await shop.audits('webhook_endpoint.update')).map(({ changes }) => changes)

describe('changing the custom headers of a webhook endpoint', () => {
  test('one change can add, replace and remove custom headers, and leaves all other headers unchanged', async () => {
    const endpoint = await openEndpoint(['A', 'B', 'C'])
    const headers = { set: ['b', 'D'].map((name) => ({ name, value: 'new' })), remove: ['c'] }
    expect(await endpoint.update({ headers })).toMatchObject({ is: 'updated', headers: ['A', 'b', 'D'] })
    expect(await endpoint.sent()).toEqual({ a: 'A-value', b: 'new', d: 'new' })
    expect(await updates(endpoint)).toEqual([
      {
        headers: [
          ['A', 'B', 'C'],
          ['A', 'b', 'D'],
        ],
        replacedHeaderValues: [null, ['b']],
      },
    ])
  })

  test('changing the description of an endpoint leaves its custom headers unchanged', async () => {
    const endpoint = await openEndpoint(['A'])
    expect(await endpoint.update({ description: 'Back office' })).toMatchObject({ is: 'updated', headers: ['A'] })
    expect(await endpoint.sent()).toEqual({ a: 'A-value' })
    expect(await updates(endpoint)).toEqual([{ description: ['', 'Back office'] }])
  })

  test('removing all custom headers of an endpoint deletes their values', async () => {
    const endpoint = await openEndpoint(['A', 'B'])
    expect(await endpoint.update({ headers: { set: [], remove: ['A', 'B'] } })).toMatchObject({ headers: [] })
    expect(await endpoint.sent()).toEqual({})
    expect(await stored(endpoint.endpoint.endpointId)).toEqual({ sealed_headers: null, header_names: null })
  })

  test('a sixth custom header is rejected, as is the removal of an unknown header, and nothing changes', async () => {
    const endpoint = await openEndpoint(['A', 'B', 'C', 'D', 'E'])
    expect(await endpoint.set('F', 'v')).toEqual({
      is: 'headers_refused',
      reason: 'An endpoint has at most 5 custom headers.',
    })
    expect(await endpoint.update({ headers: { set: [], remove: ['A', 'G'] } })).toMatchObject({ name: 'G' })
    expect(await endpoint.set('X-Key', 'a\r\nb')).toMatchObject({ is: 'headers_refused', name: 'X-Key' })
    expect(await updates(endpoint)).toEqual([])
    expect(Object.keys(await endpoint.sent())).toHaveLength(5)
  })

  test('two concurrent changes of the custom headers both take effect, but never add a sixth header', async () => {
    const endpoint = await openEndpoint(['A', 'B'])
    const both = await Promise.all([endpoint.set('C', 'c'), endpoint.set('D', 'd')])
    expect(both.map(({ is }) => is)).toEqual(['updated', 'updated'])
    const more = await Promise.all([endpoint.set('E', 'e'), endpoint.set('F', 'f')])
    expect(more.map(({ is }) => is).toSorted()).toEqual(['headers_refused', 'updated'])
    const sent = await endpoint.sent()
    expect(sent).toMatchObject({ a: 'A-value', b: 'B-value', c: 'c', d: 'd' })
    expect(Object.keys(sent)).toHaveLength(5)
  })
})

describe('a new URL of a webhook endpoint with custom headers', () => {
  test('a new URL with another host or port is rejected unless the request sets each custom header again or removes it', async () => {
    const endpoint = await openEndpoint(['A', 'B'])
    const other = await openReceiver()
    const { url } = other
    const refused = {
      is: 'headers_refused',
      names: ['A', 'B'],
      part: 'value',
      reason: expect.stringMatching(/another scheme, host or port.*: A, B\.$/),
    }
    expect(await endpoint.update({ url })).toEqual(refused)
    const set = [{ name: 'A', value: 'again' }]
    expect(await endpoint.update({ url, headers: { set, remove: [] } })).toMatchObject({ is: 'headers_refused' })
    expect(await endpoint.update({ url, headers: { set, remove: ['B'] } })).toMatchObject({ is: 'updated' })
    await endpoint.sent()
    expect(only(other.received).headers).toMatchObject({ a: 'again' })
    expect(endpoint.receiver.received).toEqual([])
  })

  test('after a change to another URL of the same host and port, deliveries still have the stored custom headers', async () => {
    const endpoint = await openEndpoint(['A'])
    expect(await endpoint.update({ url: `${endpoint.receiver.url}/v2` })).toMatchObject({ is: 'updated' })
    expect(await endpoint.sent()).toEqual({ a: 'A-value' })
  })
})

describe('the stored custom headers of a webhook endpoint', () => {
  test('the stored custom headers cannot be decrypted for another endpoint', async () => {
    const [one, other] = [await openEndpoint(['A']), await openEndpoint(['A'])]
    await opened().database.pool.query(
      `update webhook_endpoints set sealed_headers = source.sealed_headers
       from webhook_endpoints source where source.id = $1 and webhook_endpoints.id = $2`,
      [one.endpoint.endpointId, other.endpoint.endpointId],
    )
    expect(await other.sent()).toEqual({})
    expect(other.receiver.received).toEqual([])
  })

  test('no delivery is sent while the endpoint’s custom headers cannot be decrypted, and deliveries are sent once the headers are replaced', async () => {
    const endpoint = await openEndpoint(['A', 'B'])
    const { shop } = endpoint
    const { endpointId } = endpoint.endpoint
    const lost = vaultOf([Buffer.alloc(32, 5)])
    await opened().database.pool.query('update webhook_endpoints set sealed_headers = $1 where id = $2', [
      lost.seal('[]', { merchantId: shop.merchantId, purpose: 'webhook_headers', endpointId }),
      endpointId,
    ])
    expect(await endpoint.sent()).toEqual({})
    expect(endpoint.receiver.received).toEqual([])
    const { id } = only(await shop.deliveries())
    expect(only(await shop.attempts(id))).toMatchObject({ outcome: 'aborted', errorCode: 'secret_unreadable' })
    await expect(endpoint.set('A', 'new')).rejects.toThrow(VaultError)
    const headers = { set: [{ name: 'A', value: 'new' }], remove: ['B'] }
    expect(await endpoint.update({ headers })).toMatchObject({ is: 'updated' })
    shop.clock.advance(60_000)
    expect(await endpoint.sent()).toEqual({ a: 'new' })
  })

  test('the secret cache decrypts custom headers once, and returns the new value after a change', async () => {
    const endpoint = await openEndpoint(['A'])
    let opens = 0
    const { vault } = endpoint.shop.context
    const open: Vault['open'] = (...given) => {
      opens += 1
      return vault.open(...given)
    }
    const openSecrets = openSecretCache({ ...vault, open })
    const deliver = async () => {
      await endpoint.shop.emit()
      await endpoint.shop.deliver(endpoint.endpoint, { openSecrets })
      return endpoint.receiver.received.at(-1)?.headers.a
    }
    expect([await deliver(), await deliver(), opens]).toEqual(['A-value', 'A-value', 2])
    await endpoint.set('A', 'new')
    expect([await deliver(), opens]).toEqual(['new', 3])
  })

  test('deleting an endpoint deletes its custom headers', async () => {
    const { shop, endpoint } = await openEndpoint(['A'])
    await deleteWebhookEndpoint(shop.context, operator, shop.tenant, endpoint.endpointId)
    expect(await stored(endpoint.endpointId)).toEqual({ sealed_headers: null, header_names: null })
  })
})

async function stored(endpointId: string): Promise<unknown> {
  const { rows } = await opened().database.pool.query(
    'select sealed_headers, header_names from webhook_endpoints where id = $1',
    [endpointId],
  )
  return rows[0]
}
