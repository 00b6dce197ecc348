import { beforeEach, describe, expect, test } from 'vitest'
import type { Commerce } from '../../src/client/commerce.ts'
import { UnexpectedResponseError } from '../../src/client/unexpected-response.ts'
import { emptyPage, html, json, refusal, useFakeService } from '../support/fake-service.ts'

/**
 * An intermediary such as a proxy may respond instead of the service. The result that the client returns must still
 * match its types.
 */

const service = useFakeService()
let commerce: Commerce
beforeEach(() => {
  commerce = service.client({ maxRetries: 0 })
})

const request = () => commerce.GET('/orders', { params: { query: { customerEmail: 'ada@example.com' } } })

describe('a response that does not come from the API', () => {
  test.for([
    ['a page instead of an error', html(413, '<h1>Request Entity Too Large</h1>'), 413],
    ['a page instead of a record', html(200, '<h1>Welcome to this network</h1>'), 200],
    ['a text instead of a record', json(200, 'Hello.'), 200],
    ['an error without a body', html(502, ''), 502],
    ['an empty body instead of a record', html(200, ''), 200],
    ['an error of null', json(502, { error: null }), 502],
    ['an error that is a text', json(502, { error: 'no' }), 502],
    ['an error without a code', json(502, { error: { message: 'no' } }), 502],
    ['an error of another API', json(502, { error: { code: 'BadGateway', message: 'no' } }), 502],
    ['an unexpected 304', html(304, ''), 304],
  ] as const)('the client throws an error with the response status for %s', async ([, answer, status]) => {
    service.answers = [answer]
    const asked = request()
    await expect(asked).rejects.toThrow(UnexpectedResponseError)
    await expect(asked).rejects.toMatchObject({ status, message: expect.stringContaining('other than the API') })
  })
})

test('the client’s error for an unexpected response contains the start of the response, but no part of the request', async () => {
  service.answers = [html(502, `<h1>Bad gateway</h1>${' '.repeat(1000)}`)]
  const asked = request()
  await expect(asked).rejects.toMatchObject({ text: `<h1>Bad gateway</h1>${' '.repeat(480)}` })
  await expect(asked).rejects.toThrow(/^[^@]*$/)
})

test('the client returns a response of the API unchanged', async () => {
  service.answers = [refusal(404, 'order_not_found', { 'Request-Id': 'req_1' }), emptyPage]
  const { error, response } = await request()
  expect(error?.error).toMatchObject({ code: 'order_not_found', status: 404 })
  expect(response.status).toBe(404)
  expect(response.headers.get('Request-Id')).toBe('req_1')
  expect((await request()).data?.pagination.limit).toBe(25)
})
