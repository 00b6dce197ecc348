import { expect, test } from 'vitest'
import { classifyResponse } from '../../../src/partners/carriers/classify-response.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { openRawServer } from '../../outbound/raw-server.ts'

test.each([
  ['informational responses without a final status', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9)],
  ['headers of 100 kB', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1e5)}\r\n\r\n`],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
])('a carrier that responds with %s may have created the shipment, so the outcome of the request is unknown', async (_, response) => {
  const server = await openRawServer((socket) => socket.write(response))
  const outcome = await openOutbound()(server.url)
  expect(classifyResponse(outcome)).toMatchObject({ is: 'unknown', cause: 'bad_response' })
})
