import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../../scripts/conformance/client.ts'
import { sendRaw } from '../../../scripts/conformance/raw-request.ts'

/** The raw HTTP client sends the given bytes unchanged and reads every form of response framing. */

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

/** Starts a server that handles each connection with the function `answer` and records the received bytes. */
async function listening(answer: (socket: Socket) => void): Promise<{ url: URL; received: () => string }> {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (received.includes('\r\n\r\n')) answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  return { url: new URL(`http://127.0.0.1:${address.port}`), received: () => received }
}

const request = { method: 'GET', target: '/a', headers: [], body: undefined }

test('the conformance client sends repeated headers, control characters and dot segments unchanged', async () => {
  const { url, received } = await listening((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const client = openClient({ root: new URL('/api', url), tokens: {}, maxRequests: 1, maxSeconds: 10 })
  const rawHeaders = [['X-A', '1'] as const, ['X-A', 'a\u0007b'] as const]
  const asked = { method: 'POST', path: '/b/../c/%2e%2e', body: { name: 'é' }, rawHeaders }
  expect((await client.send(asked)).status).toBe(204)
  expect(received()).toBe(
    `POST /api/b/../c/%2e%2e HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nX-A: 1\r\n` +
      'X-A: a\u0007b\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"name":"\u00c3\u00a9"}',
  )
  expect(client.curl(asked)).toContain("--path-as-is -X POST 'http")
  expect(client.curl(asked)).toContain("-H 'X-A: 1' -H $'X-A: a\\x07b'")
  await expect(client.send(asked)).rejects.toThrow('The limit of 1 requests is reached.')
})

test('the conformance client sends the body in chunks when the headers of the request name a transfer coding', async () => {
  const { url, received } = await listening((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  await sendRaw(url, { ...request, headers: [['Transfer-Encoding', 'gzip, chunked']], body: '{"a":1}' }, 60_000)
  expect(received()).toMatch(/chunked\r\nConnection: close\r\n\r\n7\r\n\{"a":1\}\r\n0\r\n\r\n$/)
})

describe('responses to a raw request', () => {
  test.for([
    ['with a length, before the connection ends', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}', 400, '{}'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n', 200, '{}'],
    ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 501 No\r\nContent-Length: 0\r\n\r\n', 501, ''],
    ['without a body', 'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n', 304, ''],
  ] as const)('the conformance client reads the response to a raw request %s', async ([, bytes, status, text]) => {
    // The server sends one byte at a time, because a response may be split anywhere.
    const { url } = await listening((socket) => {
      socket.setNoDelay(true)
      for (const byte of bytes) socket.write(byte)
    })
    const response = await sendRaw(url, request, 60_000)
    expect({ status: response.status, text: response.text }).toEqual({ status, text })
  })

  test('the conformance client reads a response without a length until the connection closes', async () => {
    const { url } = await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nX-A: b\r\n\r\nabc'))
    const { status, headers, text } = await sendRaw(url, request, 60_000)
    expect({ status, header: headers.get('x-a'), text }).toEqual({ status: 400, header: 'b', text: 'abc' })
  })
})

describe('failures of a raw request', () => {
  test.for([
    ['for a connection that ends without a response', (socket: Socket) => socket.end()],
    ['for a connection that is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['for a response that is not HTTP', (socket: Socket) => socket.end('nonsense\r\n\r\n')],
  ] as const)('a raw request throws a TypeError %s', async ([, answer]) => {
    const { url } = await listening((socket) => void answer(socket))
    await expect(sendRaw(url, request, 60_000)).rejects.toThrow(TypeError)
  })

  test('a raw request throws a TypeError after the timeout', async () => {
    const { url } = await listening(() => undefined)
    await expect(sendRaw(url, request, 50)).rejects.toThrow(TypeError)
  })
})
