import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answered } from '../../src/client/answered.ts'
import { type Commerce, createCommerce } from '../../src/client/commerce.ts'
import { CommerceError } from '../../src/client/error.ts'
import { addressOf } from '../support/api.ts'

type Answer = (outgoing: ServerResponse, incoming: IncomingMessage) => void

interface Seen {
  readonly method: string | undefined
  readonly key: string | undefined
  readonly body: string
}

/** A real server that answers as it is told, one answer a request, and the last again from then on. */
let answers: Answer[] = []
let seen: Seen[] = []
let waits: number[] = []
let commerce: Commerce
let close = async () => {}

beforeEach(async () => {
  ;[answers, seen, waits] = [[], [], []]
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => (body += chunk))
    incoming.on('end', () => {
      const answer = answers[Math.min(seen.length, answers.length - 1)]
      seen.push({ method: incoming.method, key: incoming.headers['idempotency-key']?.toString(), body })
      answer?.(outgoing, incoming)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let keys = 0
  commerce = createCommerce({
    baseUrl: `http://127.0.0.1:${addressOf(server.address()).port}/api/v1`,
    token: 'svc_test_1',
    newKey: () => `key-${++keys}`,
    wait: async (delayMs) => void waits.push(delayMs),
  })
  close = () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
})
afterEach(() => close())

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer => {
  return (outgoing) => {
    const error = { type: 'api_error', code, status, message: 'No.', details: {}, requestId: 'req_1', docUrl: '/docs' }
    outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify({ error }))
  }
}
const busy = refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '2' })
const page: Answer = (outgoing) => {
  const body = { data: [], pagination: { cursor: null, limit: 25, hasMore: false } }
  outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
const cut: Answer = (_, incoming) => incoming.socket.destroy()

const refund = { orderId: 'ord_1', amountKobo: 100, reason: 'damaged' }

describe('what the service says may succeed later', () => {
  test('is sent again after as long as it asks for', async () => {
    answers = [busy, busy, page]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(waits).toEqual([2000, 2000])
  })

  test('is sent again after a growing while where it names none', async () => {
    answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true' }), page]
    answers.splice(0, 1, ...Array<Answer>(3).fill(answers[0] ?? page))
    await commerce.GET('/orders')
    expect(waits.map((delayMs, index) => delayMs >= 250 * 2 ** index && delayMs <= 500 * 2 ** index)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('is given up after four times more, with its answer', async () => {
    answers = [busy]
    const { error } = await commerce.GET('/orders')
    expect(error?.error.code).toBe('service_unavailable')
    expect(seen).toHaveLength(5)
  })

  test('is left to the caller where it takes longer than a minute', async () => {
    answers = [refusal(503, 'service_unavailable', { 'Service-Should-Retry': 'true', 'Retry-After': '3600' })]
    await commerce.GET('/orders')
    expect(seen).toHaveLength(1)
  })
})

test('what it says will not succeed is not sent again', async () => {
  answers = [refusal(409, 'insufficient_stock', { 'Service-Should-Retry': 'false' })]
  await commerce.GET('/orders')
  expect(seen).toHaveLength(1)
})

describe('where a proxy answers in place of the service', () => {
  const badGateway: Answer = (outgoing) => {
    outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')
  }

  test('a read is sent again', async () => {
    answers = [badGateway, page]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
    expect(waits).toHaveLength(1)
  })

  test('a refund is sent again with the same key', async () => {
    answers = [badGateway, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(seen.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  test('a write that could be made twice is not', async () => {
    answers = [badGateway, page]
    await commerce.POST('/orders/{id}/cancel', { params: { path: { id: 'ord_1' } }, body: { reason: 'customer' } })
    expect(seen).toHaveLength(1)
  })

  test('what the service itself says comes first', async () => {
    answers = [refusal(503, 'outcome_unknown', { 'Service-Should-Retry': 'false' }), page]
    await commerce.GET('/orders')
    expect(seen).toHaveLength(1)
  })
})

describe('where no answer comes', () => {
  test('a read is sent again', async () => {
    answers = [cut, page]
    expect((await commerce.GET('/orders')).response.status).toBe(200)
  })

  test('a refund is sent again with the same key and body, because it is made once', async () => {
    answers = [cut, refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    expect(seen).toEqual(Array(2).fill({ method: 'POST', key: 'key-1', body: JSON.stringify(refund) }))
  })

  test('a write that could be made twice is not', async () => {
    answers = [cut, page]
    await expect(
      commerce.POST('/orders/{id}/cancel', { params: { path: { id: 'ord_1' } }, body: { reason: 'customer' } }),
    ).rejects.toThrow('fetch failed')
    expect(seen).toHaveLength(1)
  })
})

describe('Idempotency-Key', () => {
  test('is another for each refund', async () => {
    answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund })
    await commerce.POST('/refunds', { body: refund })
    expect(seen.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  test('is the caller’s own where there is one', async () => {
    answers = [refusal(409, 'refund_exceeds_refundable')]
    await commerce.POST('/refunds', { body: refund, params: { header: { 'Idempotency-Key': 'mine' } } })
    expect(seen.map(({ key }) => key)).toEqual(['mine'])
  })

  test('is not sent where it would be ignored', async () => {
    answers = [page]
    await commerce.GET('/orders')
    expect(seen.map(({ key }) => key)).toEqual([undefined])
  })
})

test('a request that its caller gives up is not sent again', async () => {
  const controller = new AbortController()
  answers = [() => controller.abort(), page]
  await expect(commerce.GET('/orders', { signal: controller.signal })).rejects.toThrow()
  expect(seen).toHaveLength(1)
})

describe('answered()', () => {
  test('throws the refusal with all it tells', async () => {
    answers = [refusal(404, 'order_not_found')]
    const asking = commerce.GET('/orders/{id}', { params: { path: { id: 'ord_1' } } }).then(answered)
    await expect(asking).rejects.toThrow(CommerceError)
    await expect(asking).rejects.toMatchObject({ code: 'order_not_found', status: 404, requestId: 'req_1' })
  })

  test('says so where something else answered than the API', async () => {
    answers = [(outgoing) => outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>')]
    await expect(commerce.GET('/orders').then(answered)).rejects.toThrow('other than the API')
  })

  test.for([
    { error: null },
    { error: 'no' },
    { error: { message: 'no' } },
    {},
  ])('%o is no refusal of the API', (error) => {
    // @ts-expect-error: anybody may stand in between, and the types know of the API alone.
    expect(() => answered({ error })).toThrow('other than the API')
  })
})

describe('a list', () => {
  const walk = async () => {
    for await (const order of commerce.list('/orders')) expect.unreachable(order.id)
  }

  test('that is refused throws what was refused', async () => {
    answers = [refusal(403, 'insufficient_scope')]
    await expect(walk()).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test.for(['<h1>Bad gateway</h1>', ''])('says so where something else answered “%s”', async (text) => {
    answers = [(outgoing) => outgoing.writeHead(502, { 'Content-Type': 'text/html' }).end(text)]
    await expect(walk()).rejects.toThrow('other than the API')
  })

  test('ends where there is no more, whatever the cursor', async () => {
    answers = [
      (outgoing) => {
        const body = { data: [], pagination: { cursor: 'more', limit: 25, hasMore: false } }
        outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      },
      refusal(400, 'invalid_cursor'),
    ]
    await walk()
    expect(seen).toHaveLength(1)
  })
})
