import type { Socket } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '../webhooks/receiver.ts'
import { openAuthority } from './certificates.ts'
import { farDeadlineMs, openOutbound } from './outbound.ts'
import { closed, ok, openRawServer } from './raw-server.ts'

/** Maximum number of bytes that the kernel's socket buffers hold in addition to the bytes that the client has read. */
const buffersMaxBytes = 16 * 1024 * 1024

const authority = openAuthority()
const systemCertificates = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...systemCertificates, authority.cert]))
afterAll(() => setDefaultCACertificates(systemCertificates))

/** Writes `start`, then `chunk` repeatedly, as fast as the client reads. */
function flood(socket: Socket, start: string, chunk: string): void {
  const bytes = Buffer.from(chunk.repeat(Math.ceil(65_536 / chunk.length)))
  socket.write(start)
  const writeMore = () => {
    while (socket.writable && socket.write(bytes));
    socket.once('drain', writeMore)
  }
  writeMore()
}

const earlyHints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'

const endless: readonly [string, string, string, string][] = [
  ['103 Early Hints', 'too_many_informational_responses', '', earlyHints],
  ['102 Processing', 'too_many_informational_responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['headers', 'response_head_too_large', 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n'],
  ['one header', 'response_head_too_large', 'HTTP/1.1 200 OK\r\nx: ', 'a'],
  ['a reason phrase', 'response_head_too_large', 'HTTP/1.1 200 ', 'a'],
  ['empty lines', 'response_head_too_large', '', '\r\n'],
]

describe('a receiver that sends endless data before its final status', () => {
  test.each(
    endless,
  )('a receiver that endlessly sends %s fails with %s, and its connection is closed', async (_, errorCode, start, chunk) => {
    const server = await openRawServer((socket) => flood(socket, start, chunk))
    const outcome = await openOutbound()(server.url, { deadlineMs: farDeadlineMs })
    expect(outcome).toMatchObject({ is: 'failed', errorCode, isReused: false })
    await closed(server.sockets[0])
    expect(server.sockets).toHaveLength(1)
    expect(server.sockets[0]?.bytesWritten).toBeLessThan(buffersMaxBytes)
  })

  test.each(
    endless,
  )('over TLS, a request to a receiver that endlessly sends %s also fails with %s', async (_, errorCode, start, chunk) => {
    const sockets: Socket[] = []
    const server = createTlsServer(authority.issue('shop.example'), (socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => flood(socket, start, chunk))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const send = openOutbound(undefined, { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    const url = `https://shop.example:${portOf(server.address())}/hook`
    expect(await send(url, { deadlineMs: farDeadlineMs })).toMatchObject({ is: 'failed', errorCode, isReused: false })
  })
})

test('a final response after 8 informational (1xx) responses is accepted, and its connection is reused', async () => {
  const server = await openRawServer((socket) => socket.write(earlyHints.repeat(8) + ok))
  const send = openOutbound()
  expect(await send(server.url)).toMatchObject({ is: 'answered', status: 200, body: 'ok', isReused: false })
  expect(await send(server.url)).toMatchObject({ is: 'answered', status: 200, body: 'ok', isReused: true })
})

test('an outbound request fails after 9 informational (1xx) responses', async () => {
  const server = await openRawServer((socket) => socket.write(earlyHints.repeat(9) + ok))
  const outcome = await openOutbound()(server.url, { deadlineMs: farDeadlineMs })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'too_many_informational_responses' })
})

test('a request fails when its informational responses exceed 64 KiB in total, even if there are fewer than nine', async () => {
  const large = `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(15_000)}\r\n\r\n`
  const server = await openRawServer((socket) => socket.write(large.repeat(5)))
  const outcome = await openOutbound()(server.url, { deadlineMs: farDeadlineMs })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'response_head_too_large' })
})

test('the limits of a response head apply to each request of a reused connection', async () => {
  const large = `HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n${'a'.repeat(60_000)}`
  const server = await openRawServer((socket) => socket.write(large))
  const send = openOutbound()
  for (const isReused of [false, true, true, true]) {
    expect(await send(server.url)).toMatchObject({ is: 'answered', status: 200, isReused })
  }
})

test('a response body with endless chunk extensions is cut off, and the request succeeds with the response’s 200 status', async () => {
  const start = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n1;'
  const server = await openRawServer((socket) => flood(socket, start, 'a'))
  const outcome = await openOutbound()(server.url, { deadlineMs: farDeadlineMs })
  expect(outcome).toMatchObject({ is: 'answered', status: 200, body: 'ok' })
  await closed(server.sockets[0])
  expect(server.sockets[0]?.bytesWritten).toBeLessThan(buffersMaxBytes)
})
