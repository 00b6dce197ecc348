import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toNetworks } from '../../src/outbound/address-policy.ts'
import { fetchErrorCode, isOwnFault } from '../../src/outbound/fetch-error.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { openReceiver, portOf } from '../webhooks/receiver.ts'
import { local, openOutbound, strict } from './outbound.ts'
import { closed, ok, openRawServer } from './raw-server.ts'

const fetchFrom = (url: string, policy = local) => openOutbound(policy)(url)

test('safeFetch returns the status and the start of the response body', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(202).end(`a\0b${'é'.repeat(5000)}`))
  const outcome = await fetchFrom(receiver.url)
  expect(outcome).toMatchObject({ is: 'answered', status: 202, body: expect.stringMatching(/^abéé/) })
  if (outcome.is === 'answered') expect(outcome.body.length).toBeLessThanOrEqual(4096)
})

test('safeFetch fails with the error connection for a closed port', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  expect(await fetchFrom(`http://127.0.0.1:${port}/`)).toMatchObject({ is: 'failed', errorCode: 'connection' })
})

test('safeFetch fails with the error tls for an https URL of a receiver without TLS', async () => {
  const receiver = await openReceiver()
  expect(await fetchFrom(receiver.url.replace('http:', 'https:'))).toMatchObject({ is: 'failed', errorCode: 'tls' })
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
])('safeFetch rejects the destination %s', async (url) => {
  expect(await fetchFrom(url, strict)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
})

test('safeFetch rejects plain HTTP to a host name, even if the name resolves to the service’s own machine', async () => {
  const receiver = await openReceiver()
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const send = openOutbound(local, { lookup })
  const url = receiver.url.replace('127.0.0.1', 'shop.example')
  expect(await send(url)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
  expect(receiver.received).toHaveLength(0)
})

test('safeFetch connects over plain HTTP to the service’s own address even if the operator refuses its network, but to no other local address', async () => {
  const receiver = await openReceiver()
  const send = openOutbound({
    allowsLoopback: false,
    isOwnAddress: (address) => address === '127.0.0.1',
    refusedNetworks: toNetworks(['127.0.0.0/8']),
  })
  expect(await send(receiver.url)).toMatchObject({ is: 'answered', status: 200 })
  expect(await send(receiver.url.replace('127.0.0.1', '127.0.0.2'))).toMatchObject({ errorCode: 'destination_refused' })
  expect(receiver.received).toHaveLength(1)
})

test('an aborted signal ends an outbound request as a timeout, before or after the connection is open', async () => {
  const controller = new AbortController()
  const receiver = await openReceiver(() => controller.abort())
  const send = openOutbound()
  // `isReused` is not null, so the connection was open before the request was aborted.
  expect(await send(receiver.url, { signal: controller.signal })).toMatchObject({
    errorCode: 'timeout',
    isReused: false,
  })
  expect(await send(receiver.url, { signal: controller.signal })).toMatchObject({
    errorCode: 'timeout',
    isReused: null,
  })
  expect(receiver.received).toHaveLength(1)
})

test('safeFetch removes its listener from the signal when a request ends', async () => {
  const { signal } = new AbortController()
  const listened: string[] = []
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listened.push('added')
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listened.push('removed')
    remove(...args)
  }
  const receiver = await openReceiver()
  expect(await openOutbound()(receiver.url, { signal })).toMatchObject({ is: 'answered' })
  expect(listened).toEqual(['added', 'removed'])
})

test('closing the outbound client ends requests in flight with the error stopped', async () => {
  const receiver = await openReceiver(() => undefined)
  const outbound = openSafeFetch(local)
  const outcome = outbound.fetch({ url: receiver.url, method: 'GET', headers: {} })
  await expect.poll(() => receiver.received.length).toBe(1)
  await outbound.close()
  expect(await outcome).toMatchObject({ is: 'failed', errorCode: 'stopped' })
})

test('closing the outbound client ends a request whose DNS lookup is still in progress', async () => {
  const outbound = openSafeFetch(local, { lookup: () => new Promise<never>(() => undefined) })
  const outcome = outbound.fetch({ url: 'https://shop.example/', method: 'GET', headers: {} })
  await outbound.close()
  expect(await outcome).toMatchObject({ is: 'failed', errorCode: 'stopped', isReused: null })
})

test('the outbound client sends nothing after it was closed', async () => {
  const receiver = await openReceiver()
  const outbound = openSafeFetch(local)
  const request = { url: receiver.url, method: 'GET', headers: {} } as const
  await outbound.fetch(request)
  await outbound.close()
  expect(await outbound.fetch(request)).toMatchObject({ is: 'failed', errorCode: 'stopped' })
  expect(receiver.received).toHaveLength(1)
})

test('closing the outbound client closes idle connections', async () => {
  // The timer that ends an idle connection never fires, so that only close() can end it.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await openRawServer((socket) => void socket.write(ok))
  const outbound = openSafeFetch(local)
  await outbound.fetch({ url: server.url, method: 'GET', headers: {} })
  const [socket] = server.sockets
  expect(socket?.closed).toBe(false)
  await outbound.close()
  await closed(socket)
})

test('errors such as too few file descriptors in the sending process are not attributed to the receiver of an outbound request', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
    const errorCode = fetchErrorCode(Object.assign(new Error(), { code }))
    expect(errorCode).toBe('local_fault')
    expect(isOwnFault(errorCode)).toBe(true)
  }
  const receiverFaults = [
    'timeout',
    'dns',
    'connection',
    'tls',
    'destination_refused',
    'invalid_response',
    'too_many_informational_responses',
    'response_head_too_large',
  ] as const
  expect(receiverFaults.some(isOwnFault)).toBe(false)
  expect(isOwnFault('stopped') && isOwnFault('resolver_down')).toBe(true)
})

test('an outbound request ends at once when its signal aborts, long before the deadline', async () => {
  const controller = new AbortController()
  const receiver = await openReceiver(() => controller.abort())
  const outcome = await openOutbound()(receiver.url, { deadlineMs: 50_000, signal: controller.signal })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: false })
  expect(outcome.durationMs).toBeLessThan(40_000)
})

test('an outbound request sends nothing when its signal is already aborted', async () => {
  const receiver = await openReceiver()
  const outcome = await openOutbound()(receiver.url, { signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  expect(receiver.received).toEqual([])
})
