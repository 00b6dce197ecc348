import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { toNetworks } from '../../src/outbound/address-policy.ts'
import { fetchErrorCode, isOwnFault } from '../../src/outbound/fetch-error.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { openReceiver, portOf } from '../webhooks/receiver.ts'
import { local, openOutbound, strict } from './outbound.ts'
import { closed, ok, openRawServer } from './raw-server.ts'

const fetchFrom = (url: string, policy = local) => openOutbound(policy)(url)

test('returns the status and the start of the body', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(202).end(`a\0b${'é'.repeat(5000)}`))
  const outcome = await fetchFrom(receiver.url)
  expect(outcome).toMatchObject({ is: 'answered', status: 202, body: expect.stringMatching(/^abéé/) })
  if (outcome.is === 'answered') expect(outcome.body.length).toBeLessThanOrEqual(4096)
})

test('fails with connection for a closed port', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  expect(await fetchFrom(`http://127.0.0.1:${port}/`)).toMatchObject({ is: 'failed', errorCode: 'connection' })
})

test('fails with tls for an https URL of a receiver without TLS', async () => {
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
])('rejects the destination %s', async (url) => {
  expect(await fetchFrom(url, strict)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
})

test('rejects plain HTTP to a name, also when it resolves to this machine', async () => {
  const receiver = await openReceiver()
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const send = openOutbound(local, { lookup })
  const url = receiver.url.replace('127.0.0.1', 'shop.example')
  expect(await send(url)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
  expect(receiver.received).toHaveLength(0)
})

test('connects to the service’s own address over plain HTTP under any policy, and to no other address', async () => {
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

test('an aborted signal ends a request as a timeout, before or after the connection', async () => {
  const controller = new AbortController()
  const receiver = await openReceiver(() => controller.abort())
  const send = openOutbound()
  // `isReused` is null when the request had no connection.
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

test('removes its listener from the signal when a request ends', async () => {
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

test('closing ends requests in flight with stopped', async () => {
  const receiver = await openReceiver(() => undefined)
  const outbound = openSafeFetch(local)
  const outcome = outbound.fetch({ url: receiver.url, method: 'GET', headers: {} })
  await expect.poll(() => receiver.received.length).toBe(1)
  await outbound.close()
  expect(await outcome).toMatchObject({ is: 'failed', errorCode: 'stopped' })
})

test('closing ends a request that is still resolving its host', async () => {
  const outbound = openSafeFetch(local, { lookup: () => new Promise<never>(() => undefined) })
  const outcome = outbound.fetch({ url: 'https://shop.example/', method: 'GET', headers: {} })
  await outbound.close()
  expect(await outcome).toMatchObject({ is: 'failed', errorCode: 'stopped', isReused: null })
})

test('sends nothing after closing', async () => {
  const receiver = await openReceiver()
  const outbound = openSafeFetch(local)
  const request = { url: receiver.url, method: 'GET', headers: {} } as const
  await outbound.fetch(request)
  await outbound.close()
  expect(await outbound.fetch(request)).toMatchObject({ is: 'failed', errorCode: 'stopped' })
  expect(receiver.received).toHaveLength(1)
})

test('closing closes idle connections', async () => {
  const server = await openRawServer((socket) => void socket.write(ok))
  const outbound = openSafeFetch(local)
  await outbound.fetch({ url: server.url, method: 'GET', headers: {} })
  const startedMs = performance.now()
  await outbound.close()
  await closed(server.sockets[0])
  // An idle connection would otherwise close after four seconds.
  expect(performance.now() - startedMs).toBeLessThan(3_000)
})

test('classifies errors of this process as own faults, and those of a receiver as not', () => {
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

test('a request ends when its signal aborts, long before the deadline', async () => {
  const controller = new AbortController()
  const receiver = await openReceiver(() => controller.abort())
  const outcome = await openOutbound()(receiver.url, { deadlineMs: 50_000, signal: controller.signal })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: false })
  expect(outcome.durationMs).toBeLessThan(40_000)
})

test('sends nothing when the signal is already aborted', async () => {
  const receiver = await openReceiver()
  const outcome = await openOutbound()(receiver.url, { signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: null })
  expect(receiver.received).toEqual([])
})
