import { beforeEach, expect, test } from 'vitest'
import { newToken } from '../../src/access/token-format.ts'
import { type LoadSample, openLoadShedder } from '../../src/http/pipeline/load-shedder.ts'
import { requestLimits } from '../../src/operations/execute/request-limits.ts'
import { answeredFirst } from '../support/answered-first.ts'
import { useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../support/database-locks.ts'
import { openShop, type Shop } from '../support/shop.ts'

let sample: LoadSample = { loopDelayMs: 0, loopUtilization: 0, waiting: 0 }
let adapt = () => {}
const load = openLoadShedder({
  sample: () => sample,
  every: (_ms, run) => {
    adapt = run
    return () => {}
  },
})

const started = useApi({ requestLimits, load })

let shop: Shop
beforeEach(async () => {
  shop = await openShop(started().context)
})

/** Lowers the limit of concurrent requests to two. Most requests are then rejected, and the event loop is late. */
function flood(): void {
  sample = { loopDelayMs: 50, loopUtilization: 1, waiting: 0 }
  for (let second = 0; second < 10; second++) {
    for (let count = 0; count < 10; count++) load.rejects({ importance: 'low', inProgress: 500 })
    adapt()
  }
  expect(load.limit()).toBe(2)
}

test('an overloaded process rejects an excess request with 503, the rate limit headers and Retry-After, and does no other work for the request', async () => {
  const api = started()
  const list = () => api.send('GET', '/api/v1/orders', { token: shop.token })
  const create = () => {
    const body = { title: 'Ankara dress', variants: [{ priceKobo: 100 }] }
    return api.send('POST', '/api/v1/products', { token: shop.token, body })
  }
  const policies = (await list()).headers.get('ratelimit-policy')
  const waiting = whileLocked(api, { text: 'lock table audit_log in share row exclusive mode' }, async () => {
    const accepted = Array.from({ length: 3 }, create)
    await untilWaiting(api, 3)
    flood()
    for (const reply of [await list(), await create()]) {
      expect(reply.status).toBe(503)
      expect(reply.body.error).toMatchObject({ code: 'service_unavailable', retryable: true })
      expect(reply.headers.get('retry-after')).toBe('1')
      expect(reply.headers.get('ratelimit')).not.toBeNull()
    }
    expect((await list()).headers.get('ratelimit-policy')).toBe(policies)
    return accepted
  })
  const replies = await Promise.all(await waiting)
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
  const products = await select(api, `select id from products where merchant_id = '${shop.merchantId}'`)
  expect(products).toHaveLength(3)
  expect((await list()).status).toBe(200)
})

test('if a locked table prevents the token lookup of a request, the request gets 503 after this lookup, without a second lookup', async () => {
  const api = started()
  await whileLocked(api, { text: 'lock table api_tokens in access exclusive mode' }, async () => {
    // The lookup of a token waits three and a half seconds for the lock. Two lookups in a row would take seven seconds.
    const later = select(api, 'select pg_sleep(5)').then(() => 'a second lookup is running')
    const first = await Promise.race([api.send('GET', '/api/v1/orders', { token: newToken('live') }), later])
    expect(first).toMatchObject({ status: 503 })
    await later
  })
})

test('if the token lookup of a request waits for a database connection, the request gets 503 before the connection pool’s own timeout', async () => {
  const token = newToken('live')
  const reply = await answeredFirst(started(), () => started().send('GET', '/api/v1/orders', { token }))
  expect(reply).toMatchObject({ status: 503 })
})

test('a callback that waits for a database connection gets 503 before the connection pool’s own timeout', async () => {
  const url = `${started().url}/callbacks/paystack/${shop.merchantId}`
  expect(await answeredFirst(started(), () => fetch(url, { method: 'POST', body: '{}' }))).toMatchObject({
    status: 503,
  })
})
