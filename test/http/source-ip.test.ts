import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sourceIpOf } from '../../src/http/pipeline/sender.ts'

/** Determines the source address of requests behind one trusted proxy, which appends it to X-Forwarded-For. */

let latest: IncomingMessage | undefined
const server = createServer((incoming, outgoing) => {
  latest = incoming
  outgoing.end()
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function sourceOf(forwarded: string | undefined, trustedProxies = 1): Promise<string> {
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers })
  if (latest === undefined) throw new Error('The request did not arrive.')
  return sourceIpOf(latest, trustedProxies)
}

test.for([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
])('the header X-Forwarded-For: %s sets the source address of the request to %s', async ([entry, address]) => {
  expect(await sourceOf(entry)).toBe(address)
})

test.for([
  'unknown',
  '_hidden',
  '203.0.113.7.9',
  '<script>',
  '203.0.113.7,',
  '',
])('if the X-Forwarded-For entry is %j, which is not an address, the source address of the request is the address of the connection', async (entry) => {
  expect(await sourceOf(entry)).toBe('127.0.0.1')
})

test('without a trusted proxy X-Forwarded-For is ignored', async () => {
  expect(await sourceOf('203.0.113.7', 0)).toBe('127.0.0.1')
})

test('without X-Forwarded-For, the source address of a request is the address of the connection', async () => {
  expect(await sourceOf(undefined)).toBe('127.0.0.1')
})
