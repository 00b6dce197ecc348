import { beforeEach, describe, expect, test } from 'vitest'
import type { Commerce } from '../../src/client/commerce.ts'
import { CommerceError } from '../../src/client/error.ts'
import { NoResponseError } from '../../src/client/no-response.ts'
import { unwrap } from '../../src/client/unwrap.ts'
import {
  type Answer,
  cutOffBody,
  dropConnection,
  emptyPage,
  html,
  json,
  refusal,
  useFakeService,
} from '../support/fake-service.ts'

const service = useFakeService()
let commerce: Commerce
beforeEach(() => {
  commerce = service.client()
})

const cancel = () => {
  return commerce.POST('/orders/{id}/cancel', { params: { path: { id: 'ord_1' } }, body: { reason: 'customer' } })
}
const busy = refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '2' })
const refund = { orderId: 'ord_1', amountKobo: 100, reason: 'damaged' }

describe('an error that the service marks as retryable', () => {
  test('the client retries a request after a retryable error, once the Retry-After time has passed', async () => {
    service.answers = [busy, busy, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(service.waits).toEqual([2000, 2000])
  })

  test('the client retries a request that exceeded a rate limit, once the Retry-After time has passed', async () => {
    const limited = refusal(429, 'rate_limited', { 'Service-Should-Retry': 'true', 'Retry-After': '3' })
    service.answers = [limited, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(service.waits).toEqual([3000])
  })

  test('the client retries a request with growing delays when its retryable errors have no Retry-After', async () => {
    service.answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true' }), emptyPage]
    service.answers.splice(0, 1, ...Array<Answer>(3).fill(service.answers[0] ?? emptyPage))
    await commerce.GET('/orders')
    expect(service.waits.map((delayMs, index) => delayMs >= 250 * 2 ** index && delayMs <= 500 * 2 ** index)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('the client throws a retryable error after four retries of the request', async () => {
    service.answers = [busy]
    const { error } = await commerce.GET('/orders')
    expect(error?.error.code).toBe('service_unavailable')
    expect(service.seen).toHaveLength(5)
  })

  test('the client throws a retryable error at once when Retry-After is longer than a minute', async () => {
    service.answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '3600' })]
    await commerce.GET('/orders')
    expect(service.seen).toHaveLength(1)
  })
})

test('the client does not retry a request after an error that is not retryable', async () => {
  service.answers = [refusal(409, 'insufficient_stock', { 'Service-Should-Retry': 'false' })]
  await commerce.GET('/orders')
  expect(service.seen).toHaveLength(1)
})

describe('an error response of a proxy', () => {
  const badGateway = html(502, '<h1>Bad gateway</h1>')

  test('the client retries a read request after an error response of a proxy', async () => {
    service.answers = [badGateway, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(service.waits).toHaveLength(1)
  })

  test('the client retries a refund with the same Idempotency-Key after an error response of a proxy', async () => {
    service.answers = [badGateway, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  test('the client does not retry a non-idempotent write after an error response of a proxy', async () => {
    service.answers = [badGateway, emptyPage]
    await expect(cancel()).rejects.toMatchObject({ status: 502, idempotencyKey: undefined })
    expect(service.seen).toHaveLength(1)
  })

  test('the header Service-Should-Retry decides whether the client retries, for any response status', async () => {
    service.answers = [refusal(503, 'outcome_unknown', { 'Service-Should-Retry': 'false' }), emptyPage]
    await commerce.GET('/orders')
    expect(service.seen).toHaveLength(1)
  })
})

describe('a request of the client that gets no response', () => {
  test('the client retries a read request that got no response', async () => {
    service.answers = [dropConnection, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
  })

  test('the client retries a refund request that got no response, with the same Idempotency-Key and body', async () => {
    service.answers = [dropConnection, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen).toEqual(Array(2).fill({ method: 'POST', key: 'key-1', body: JSON.stringify(refund) }))
  })

  test('the client does not retry a non-idempotent write that got no response', async () => {
    service.answers = [dropConnection, emptyPage]
    await expect(cancel()).rejects.toThrow('fetch failed')
    expect(service.seen).toHaveLength(1)
  })
})

describe('a cut-off response', () => {
  test('the client retries a read request whose response was cut off', async () => {
    service.answers = [cutOffBody(200), emptyPage]
    expect((await commerce.GET('/orders')).data).toMatchObject({ data: [] })
    expect(service.waits).toHaveLength(1)
  })

  test('the client retries a refund whose response was cut off, with the same Idempotency-Key and body', async () => {
    service.answers = [cutOffBody(201), json(201, { id: 'rfd_1' })]
    expect(unwrap(await commerce.POST('/refunds', { body: refund }))).toMatchObject({ id: 'rfd_1' })
    expect(service.seen).toEqual(Array(2).fill({ method: 'POST', key: 'key-1', body: JSON.stringify(refund) }))
  })

  test('the client does not retry a non-idempotent write whose response was cut off', async () => {
    service.answers = [cutOffBody(200), emptyPage]
    await expect(cancel()).rejects.toThrow(NoResponseError)
    expect(service.seen).toHaveLength(1)
  })
})

describe('the Idempotency-Key of the client’s requests', () => {
  test('the client sends a new Idempotency-Key for each refund', async () => {
    service.answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  test('the Idempotency-Key can be set by the caller', async () => {
    service.answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund, params: { header: { 'Idempotency-Key': 'mine' } } })
    expect(service.seen.map(({ key }) => key)).toEqual(['mine'])
  })

  test('the client sends no Idempotency-Key to operations that ignore it', async () => {
    service.answers = [emptyPage]
    await commerce.GET('/orders')
    expect(service.seen.map(({ key }) => key)).toEqual([undefined])
  })

  test('the client does not retry a write that got no response if the operation ignores the Idempotency-Key', async () => {
    service.answers = [dropConnection]
    const ignored = commerce.POST('/orders/{id}/cancel', {
      params: { path: { id: 'ord_1' }, header: { 'Idempotency-Key': 'mine' } },
      body: { reason: 'customer' },
    })
    await expect(ignored).rejects.toThrow(NoResponseError)
    expect(service.seen.map(({ key }) => key)).toEqual(['mine'])
  })

  test('the client returns the Idempotency-Key with every result, including a stored reply to a repeated request', async () => {
    service.answers = [refusal(503, 'outcome_unknown', { 'Service-Should-Retry': 'false' })]
    const result = await commerce.POST('/refunds', { body: refund })
    expect(result.response.headers.get('Idempotency-Key')).toBe('key-1')
    expect(() => unwrap(result)).toThrow(expect.objectContaining({ code: 'outcome_unknown', idempotencyKey: 'key-1' }))
  })

  test.for([
    ['no response arrives', dropConnection],
    ['every response is cut off', cutOffBody(201)],
    ['a proxy responds', html(502, 'Bad gateway')],
    ['an HTML page arrives instead of the refund', html(200, 'Welcome')],
  ] as const)('the Idempotency-Key is a property of the error that the client throws when %s', async ([, answer]) => {
    service.answers = [answer]
    await expect(commerce.POST('/refunds', { body: refund })).rejects.toMatchObject({ idempotencyKey: 'key-1' })
    expect(new Set(service.seen.map(({ key }) => key))).toEqual(new Set(['key-1']))
  })

  test('the Idempotency-Key is a property of the error that the client throws when the caller aborts', async () => {
    const controller = new AbortController()
    service.answers = [() => controller.abort(new Error('It took too long.'))]
    const request = commerce.POST('/refunds', { body: refund, signal: controller.signal })
    await expect(request).rejects.toThrow(NoResponseError)
    await expect(request).rejects.toMatchObject({ idempotencyKey: 'key-1', cause: controller.signal.reason })
    expect(service.seen).toHaveLength(1)
  })
})

test('the client does not retry a request that the caller aborted', async () => {
  const controller = new AbortController()
  service.answers = [() => controller.abort(), emptyPage]
  await expect(commerce.GET('/orders', { signal: controller.signal })).rejects.toThrow()
  expect(service.seen).toHaveLength(1)
})

describe('the client’s function answered()', () => {
  test('the client’s answered() throws an error with the fields of the API’s error response', async () => {
    service.answers = [refusal(404, 'order_not_found')]
    const request = commerce.GET('/orders/{id}', { params: { path: { id: 'ord_1' } } }).then(unwrap)
    await expect(request).rejects.toThrow(CommerceError)
    await expect(request).rejects.toMatchObject({ code: 'order_not_found', status: 404, requestId: 'req_1' })
  })
})

describe('the client’s iteration over a list', () => {
  const walk = async () => {
    for await (const order of commerce.list('/orders')) expect.unreachable(order.id)
  }

  test('the client’s list iteration throws the error response of a page', async () => {
    service.answers = [refusal(403, 'insufficient_scope')]
    await expect(walk()).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test.for([
    '<h1>Bad gateway</h1>',
    '',
  ])('the client’s list iteration throws an error for a response that is not a page of the list: “%s”', async (text) => {
    service.answers = [html(502, text)]
    await expect(walk()).rejects.toThrow('other than the API')
  })

  test('the client’s list iteration ends at hasMore: false, regardless of the page’s cursor', async () => {
    service.answers = [
      json(200, { data: [], pagination: { cursor: 'more', limit: 25, hasMore: false } }),
      refusal(400, 'invalid_cursor'),
    ]
    await walk()
    expect(service.seen).toHaveLength(1)
  })

  test('the client’s list iteration ends when its signal is aborted, without requesting another page', async () => {
    const controller = new AbortController()
    const [first, second] = ['ord_1', 'ord_2'].map((id) => ({ id }))
    service.answers = [json(200, { data: [first, second], pagination: { cursor: 'more', limit: 2, hasMore: true } })]
    const ids: string[] = []
    const walk = async () => {
      for await (const { id } of commerce.list('/orders', { signal: controller.signal })) {
        ids.push(id)
        if (ids.length === 2) controller.abort()
      }
    }
    await expect(walk()).rejects.toThrow(NoResponseError)
    expect(ids).toEqual(['ord_1', 'ord_2'])
    expect(service.seen).toHaveLength(1)
  })
})
