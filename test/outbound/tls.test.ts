import { createServer } from 'node:https'
import { getCACertificates, type SecureVersion, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { portOf } from '../webhooks/receiver.ts'
import { type Certificate, openAuthority, selfSigned } from './certificates.ts'
import { openOutbound } from './outbound.ts'

const authority = openAuthority()
const systemCertificates = getCACertificates('default')
/**
 * Makes the whole process trust the test's certificate authority, because the service has no setting for trusted
 * certificates.
 */
beforeAll(() => setDefaultCACertificates([...systemCertificates, authority.cert]))
afterAll(() => setDefaultCACertificates(systemCertificates))

const lookup = async () => [{ address: '127.0.0.1', family: 4 }]

interface TlsReceiver {
  readonly url: string
  readonly connections: { readonly name: TLSSocket['servername']; readonly isResumed: boolean }[]
  readonly served: () => number
}

async function openTlsReceiver(certificate: Certificate, maxVersion: SecureVersion = 'TLSv1.3'): Promise<TlsReceiver> {
  const connections: TlsReceiver['connections'] = []
  let served = 0
  const server = createServer({ ...certificate, maxVersion }, (_, response) => {
    served += 1
    response.end('ok')
  })
  server.on('secureConnection', (socket) =>
    connections.push({ name: socket.servername, isResumed: socket.isSessionReused() }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://shop.example:${portOf(server.address())}/hook`, connections, served: () => served }
}

test('a receiver with a valid certificate for its host name is accepted, and the connection is reused', async () => {
  const receiver = await openTlsReceiver(authority.issue('shop.example'))
  const send = openOutbound(undefined, { lookup })
  expect(await send(receiver.url)).toMatchObject({
    is: 'answered',
    isReused: false,
    timings: { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: expect.any(Number) },
  })
  expect(await send(receiver.url)).toMatchObject({ is: 'answered', isReused: true, timings: { tlsMs: null } })
  expect(receiver.connections).toEqual([{ name: 'shop.example', isResumed: false }])
})

const past = { from: new Date('2020-01-01'), until: new Date('2021-01-01') }
const future = { from: new Date(Date.now() + 86_400_000) }
const bad: [string, () => Certificate][] = [
  ['that is self-signed', () => selfSigned('shop.example')],
  ['that has expired', () => authority.issue('shop.example', past)],
  ['that is not valid yet', () => authority.issue('shop.example', future)],
  ['for another name', () => authority.issue('other.example')],
  ['of an unknown authority', () => openAuthority().issue('shop.example')],
]

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test.each(
    bad,
  )(`an outbound request to a receiver with a certificate %s fails with the error tls, and so do repeated requests (${version})`, async (_, certificate) => {
    const receiver = await openTlsReceiver(certificate(), version)
    const send = openOutbound(undefined, { lookup })
    // If the first request stored a TLS session, the second request would skip the certificate check.
    for (let sent = 0; sent < 3; sent++) {
      expect(await send(receiver.url)).toMatchObject({
        is: 'failed',
        errorCode: 'tls',
        timings: { connectMs: expect.any(Number), tlsMs: null, firstByteMs: null },
        isReused: null,
      })
    }
    expect(receiver.served()).toBe(0)
  })

  test(`a second connection to a receiver resumes the TLS session of the first connection (${version})`, async () => {
    const receiver = await openTlsReceiver(authority.issue('shop.example'), version)
    const send = openOutbound(undefined, { lookup })
    await send(receiver.url, { headers: { connection: 'close' } })
    await send(receiver.url, { headers: { connection: 'close' } })
    expect(receiver.connections.map(({ isResumed }) => isResumed)).toEqual([false, true])
  })
}

test('the receiver’s certificate is checked against the IP address when the URL has no host name', async () => {
  const receiver = await openTlsReceiver(authority.issue('shop.example'))
  const outcome = await openOutbound()(receiver.url.replace('shop.example', '127.0.0.1'))
  expect(outcome).toMatchObject({ is: 'failed', errorCode: 'tls' })
  expect(receiver.served()).toBe(0)
})

test('a self-signed certificate is rejected even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const receiver = await openTlsReceiver(selfSigned('shop.example'))
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  try {
    expect(await openOutbound(undefined, { lookup })(receiver.url)).toMatchObject({ is: 'failed', errorCode: 'tls' })
  } finally {
    vi.unstubAllEnvs()
  }
  expect(receiver.served()).toBe(0)
})
