import { expect, test } from 'vitest'
import { toNetworks } from '../../src/outbound/address-policy.ts'
import { type DnsAnswer, openDnsServer } from './dns-server.ts'
import { openOutbound, strict } from './outbound.ts'
import { ok, openRawServer } from './raw-server.ts'

/** A name server, and a server inside that must never be reached: all of IPv4's loopback ends at it. */
async function openInside() {
  const canary = await openRawServer((socket) => socket.write(ok))
  return { canary, dnsServer: await openDnsServer() }
}

/** Lets the name be called without a certificate. The addresses behind it are judged as ever. */
const overHttp = { isOwnAddress: (address: string) => address === 'shop.example' }

test.each<[string, DnsAnswer[]]>([
  ['a private address', [['127.0.0.1']]],
  ['a private address in IPv6', [['::1']]],
  ['a public address and a private one', [['1.1.1.1', '127.0.0.1']]],
  ['a private address and a public one', [['127.0.0.1', '1.1.1.1']]],
  ['a public address in IPv4 and a private one in IPv6', [['1.1.1.1', '::1']]],
  ['a public address in IPv4 and a mapped one in IPv6', [['1.1.1.1', '::ffff:7f00:1']]],
  ['an alias of a name inside', [['inside.example']]],
  ['an alias of an alias of a name inside', [['alias.example']]],
  ['the metadata service', [['169.254.169.254']]],
  ['one private address among many public ones', [['1.1.1.1', '8.8.8.8', '9.9.9.9', '10.0.0.1']]],
])('a name that answers with %s is refused, and nothing is connected to', async (_, answers) => {
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
  expect(dnsServer.asked.get('shop.example')).toBe(1)
  expect(canary.sockets).toEqual([])
})

/**
 * Public addresses cannot be connected to in a test, so here 127.0.0.1 plays the public one and 127.0.0.66 the private:
 * the operator's own refusals are judged in the same place as everybody's.
 */
const rebound = { allowsLoopback: true, ...overHttp, refusedNetworks: toNetworks(['127.0.0.66/32']) }

async function openRebinding() {
  const { canary, dnsServer } = await openInside()
  const inside = await openRawServer((socket) => socket.write(ok), { host: '127.0.0.66' })
  let nowMs = 0
  const send = openOutbound(rebound, { lookup: dnsServer.lookup, nowMs: () => nowMs })
  return { outside: canary, inside, dnsServer, send, pass: (ms: number) => (nowMs += ms) }
}

test('a name that is pointed inside after its first answer is refused from the next look-up on', async () => {
  const { outside, inside, dnsServer, send, pass } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.1'], ['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  const closing = { headers: { connection: 'close' } }
  expect(await send(url, closing)).toMatchObject({ is: 'answered', status: 200 })
  pass(30_000)
  // Still the kept answer, and the address that was judged.
  expect(await send(url, closing)).toMatchObject({ is: 'answered', status: 200, timings: { dnsMs: 0 } })
  pass(1)
  expect(await send(url, closing)).toMatchObject({ is: 'failed', errorCode: 'destination_refused' })
  expect(dnsServer.asked.get('shop.example')).toBe(2)
  expect([outside.sockets.length, inside.sockets.length]).toEqual([2, 0])
})

test('a kept answer is judged by each connection’s own policy', async () => {
  const { outside, inside, dnsServer, send } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  for (let sent = 0; sent < 3; sent++) {
    expect(await send(url)).toMatchObject({ errorCode: 'destination_refused' })
  }
  expect(dnsServer.asked.get('shop.example')).toBe(1)
  expect(inside.sockets).toEqual([])
})

test('an open connection to an address that was judged is used again, wherever the name points by then', async () => {
  const { outside, inside, dnsServer, send, pass } = await openRebinding()
  dnsServer.zone.set('shop.example', [['127.0.0.1'], ['127.0.0.66']])
  const url = `http://shop.example:${outside.port}/`
  expect(await send(url)).toMatchObject({ is: 'answered', isReused: false })
  pass(30_001)
  expect(await send(url)).toMatchObject({ is: 'answered', isReused: true })
  expect(dnsServer.asked.get('shop.example')).toBe(1)
  expect([outside.sockets.length, inside.sockets.length]).toEqual([1, 0])
})

test.each<[string, DnsAnswer]>([
  ['does not exist', 'no_such_name'],
  ['has no address', []],
  ['has a name server that fails', 'server_failure'],
  ['has a name server that says nothing', 'silence'],
])('a name that %s is a failed look-up', async (_, answer) => {
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

test('several names that get no answer in a row are our resolver’s fault, until one gets one', async () => {
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
