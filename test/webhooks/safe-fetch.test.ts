import dns from 'node:dns'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSafeFetch } from '../../src/webhooks/safe-fetch.ts'
import { openReceiver, portOf } from './receiver.ts'

const strict = { allowsLoopback: false } as const
const local = { allowsLoopback: true } as const
/** Short enough for a test, long enough for a busy machine. */
const deadlineMs = 300

function fetchFrom(url: string, policy: { allowsLoopback: boolean } = local) {
  const outbound = openSafeFetch(policy)
  onTestFinished(() => outbound.close())
  return outbound.fetch({ url, method: 'POST', headers: {}, body: '{}', deadlineMs })
}

/** A server that says exactly these bytes, over and over if asked to. */
async function openRawServer(say: (write: (text: string) => void) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => say((text) => socket.writable && socket.write(text)))
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${portOf(server.address())}/`
}

/** Stands in for the resolver, which a test cannot rely on. The cast leaves out overloads that are not used. */
function resolveAs(error: Error | null, addresses: readonly string[]): void {
  const answer = addresses.map((address) => ({ address, family: 4 }))
  const lookup = (_: string, __: object, callback: (error: Error | null, found: object[]) => void) =>
    callback(error, answer)
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never)
  onTestFinished(() => void vi.restoreAllMocks())
}

function often(write: () => void): void {
  const timer = setInterval(write, 5)
  onTestFinished(() => clearInterval(timer))
}

test('an answer keeps its status and the beginning of its body', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(202).end(`a\0b${'é'.repeat(5000)}`))
  const outcome = await fetchFrom(receiver.url)
  expect(outcome).toMatchObject({ is: 'answered', status: 202, body: expect.stringMatching(/^abéé/) })
  if (outcome.is === 'answered') expect(outcome.body.length).toBeLessThanOrEqual(4096)
})

test('a redirect is an answer and is not followed', async () => {
  const target = await openReceiver()
  const receiver = await openReceiver((_, response) => response.writeHead(307, { location: target.url }).end())
  expect(await fetchFrom(receiver.url)).toMatchObject({ is: 'answered', status: 307 })
  expect(target.received).toHaveLength(0)
})

test('a receiver that never answers is a timeout', async () => {
  const receiver = await openReceiver(() => undefined)
  expect(await fetchFrom(receiver.url)).toMatchObject({ is: 'failed', errorCode: 'timeout' })
})

test('a receiver that sends early hints for ever is a timeout', async () => {
  const url = await openRawServer((write) => often(() => write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')))
  expect(await fetchFrom(url)).toMatchObject({ is: 'failed', errorCode: 'timeout' })
})

test('a head that dribbles is a timeout', async () => {
  const url = await openRawServer((write) => {
    write('HTTP/1.1 200 OK\r\n')
    often(() => write('x: 1\r\n'))
  })
  expect(await fetchFrom(url)).toMatchObject({ is: 'failed', errorCode: 'timeout' })
})

test('a body that never ends does not change the status', async () => {
  const url = await openRawServer((write) => {
    write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    often(() => write('x'))
  })
  expect(await fetchFrom(url)).toMatchObject({ is: 'answered', status: 200, body: expect.stringMatching(/^x+$/) })
})

test('20 MB of body are not read', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  let written = 0
  const receiver = await openReceiver((_, response) => {
    const more = () => {
      while (written < 20 && !response.destroyed) {
        written += 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  const outcome = await fetchFrom(receiver.url)
  expect(outcome).toMatchObject({ is: 'answered', status: 200, body: 'a'.repeat(4096) })
  expect(written).toBeLessThan(20)
})

test('a compressed body stays compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  const receiver = await openReceiver((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  expect(await fetchFrom(receiver.url)).toMatchObject({ is: 'answered', status: 200 })
})

test.each([
  ['what is no HTTP', 'nonsense\r\n\r\n', 'invalid_response'],
  ['a head of 100 kB', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, 'invalid_response'],
])('%s is an invalid response', async (_, text, errorCode) => {
  const url = await openRawServer((write) => write(text))
  expect(await fetchFrom(url)).toMatchObject({ is: 'failed', errorCode })
})

test('a closed port is a failed connection', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  expect(await fetchFrom(`http://127.0.0.1:${port}/`)).toMatchObject({ is: 'failed', errorCode: 'connection' })
})

test('a receiver without TLS at an https URL is a failure of TLS', async () => {
  const receiver = await openReceiver()
  expect(await fetchFrom(receiver.url.replace('http:', 'https:'))).toMatchObject({ is: 'failed', errorCode: 'tls' })
})

test('a name that does not exist is a failed look-up', async () => {
  resolveAs(Object.assign(new Error('No such name.'), { code: 'ENOTFOUND' }), [])
  expect(await fetchFrom('https://missing.example/')).toMatchObject({ is: 'failed', errorCode: 'dns' })
})

test.each([
  'https://127.0.0.1:1/',
  'https://[::1]:1/',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/',
  'https://2130706433/',
  'https://[::ffff:127.0.0.1]/',
  'https://localhost:1/',
  'http://example.com/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
])('%s is refused as a destination', async (url) => {
  expect(await fetchFrom(url, strict)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
})

test('one private address among public ones refuses them all', async () => {
  resolveAs(null, ['1.1.1.1', '10.0.0.1'])
  expect(await fetchFrom('https://mixed.example/', strict)).toMatchObject({
    is: 'failed',
    errorCode: 'destination_refused',
  })
})

test('closing ends what is under way as stopped', async () => {
  const receiver = await openReceiver(() => undefined)
  const outbound = openSafeFetch(local)
  const outcome = outbound.fetch({ url: receiver.url, method: 'GET', headers: {} })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
  await outbound.close()
  expect(await outcome).toMatchObject({ is: 'failed', errorCode: 'stopped' })
})
