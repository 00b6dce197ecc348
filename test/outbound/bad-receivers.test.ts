import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../webhooks/receiver.ts'
import { deadlineMs, farDeadlineMs, openOutbound, roomyDeadlineMs } from './outbound.ts'
import { closed, type OnRequest, ok, openRawServer, type RawServer, trickle } from './raw-server.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'

/** Sends one webhook delivery and waits until the server sees the end of the connection. Returns the outcome. */
async function sendUntilClosed(
  onRequest: OnRequest,
  deadlineOf: (server: RawServer) => { deadlineMs?: number; signal?: AbortSignal } = () => ({}),
) {
  const server = await openRawServer(onRequest)
  const outcome = await openOutbound()(server.url, { deadlineMs: farDeadlineMs, ...deadlineOf(server) })
  await closed(server.sockets[0])
  expect(server.sockets).toHaveLength(1)
  return outcome
}

describe('a receiver that responds too slowly', () => {
  test.each<[string, OnRequest]>([
    ['sends nothing', () => undefined],
    ['stops in the middle of the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nx: ')],
    ['sends its headers byte by byte', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
    ['sends headers endlessly', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n')],
  ])('a webhook delivery attempt times out and closes the connection when the receiver %s', async (_, onRequest) => {
    const outcome = await sendUntilClosed(onRequest, (server) => ({ signal: server.abortAfter(1) }))
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: false })
  })

  /**
   * Sends a request over TLS. Its deadline passes at the moment at which the receiver gets the client's first bytes of
   * the TLS handshake.
   */
  async function sendOverTls(onConnection: (socket: Socket) => void) {
    const deadline = new AbortController()
    const server = await openRawServer(() => undefined, {
      onConnection: (socket) => {
        onConnection(socket)
        socket.once('data', () => deadline.abort())
      },
    })
    const url = `https://127.0.0.1:${server.port}/`
    const outcome = await openOutbound()(url, { deadlineMs: farDeadlineMs, signal: deadline.signal })
    await closed(server.sockets[0])
    return outcome
  }

  test('a webhook delivery attempt times out and closes the connection when the receiver never answers the TLS handshake', async () => {
    const outcome = await sendOverTls(() => undefined)
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  })

  test('a webhook delivery attempt times out and closes the connection when the receiver sends its TLS handshake byte by byte', async () => {
    // The start of a TLS record. Its declared length is so large that the record does not arrive completely within the
    // test.
    const outcome = await sendOverTls((socket) =>
      trickle(socket, Buffer.from([0x16, 0x03, 0x03, 0x3f, 0xff, 0x02]), '\0'),
    )
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  })
})

