import { expect, test } from 'vitest'
import { toNetworks } from '../../src/outbound/address-policy.ts'
import { type DnsAnswer, openDnsServer } from './dns-server.ts'
import { openOutbound, strict } from './outbound.ts'
import { ok, openRawServer } from './raw-server.ts'

/** Starts a DNS server, and a loopback server (`canary`) that must not receive any connection. */
async function openInside() {
  const canary = await openRawServer((socket) => socket.write(ok))
  return { canary, dnsServer: await openDnsServer() }
}

/**
 * Allows plain HTTP to the host name, so that the test needs no certificate. The addresses of the name are still
 * checked.
 */
const overHttp = { isOwnAddress: (address: string) => address === 'shop.example' }

test.each<[string, DnsAnswer[]]>([
  ['a private address', [['127.0.0.1']]],
  ['a private IPv6 address', [['::1']]],
  ['a public address and a private one', [['1.1.1.1', '127.0.0.1']]],
  ['a private address and a public one', [['127.0.0.1', '1.1.1.1']]],
  ['a public IPv4 and a private IPv6 address', [['1.1.1.1', '::1']]],
  ['a public IPv4 and an IPv4-mapped private IPv6 address', [['1.1.1.1', '::ffff:7f00:1']]],
  ['an alias of an internal name', [['inside.example']]],
  ['an alias of an alias of an internal name', [['alias.example']]],
  ['the metadata service', [['169.254.169.254']]],
  ['one private address among many public ones', [['1.1.1.1', '8.8.8.8', '9.9.9.9', '10.0.0.1']]],
])('an outbound request to a host name that resolves to %s is rejected without a connection', async (_, answers) => {
  const { canary, dnsServer } = await openInside()
  dnsServer.zone.set('inside.example', [['127.0.0.1']])
  dnsServer.zone.set('alias.example', [['inside.example']])
  dnsServer.zone.set('shop.example', answers)
  const send = openOutbound({ ...strict, ...overHttp }, { lookup: dnsServer.lookup })
  for (const scheme of ['https', 'http']) {
    const url = `${scheme}://shop.example:${canary.port}/hook`
    expect(await send(url)).toMatchObject({
      is: 'failed',
      errorCode: 'destination_refused',
      timings: { dnsMs: expect.any(Number), connectMs: null },
      isReused: null,
    })
  }
  expect(dnsServer.lookups.get('shop.example')).toBe(1)
  expect(canary.sockets).toEqual([])
})

/**
 * A test cannot connect to public addresses, so 127.0.0.1 is the allowed address here. 127.0.0.66 is in a network that
 * the operator forbids. The check that rejects private addresses also rejects this network.
 */
const rebound = { allowsLoopback: true, ...overHttp, refusedNetworks: toNetworks(['127.0.0.66/32']) }

async function openRebinding() {
  const { canary, dnsServer } = await openInside()
  const inside = await openRawServer((socket) => socket.write(ok), { host: '127.0.0.66' })
  let nowMs = 0
  const send = openOutbound(rebound, { lookup: dnsServer.lookup, nowMs: () => nowMs })
  return { outside: canary, inside, dnsServer, send, pass: (ms: number) => (nowMs += ms) }
}

test('if a host name changes to a private address, outbound requests to the host name are rejected from the next DNS lookup on', async () => {
  const { outside, inside, dnsServer, send, pass } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.1'], ['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  const closing = { headers: { connection: 'close' } }
  expect(await send(url, closing)).toMatchObject({ is: 'answered', status: 200 })
  pass(30_000)
  // The first DNS answer is still in the cache, so its permitted address is used.
  expect(await send(url, closing)).toMatchObject({ is: 'answered', status: 200, timings: { dnsMs: 0 } })
  pass(1)
  expect(await send(url, closing)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
  expect(dnsServer.lookups.get('shop.example')).toBe(2)
  expect([outside.sockets.length, inside.sockets.length]).toEqual([2, 0])
})

test('an outbound request checks a cached DNS answer again for each connection', async () => {
  const { outside, inside, dnsServer, send } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  for (let sent = 0; sent < 3; sent++) {
    expect(await send(url)).toMatchObject({ errorCode: 'destination_refused' })
  }
  expect(dnsServer.lookups.get('shop.example')).toBe(1)
  expect(inside.sockets).toEqual([])
})

test('an outbound request reuses an open connection to a checked address after the host name has changed to another address', async () => {
  const { outside, inside, dnsServer, send, pass } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.1'], ['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  expect(await send(url)).toMatchObject({ is: 'answered', isReused: false })
  pass(30_001)
  expect(await send(url)).toMatchObject({ is: 'answered', isReused: true })
  expect(dnsServer.lookups.get('shop.example')).toBe(1)
  expect([outside.sockets.length, inside.sockets.length]).toEqual([1, 0])
})

test.each<[string, DnsAnswer]>([
  ['does not exist', 'no_such_name'],
  ['has no address', []],
  ['has a name server that fails', 'server_failure'],
  ['has a name server that does not respond', 'silence'],
])('an outbound request fails with the error dns for a host name that %s', async (_, answer) => {
  const { canary, dnsServer } = await openInside()
  dnsServer.zone.set('shop.example', [answer])
  const send = openOutbound(strict, { lookup: dnsServer.lookup })
  expect(await send(`https://shop.example:${canary.port}/`)).toMatchObject({
    is: 'failed',
    errorCode: 'dns',
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    isReused: null,
  })
  expect(canary.sockets).toEqual([])
})

test('after three host names in a row without a DNS answer, outbound requests fail with resolver_down until a DNS lookup is answered', async () => {
  const { canary, dnsServer } = await openInside()
  for (const name of ['a', 'b', 'c']) dnsServer.zone.set(`${name}.example`, ['silence', 'silence', 'no_such_name'])
  const send = openOutbound(strict, { lookup: dnsServer.lookup })
  const codes = async (...names: string[]) => {
    const outcomes = []
    for (const name of names) outcomes.push(await send(`https://${name}.example:${canary.port}/`))
    return outcomes.map((outcome) => outcome.is === 'failed' && outcome.errorCode)
  }
  expect(await codes('a', 'b', 'c', 'a')).toEqual(['dns', 'dns', 'resolver_down', 'resolver_down'])
  expect(await codes('a', 'b', 'c')).toEqual(['dns', 'dns', 'dns'])
})
