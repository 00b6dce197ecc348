import { expect, test } from 'vitest'
import { sourceNetworkOf } from '../../../src/access/members/source-network.ts'

test.each([
  ['203.0.113.9', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0'],
  ['not an address', 'unknown'],
  [null, 'unknown'],
])('the source network of the address %s is %s', (ip, network) => {
  expect(sourceNetworkOf(ip)).toBe(network)
})
