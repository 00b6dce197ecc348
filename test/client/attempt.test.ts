import { beforeEach, describe, expect, test } from 'vitest'
import type { Commerce, CommerceOptions } from '../../src/client/commerce.ts'
import { NoResponseError } from '../../src/client/no-response.ts'
import { type Answer, emptyPage, json, useFakeService } from '../support/fake-service.ts'

/**
 * Tests the timeout of one request attempt. The tests fire the timer themselves, so that no result depends on the speed
 * of the machine.
 */

const service = useFakeService()
let alarms: { readonly delayMs: number; readonly ring: () => void; isOff: boolean }[] = []
beforeEach(() => {
  alarms = []
})

const client = (options: Partial<CommerceOptions> = {}): Commerce => {
  return service.client({
    startTimer: (delayMs, ring) => {
      const alarm = { delayMs, ring, isOff: false }
      alarms.push(alarm)
      return () => {
        alarm.isOff = true
      }
    },
    ...options,
  })
}

const fireTimeout = () => alarms.at(-1)?.ring()
/** A server that sends no response, so that the timeout of the request expires. */
const silent: Answer = () => fireTimeout()
/** A server that sends the headers and the beginning of a body, so that the timeout expires during the body. */
const stuck: Answer = (outgoing) => {
  outgoing.writeHead(200, { 'Content-Type': 'application/json' })
  outgoing.write('{"data":', fireTimeout)
}

const refund = { orderId: 'ord_1', amountKobo: 100, reason: 'damaged' }

describe('a response that times out', () => {
  test.for([
    ['before the headers', silent],
    ['before the end of the body', stuck],
  ] as const)('the client retries a read request whose timeout expires %s', async ([, answer]) => {
    service.answers = [answer, emptyPage]
    expect((await client().GET('/orders')).response.status).toBe(200)
    expect(service.seen).toHaveLength(2)
    expect(service.waits).toHaveLength(1)
  })

  test('a refund whose response times out is retried with its Idempotency-Key', async () => {
    service.answers = [silent, json(201, { id: 'rfd_1' })]
    await client().POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  test('a non-idempotent write whose response times out is not retried', async () => {
    service.answers = [silent, json(200, {})]
    const cancelling = client().POST('/orders/{id}/cancel', {
      params: { path: { id: 'ord_1' } },
      body: { reason: 'customer' },
    })
    await expect(cancelling).rejects.toThrow(NoResponseError)
    await expect(cancelling).rejects.toMatchObject({ cause: { name: 'TimeoutError' } })
    expect(service.seen).toHaveLength(1)
  })
})

test('the client’s request for a page of a list has the same timeout as any other request', async () => {
  service.answers = [silent, emptyPage]
  for await (const order of client().list('/orders')) expect.unreachable(order.id)
  expect(service.seen).toHaveLength(2)
})

describe('the timeout of a request attempt', () => {
  beforeEach(() => {
    service.answers = [json(200, {})]
  })
  const track = (commerce: Commerce, query: { wait?: number }) => {
    return commerce.GET('/logistics/shipments/{id}/track', { params: { path: { id: 'shp_1' }, query } })
  }
  const delaysMs = () => alarms.map(({ delayMs }) => delayMs)

  test('the timeout of a client’s request attempt is 30 seconds by default', async () => {
    await track(client(), {})
    expect(delaysMs()).toEqual([30_000])
  })

  test('the client uses the caller’s timeout for each request attempt', async () => {
    await track(client({ timeoutMs: 2_000 }), {})
    expect(delaysMs()).toEqual([2_000])
  })

  test('the client extends the timeout of a request attempt by the wait that a long poll requests', async () => {
    await track(client(), { wait: 25 })
    expect(delaysMs()).toEqual([55_000])
  })

  test('a client without a timeout for request attempts sets its timer to the longest delay that Node.js supports', async () => {
    await track(client({ timeoutMs: Number.POSITIVE_INFINITY }), {})
    expect(delaysMs()).toEqual([2 ** 31 - 1])
  })
})

test('the client clears the timer of the timeout when the response is complete or the caller aborts', async () => {
  const controller = new AbortController()
  service.answers = [emptyPage, () => controller.abort()]
  const commerce = client()
  await commerce.GET('/orders')
  await expect(commerce.GET('/orders', { signal: controller.signal })).rejects.toThrow(NoResponseError)
  expect(alarms.map(({ isOff }) => isOff)).toEqual([true, true])
})

test('a client’s request to a service that never responds times out (tested with the real clock)', async () => {
  service.answers = [() => undefined]
  const request = service.client({ timeoutMs: 20, maxRetries: 0 }).GET('/orders')
  await expect(request).rejects.toThrow('longer than 20 ms')
})

test('the client sends no request when the caller’s signal was aborted before the call', async () => {
  service.answers = [emptyPage]
  await expect(client().GET('/orders', { signal: AbortSignal.abort() })).rejects.toThrow(NoResponseError)
  expect(service.seen).toEqual([])
})
