import { beforeEach, describe, expect, test } from 'vitest'
import type { Commerce, CommerceOptions } from '../../src/client/commerce.ts'
import { NoAnswerError } from '../../src/client/no-answer.ts'
import { type Answer, emptyPage, json, useScriptedService } from '../support/fake-service.ts'

/** The time that one attempt may take. The alarm rings when a test says so, so nothing here depends on how fast a machine is. */

const service = useScriptedService()
let alarms: { readonly delayMs: number; readonly ring: () => void; isOff: boolean }[] = []
beforeEach(() => {
  alarms = []
})

const client = (options: Partial<CommerceOptions> = {}): Commerce => {
  return service.client({
    setAlarm: (delayMs, ring) => {
      const alarm = { delayMs, ring, isOff: false }
      alarms.push(alarm)
      return () => {
        alarm.isOff = true
      }
    },
    ...options,
  })
}

const ringLast = () => alarms.at(-1)?.ring()
/** Never answers, and the time is over. */
const silent: Answer = () => ringLast()
/** Answers with headers and the beginning of a body, and the time is over. */
const stuck: Answer = (outgoing) => {
  outgoing.writeHead(200, { 'Content-Type': 'application/json' })
  outgoing.write('{"data":', ringLast)
}

const refund = { orderId: 'ord_1', amountKobo: 100, reason: 'damaged' }

describe('an answer that does not come in time is none', () => {
  test.for([
    ['at all', silent],
    ['to its end', stuck],
  ] as const)('%s, and a read is sent again', async ([, answer]) => {
    service.answers = [answer, emptyPage]
    expect((await client().GET('/orders')).response.status).toBe(200)
    expect(service.seen).toHaveLength(2)
    expect(service.waits).toHaveLength(1)
  })

  test('and a refund is sent again with its key', async () => {
    service.answers = [silent, json(201, { id: 'rfd_1' })]
    await client().POST('/refunds', { body: refund })
    expect(service.seen.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  test('and a write that could be made twice is not', async () => {
    service.answers = [silent, json(200, {})]
    const cancelling = client().POST('/orders/{id}/cancel', {
      params: { path: { id: 'ord_1' } },
      body: { reason: 'customer' },
    })
    await expect(cancelling).rejects.toThrow(NoAnswerError)
    await expect(cancelling).rejects.toMatchObject({ cause: { name: 'TimeoutError' } })
    expect(service.seen).toHaveLength(1)
  })
})

test('a page of a list has as long as any other answer', async () => {
  service.answers = [silent, emptyPage]
  for await (const order of client().list('/orders')) expect.unreachable(order.id)
  expect(service.seen).toHaveLength(2)
})

describe('an attempt may take', () => {
  beforeEach(() => {
    service.answers = [json(200, {})]
  })
  const track = (commerce: Commerce, query: { wait?: number }) => {
    return commerce.GET('/logistics/shipments/{id}/track', { params: { path: { id: 'shp_1' }, query } })
  }
  const delaysMs = () => alarms.map(({ delayMs }) => delayMs)

  test('half a minute', async () => {
    await track(client(), {})
    expect(delaysMs()).toEqual([30_000])
  })

  test('as long as it is told', async () => {
    await track(client({ timeoutMs: 2_000 }), {})
    expect(delaysMs()).toEqual([2_000])
  })

  test('longer by what the service is asked to wait', async () => {
    await track(client(), { wait: 25 })
    expect(delaysMs()).toEqual([55_000])
  })

  test('for ever, where a timer can be told so', async () => {
    await track(client({ timeoutMs: Number.POSITIVE_INFINITY }), {})
    expect(delaysMs()).toEqual([2 ** 31 - 1])
  })
})

test('the alarm is off once the answer is there, or the caller has given up', async () => {
  const controller = new AbortController()
  service.answers = [emptyPage, () => controller.abort()]
  const commerce = client()
  await commerce.GET('/orders')
  await expect(commerce.GET('/orders', { signal: controller.signal })).rejects.toThrow(NoAnswerError)
  expect(alarms.map(({ isOff }) => isOff)).toEqual([true, true])
})

test('a service that never answers is given up by the clock', async () => {
  service.answers = [() => undefined]
  const asking = service.client({ timeoutMs: 20, maxRetries: 0 }).GET('/orders')
  await expect(asking).rejects.toThrow('longer than 20 ms')
})

test('what was given up before it was sent is not sent', async () => {
  service.answers = [emptyPage]
  await expect(client().GET('/orders', { signal: AbortSignal.abort() })).rejects.toThrow(NoAnswerError)
  expect(service.seen).toEqual([])
})
