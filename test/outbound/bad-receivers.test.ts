import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../webhooks/receiver.ts'
import { deadlineMs, farDeadlineMs, openOutbound, roomyDeadlineMs } from './outbound.ts'
import { closed, type OnRequest, ok, openRawServer, type RawServer, trickle } from './raw-server.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'

const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'

/** Sends one delivery, and waits until the server has seen its connection end. */
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

describe('what never answers is a timeout, and its connection is closed', () => {
  test.each<[string, OnRequest]>([
    ['says nothing', () => undefined],
    ['stops within the head', (socket) => socket.write('HTTP/1.1 200 OK\r\nx: ')],
    ['writes its head byte by byte', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
    ['writes headers for ever', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n')],
    ['sends early hints for ever', (socket) => trickle(socket, hints, hints)],
    ['is processing for ever', (socket) => trickle(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ])('a receiver that %s', async (_, onRequest) => {
    const outcome = await sendUntilClosed(onRequest, (server) => ({ signal: server.giveUpAfter(1) }))
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: false })
  })

  /** Its deadline passes once the receiver holds the client's part of the handshake. */
  async function shakeHands(onConnection: (socket: Socket) => void) {
    const giveUp = new AbortController()
    const server = await openRawServer(() => undefined, {
      onConnection: (socket) => {
        onConnection(socket)
        socket.once('data', () => giveUp.abort())
      },
    })
    const url = `https://127.0.0.1:${server.port}/`
    const outcome = await openOutbound()(url, { deadlineMs: farDeadlineMs, signal: giveUp.signal })
    await closed(server.sockets[0])
    return outcome
  }

  test('a receiver that takes a connection and never shakes hands', async () => {
    const outcome = await shakeHands(() => undefined)
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  })

  test('a receiver that shakes hands byte by byte', async () => {
    // The beginning of a record of TLS, long enough to last.
    const outcome = await shakeHands((socket) =>
      trickle(socket, Buffer.from([0x16, 0x03, 0x03, 0x3f, 0xff, 0x02]), '\0'),
    )
    expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  })
})

test('ends by its own timer, no sooner than the deadline', async () => {
  const server = await openRawServer((socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'x: 1\r\n'))
  const outcome = await openOutbound()(server.url, { deadlineMs })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout' })
  // A timer counts whole milliseconds of another clock, and may come up to one early.
  expect(outcome.durationMs).toBeGreaterThanOrEqual(deadlineMs - 1)
})

describe('the ten seconds', () => {
  /** Answers after this long on the attempt's own clock, which nobody has to wait for. */
  async function answeredAfter(ms: number) {
    let nowMs = 0
    const receiver = await openReceiver((_, response) => {
      nowMs += ms
      response.end()
    })
    return openOutbound(undefined, { nowMs: () => nowMs })(receiver.url)
  }

  test('a 200 after 10.000 s is an answer', async () => {
    expect(await answeredAfter(10_000)).toMatchObject({ is: 'answered', status: 200, durationMs: 10_000 })
  })

  test('a 200 after 10.001 s is a timeout', async () => {
    expect(await answeredAfter(10_001)).toMatchObject({ is: 'failed', errorCode: 'timeout', durationMs: 10_001 })
  })

  test('an answer one tick after the deadline is a timeout', async () => {
    const server = await openRawServer((socket) => setTimeout(() => socket.write(ok), deadlineMs + 1))
    expect(await openOutbound()(server.url, { deadlineMs })).toMatchObject({ is: 'failed', errorCode: 'timeout' })
  })
})

describe('a 2xx in time is a success, whatever becomes of its body', () => {
  test.each<[string, OnRequest, RegExp]>([
    ['never comes', (socket) => socket.write(head), /^$/],
    ['comes byte by byte', (socket) => trickle(socket, head, 'x'), /^x{3,}$/],
    ['stops in the middle', (socket) => socket.write(`${head}abc`), /^abc$/],
    ['breaks in the middle', (socket) => socket.write(`${head}abc`, () => socket.resetAndDestroy()), /^(abc)?$/],
    ['ends too early', (socket) => socket.end(`${head}abc`), /^abc$/],
    ['has no end but the connection’s', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nabc'), /^abc$/],
    [
      'has chunks that are none',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz'),
      /^abc$/,
    ],
  ])('one that %s', async (_, onRequest, body) => {
    const outcome = await sendUntilClosed(onRequest, () => ({ deadlineMs: roomyDeadlineMs }))
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: expect.stringMatching(body) })
    // The head was there at once; how long the body was waited for is not the receiver's answer.
    expect(outcome.durationMs).toBeLessThan(roomyDeadlineMs)
  })
})

describe('a body that is too long', () => {
  test('10 GB are announced, and the connection is closed after the first few pieces', async () => {
    const piece = Buffer.alloc(64 * 1024, 'a')
    const onRequest: OnRequest = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n')
      const more = () => {
        while (socket.writable && socket.write(piece));
        socket.once('drain', more)
      }
      more()
    }
    const server = await openRawServer(onRequest)
    const outcome = await openOutbound()(server.url)
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: 'a'.repeat(4096) })
    await closed(server.sockets[0])
    // What the kernels' buffers between the two hold is written and never read.
    expect(server.sockets[0]?.bytesWritten).toBeLessThan(16 * 1024 * 1024)
  })

  test('a bomb is kept as it came', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const receiver = await openReceiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const outcome = await openOutbound()(receiver.url)
    const expected = new TextDecoder().decode(bomb.subarray(0, 4096)).replaceAll('\0', '')
    expect(outcome).toMatchObject({ is: 'answered', status: 200, body: expected })
  })

  test('one that ends soon is read to its end, so that the connection can be used again', async () => {
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

describe('what breaks or is no answer', () => {
  test.each<[string, string, OnRequest]>([
    ['a reset before the head', 'connection', (socket) => socket.resetAndDestroy()],
    ['a reset within the head', 'connection', (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy())],
    ['an end before the head', 'connection', (socket) => socket.end()],
    ['what is no HTTP', 'invalid_response', (socket) => socket.write('nonsense\r\n\r\n')],
    [
      'a head of 100 kB',
      'invalid_response',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1e5)}\r\n\r\n`),
    ],
    [
      'another protocol',
      'connection',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    ],
  ])('%s is a failure: %s', async (_, errorCode, onRequest) => {
    expect(await sendUntilClosed(onRequest)).toMatchObject({ is: 'failed', errorCode, isReused: false })
  })

  test('an answer before the request was asked for is nobody’s answer', async () => {
    const server = await openRawServer((socket) => socket.write(ok), {})
    const send = openOutbound()
    await send(server.url)
    // What comes over an idle connection could be taken for the answer to the next request.
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

test('a hundred receivers that trickle leave no socket behind', async () => {
  const server = await openRawServer((socket) => {
    trickle(socket, head, 'x'.repeat(100))
  })
  const send = openOutbound()
  const signal = server.giveUpAfter(100)
  await Promise.all(Array.from({ length: 100 }, () => send(server.url, { deadlineMs: farDeadlineMs, signal })))
  expect(server.sockets).toHaveLength(100)
  await Promise.all(server.sockets.map(closed))
})