test('the timer of a webhook delivery attempt does not end the attempt before the deadline', async () => {
  const server = await openRawServer((socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n'))
  const outcome = await openOutbound()(server.url, { deadlineMs })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout' })
  // Timers may fire up to 1 ms early: they count whole milliseconds, and the duration is measured with a different
  // clock.
  expect(outcome.durationMs).toBeGreaterThanOrEqual(deadlineMs - 1)
})

describe('the deadline of ten seconds for a delivery attempt', () => {
  /** Returns the outcome of a request to which the receiver responds after `ms` of simulated time. */
  async function answeredAfter(ms: number) {
    let nowMs = 0
    const receiver = await openReceiver((_, response) => {
      nowMs += ms
      response.end()
    })
    return openOutbound(undefined, { nowMs: () => nowMs })(receiver.url)
  }

  test('a webhook delivery attempt accepts a 200 response after 10.000 s', async () => {
    expect(await answeredAfter(10_000)).toMatchObject({ is: 'answered', status: 200, durationMs: 10_000 })
  })

  test('a webhook delivery attempt times out when the 200 response arrives after 10.001 s', async () => {
    expect(await answeredAfter(10_001)).toMatchObject({ is: 'failed', errorCode: 'timeout', durationMs: 10_001 })
  })

  test('a webhook delivery attempt times out when the response arrives 1 ms after the deadline', async () => {
    const server = await openRawServer((socket) => setTimeout(() => socket.write(ok), deadlineMs + 1))
    expect(await openOutbound()(server.url, { deadlineMs })).toMatchObject({ is: 'failed', errorCode: 'timeout' })
  })
})

describe('a 2xx status before the deadline', () => {
  test.each<[string, OnRequest, RegExp]>([
    ['never arrives', (socket) => socket.write(head), /^$/],
    ['arrives byte by byte', (socket) => trickle(socket, head, 'x'), /^x{3,}$/],
    ['stops in the middle', (socket) => socket.write(`${head}abc`), /^abc$/],
    ['is cut off by a reset', (socket) => socket.write(`${head}abc`, () => socket.resetAndDestroy()), /^(abc)?$/],
    ['ends before its declared length', (socket) => socket.end(`${head}abc`), /^abc$/],
    ['ends with the connection, without a length', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nabc'), /^abc$/],
    [
      'has malformed chunks',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz'),
      /^abc$/,
    ],
  ])('a webhook delivery attempt succeeds with a 2xx status before the deadline when the body %s', async (_, onRequest, body) => {
    const outcome = await sendUntilClosed(onRequest, () => ({ deadlineMs: roomyDeadlineMs }))
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: expect.stringMatching(body) })
    // The response headers arrive at once, and the measured duration ends at their arrival. It does not include the
    // wait for the response body.
    expect(outcome.durationMs).toBeLessThan(roomyDeadlineMs)
  })
})

describe('the response body of a receiver', () => {
  test('a response body of 10 GB is truncated to 4096 characters, and its connection is closed after the first chunks', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'a')
    const onRequest: OnRequest = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
      const writeMore = () => {
        while (socket.writable && socket.write(chunk));
        socket.once('drain', writeMore)
      }
      writeMore()
    }
    const server = await openRawServer(onRequest)
    const outcome = await openOutbound()(server.url)
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: 'a'.repeat(4096) })
    await closed(server.sockets[0])
    // The receiver may send more bytes than the body limit, because the kernel's socket buffers take bytes that the
    // client never reads.
    expect(server.sockets[0]?.bytesWritten).toBeLessThan(16 * 1024 * 1024)
  })

  test('a response body with a decompression bomb is stored without decompressing it', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const receiver = await openReceiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const outcome = await openOutbound()(receiver.url)
    const expected = new TextDecoder().decode(bomb.subarray(0, 4096)).replaceAll('\0', '')
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: expected })
  })

  test('a response body of 60 kB is read to its end, so that the connection can be reused', async () => {
    const sockets = new Set()
    const receiver = await openReceiver((_, response) => {
      sockets.add(response.socket)
      response.end('a'.repeat(60 * 1024))
    })
    const send = openOutbound()
    expect(await send(receiver.url)).toMatchObject({ is: 'answered', body: 'a'.repeat(4096), isReused: false })
    expect(await send(receiver.url)).toMatchObject({ is: 'answered', body: 'a'.repeat(4096), isReused: true })
    expect(sockets.size).toBe(1)
  })
})

describe('an invalid response of a receiver', () => {
  test.each<[string, string, OnRequest]>([
    ['a reset before the headers', 'connection', (socket) => socket.resetAndDestroy()],
    [
      'a reset in the middle of the headers',
      'connection',
      (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
    ],
    ['an end before the headers', 'connection', (socket) => socket.end()],
    ['a response that is not HTTP', 'invalid_response', (socket) => socket.write('nonsense\r\n\r\n')],
    [
      'headers of 100 kB',
      'response_head_too_large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1e5)}\r\n\r\n`),
    ],
    [
      'a switch to another protocol',
      'connection',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    ],
  ])('an outbound request that gets %s fails with %s', async (_, errorCode, onRequest) => {
    expect(await sendUntilClosed(onRequest)).toMatchObject({ is: 'failed', errorCode, isReused: false })
  })

  test('bytes that a receiver sends on an idle connection are not read as the response to the next request', async () => {
    const server = await openRawServer((socket) => socket.write(ok), {})
    const send = openOutbound()
    await send(server.url)
    // If a receiver sends bytes on an idle connection, a client could take these bytes for the response to its next
    // request.
    server.sockets[0]?.write('HTTP/1.1 500 Poisoned\r\ncontent-length: 0\r\n\r\n')
    await closed(server.sockets[0])
    expect(await send(server.url)).toMatchObject({ is: 'answered', status: 200, isReused: false })
  })
})

test.each(['http://169.254.169.254/latest/meta-data', 'here'])('a redirect to %s is not followed', async (location) => {
  const target = await openReceiver()
  const receiver = await openReceiver((_, response) =>
    response.writeHead(307, { location: location === 'here' ? target.url : location }).end(),
  )
  expect(await openOutbound()(receiver.url)).toMatchObject({ is: 'answered', status: 307 })
  expect([receiver.received.length, target.received.length]).toEqual([1, 0])
})

test('the service closes the sockets of a hundred receivers that send byte by byte', async () => {
  const server = await openRawServer((socket) => {
    trickle(socket, head, 'x'.repeat(100))
  })
  const send = openOutbound()
  const signal = server.abortAfter(100)
  await Promise.all(Array.from({ length: 100 }, () => send(server.url, { deadlineMs: farDeadlineMs, signal })))
  expect(server.sockets).toHaveLength(100)
  await Promise.all(server.sockets.map(closed))
})
