import { beforeAll, describe, expect, test } from 'vitest'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { sendRaw, useApi } from '../support/api.ts'
import { arrange, statusOf, writes } from '../support/contract/operation.ts'
import { select } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

describe('Idempotency-Key for operations that ignore it', () => {
  const ignoring = writes.filter((id) => idempotencyOf(id) === undefined)
  const values = ['k', '', 'a'.repeat(255), 'a'.repeat(256), 'a'.repeat(4000), 'k\u00e4se', '\u00ff', '"quoted"', '{}']

  test.for(ignoring)('the operation %s ignores any value of Idempotency-Key without an error', async (id) => {
    for (const value of values) {
      const of = await arrange(started(), id, shop)
      const reply = await sendRaw(started(), {
        method: of.method,
        path: of.path,
        headers: {
          Authorization: `Bearer ${of.shop.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': value,
        },
        body: JSON.stringify(of.body),
      })
      expect(reply.status, `${value} ${reply.text}`).toBe(statusOf(id))
      expect(reply.headers.get('idempotency-status')).toBe('ignored')
    }
  })

  test.for(ignoring)('the operation %s runs again when a request repeats its Idempotency-Key', async (id) => {
    const api = started()
    const headers = { 'Idempotency-Key': 'the-same' }
    const send = async () => {
      const of = await arrange(started(), id, shop)
      return of.send({ token: of.shop.token, headers })
    }
    const first = await send()
    const second = await send()
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(await select(api, "select 1 from idempotency_keys where key = 'the-same'")).toEqual([])
  })
})

function idempotencyOf(id: EndpointId): string | undefined {
  const endpoint: Endpoint = endpoints[id]
  return endpoint.idempotency
}
