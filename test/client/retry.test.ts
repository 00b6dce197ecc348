import { beforeEach, describe, expect, test } from 'vitest'
import { answered } from '../../src/client/answered.ts'
import type { Commerce } from '../../src/client/commerce.ts'
import { CommerceError } from '../../src/client/error.ts'
import { NoAnswerError } from '../../src/client/no-answer.ts'
import {
  type Answer,
  brokenOff,
  cut,
  emptyPage,
  html,
  json,
  refusal,
  useScriptedService,
} from '../support/fake-service.ts'

const service = useScriptedService()
let commerce: Commerce
beforeEach(() => {
  commerce = service.client()
})

const cancel = () => {
  return commerce.POST('/orders/{id}/cancel', { params: { path: { id: 'ord_1' } }, body: { reason: 'customer' } })
}
const busy = refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '2' })
const refund = { orderId: 'ord_1', amountKobo: 100, reason: 'damaged' }

describe('what the service says may succeed later', () => {
  test('is sent again after as long as it asks for', async () => {
    service.answers = [busy, busy, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(service.waits).toEqual([2000, 2000])
  })

  test('is sent again after a growing while where it names none', async () => {
    service.answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true' }), emptyPage]
    service.answers.splice(0, 1, ...Array<Answer>(3).fill(service.answers[0] ?? emptyPage))
    await commerce.GET('/orders')
    expect(service.waits.map((delayMs, index) => delayMs >= 250 * 2 ** index && delayMs <= 500 * 2 ** index)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('is given up after four times more, with its answer', async () => {
    service.answers = [busy]
    const { error } = await commerce.GET('/orders')
    expect(error?.error.code).toBe('service_unavailable')
    expect(service.seen).toHaveLength(5)
  })

  test('is left to the caller where it takes longer than a minute', async () => {
    service.answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '3600' })]
    await commerce.GET('/orders')
    expect(service.seen).toHaveLength(1)
  })
})

test('what it says will not succeed is not sent again', async () => {
  service.answers = [refusal(409, 'insufficient_stock', { 'Service-Should-Retry': 'false' })]
  await commerce.GET('/orders')
  expect(service.seen).toHaveLength(1)
})

describe('where a proxy answers in place of the service', () => {
  const badGateway = html(502, '<h1>Bad gateway</h1>')

  test('a read is sent again', async () => {
    service.answers = [badGateway, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(service.waits).toHaveLength(1)
  })

  test('a refund is sent again with the same key', async () => {
    service.answers = [badGateway, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  test('a write that could be made twice is not', async () => {
    service.answers = [badGateway, emptyPage]
    await expect(cancel()).rejects.toMatchObject({ status: 502, idempotencyKey: undefined })
    expect(service.seen).toHaveLength(1)
  })

  test('what the service itself says comes first', async () => {
    service.answers = [refusal(503, 'outcome_unknown', { 'Service-Should-Retry': 'false' }), emptyPage]
    await commerce.GET('/orders')
    expect(service.seen).toHaveLength(1)
  })
})

describe('where no answer comes', () => {
  test('a read is sent again', async () => {
    service.answers = [cut, emptyPage]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
  })

  test('a refund is sent again with the same key and body, because it is made once', async () => {
    service.answers = [cut, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen).toEqual(Array(2).fill({ method: 'POST', key: 'key-1', body: JSON.stringify(refund) }))
  })

  test('a write that could be made twice is not', async () => {
    service.answers = [cut, emptyPage]
    await expect(cancel()).rejects.toThrow('fetch failed')
    expect(service.seen).toHaveLength(1)
  })
})

describe('where an answer breaks off', () => {
  test('a read is sent again', async () => {
    service.answers = [brokenOff(200), emptyPage]
    expect((await commerce.GET('/orders')).data).toMatchObject({ data: [] })
    expect(service.waits).toHaveLength(1)
  })

  test('a refund is sent again with the same key and body', async () => {
    service.answers = [brokenOff(201), json(201, { id: 'rfd_1' })]
    expect(answered(await commerce.POST('/refunds', { body: refund }))).toMatchObject({ id: 'rfd_1' })
    expect(service.seen).toEqual(Array(2).fill({ method: 'POST', key: 'key-1', body: JSON.stringify(refund) }))
  })

  test('a write that could be made twice is not', async () => {
    service.answers = [brokenOff(200), emptyPage]
    await expect(cancel()).rejects.toThrow(NoAnswerError)
    expect(service.seen).toHaveLength(1)
  })
})

describe('Idempotency-Key', () => {
  test('is another for each refund', async () => {
    service.answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    await commerce.POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  test('is the caller’s own where there is one', async () => {
    service.answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund, params: { header: { 'Idempotency-Key': 'mine' } } })
    expect(service.seen.map(({ key }) => key)).toEqual(['mine'])
  })

  test('is not sent where it would be ignored', async () => {
    service.answers = [emptyPage]
    await commerce.GET('/orders')
    expect(service.seen.map(({ key }) => key)).toEqual([undefined])
  })

  test('protects nothing where it is ignored, so the request is not sent again', async () => {
    service.answers = [cut]
    const ignored = commerce.POST('/orders/{id}/cancel', {
      params: { path: { id: 'ord_1' }, header: { 'Idempotency-Key': 'mine' } },
      body: { reason: 'customer' },
    })
    await expect(ignored).rejects.toThrow(NoAnswerError)
    expect(service.seen.map(({ key }) => key)).toEqual(['mine'])
  })

  test('is told with every answer, whether the service repeats it or not', async () => {
    service.answers = [refusal(503, 'outcome_unknown', { 'Service-Should-Retry': 'false' })]
    const result = await commerce.POST('/refunds', { body: refund })
    expect(result.response.headers.get('Idempotency-Key')).toBe('key-1')
    expect(() => answered(result)).toThrow(
      expect.objectContaining({ code: 'outcome_unknown', idempotencyKey: 'key-1' }),
    )
  })

  test.for([
    ['no answer comes', cut],
    ['every answer breaks off', brokenOff(201)],
    ['a proxy answers', html(502, 'Bad gateway')],
    ['a page comes in place of the refund', html(200, 'Welcome')],
  ] as const)('is on what is thrown where %s', async ([, answer]) => {
    service.answers = [answer]
    await expect(commerce.POST('/refunds', { body: refund })).rejects.toMatchObject({ idempotencyKey: 'key-1' })
    expect(new Set(service.seen.map(({ key }) => key))).toEqual(new Set(['key-1']))
  })

  test('is on what is thrown where the caller gives up', async () => {
    const controller = new AbortController()
    service.answers = [() => controller.abort(new Error('It took too long.'))]
    const asking = commerce.POST('/refunds', { body: refund, signal: controller.signal })
    await expect(asking).rejects.toThrow(NoAnswerError)
    await expect(asking).rejects.toMatchObject({ idempotencyKey: 'key-1', cause: controller.signal.reason })
    expect(service.seen).toHaveLength(1)
  })
})

test('a request that its caller gives up is not sent again', async () => {
  const controller = new AbortController()
  service.answers = [() => controller.abort(), emptyPage]
  await expect(commerce.GET('/orders', { signal: controller.signal })).rejects.toThrow()
  expect(service.seen).toHaveLength(1)
})

describe('answered()', () => {
  test('throws the refusal with all it tells', async () => {
    service.answers = [refusal(404, 'order_not_found')]
    const asking = commerce.GET('/orders/{id}', { params: { path: { id: 'ord_1' } } }).then(answered)
    await expect(asking).rejects.toThrow(CommerceError)
    await expect(asking).rejects.toMatchObject({ code: 'order_not_found', status: 404, requestId: 'req_1' })
  })
})

describe('a list', () => {
  const walk = async () => {
    for await (const order of commerce.list('/orders')) expect.unreachable(order.id)
  }

  test('that is refused throws what was refused', async () => {
    service.answers = [refusal(403, 'insufficient_scope')]
    await expect(walk()).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test.for(['<h1>Bad gateway</h1>', ''])('says so where something else answered “%s”', async (text) => {
    service.answers = [html(502, text)]
    await expect(walk()).rejects.toThrow('other than the API')
  })

  test('ends where there is no more, whatever the cursor', async () => {
    service.answers = [
      json(200, { data: [], pagination: { cursor: 'more', limit: 25, hasMore: false } }),
      refusal(400, 'invalid_cursor'),
    ]
    await walk()
    expect(service.seen).toHaveLength(1)
  })

  test('ends with the signal it was given, without another page', async () => {
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
    await expect(walk()).rejects.toThrow(NoAnswerError)
    expect(ids).toEqual(['ord_1', 'ord_2'])
    expect(service.seen).toHaveLength(1)
  })
})
