import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/base/config.ts'
import { addressPolicy, isAllowedAddress, isPublicAddress, toNetworks } from '../../src/outbound/address-policy.ts'
import { checkUrl } from '../../src/outbound/check-url.ts'
import { openOutbound } from './outbound.ts'

const strict = { allowsLoopback: false } as const
const local = { allowsLoopback: true } as const

describe('an address of a receiver', () => {
  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.100.100.200', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254'],
    ...['169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1'],
    ...['192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1'],
    ...['::ffff:8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '4000::1'],
    ...['2001::1', '2001:2::1', '2001:db8::1', '2002:7f00:1::1', '2620:4f:8000::1', '3fff::1', '5f00::1'],
    ...['fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fe80::1%eth0', '2600::1%eth0', 'fec0::1', 'ff02::1'],
    ...['fe80::5efe:7f00:1', '127.1', '0177.0.0.1', '2130706433', 'localhost', '', '1.2.3.4.5'],
    // The addresses 10.0.0.1, 127.0.0.1 and 169.254.169.254 in the IPv6 forms IPv4-mapped, IPv4-compatible, translated
    // and tunnelled.
    ...['::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:7f00:1', '0000:0000:0000:0000:0000:ffff:7f00:0001'],
    ...['::ffff:0:7f00:1', '::a9fe:a9fe', '::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1:ffff::a00:1', '2002:a00:1::'],
    ...['2002:a9fe:a9fe::1', '2001:0:7f00:1::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '::5efe:a00:1'],
    ...[
      '::200:5efe:7f00:1',
      'fe80::200:5efe:a9fe:a9fe',
      '2001:20::1',
      '2001:10::1',
      '2001:1ff:ffff::1',
      '2001:4:112::1',
    ],
    // The first and last addresses of the IP ranges that are allocated, and other notations of addresses.
    ...['1fff:ffff::1', '4000::', '8000::1', 'ffff::1', 'fd00::1', 'fdff:ffff::1', 'febf::1', 'FF02::1', '2001:DB8::1'],
    ...[
      '3fff:fff:ffff::1',
      '2001:db8:ffff::1',
      '2606:4700:4700::1111%lo',
      '::1%lo',
      '8.8.8.8%eth0',
      '[::1]',
      '::ffff:1',
    ],
    ...['192.0.0.1', '192.0.0.255', '192.0.2.255', '100.64.0.0', '100.127.255.255', '169.254.0.0', '239.255.255.250'],
    ...['0.1.2.3', '0x7f000001', '127.0.0.01', '１２７.0.0.1', ' 127.0.0.1', '8.8.8.8 ', '8.8.8.8\n', '8.8.8.8:80'],
  ])('the IP address %s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
    expect(isAllowedAddress(address, strict)).toBe(false)
  })

  test.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.1.1.1', '128.0.0.1'],
    ...['172.15.0.1', '172.32.0.1', '192.0.1.1', '192.167.1.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'],
    ...['168.63.129.15', '2606:4700:4700::1111', '2a00:1450:4009::200e', '2600::1', '2001:4860:4860::8888'],
    ...['168.63.129.17', '2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '3ffe::1', '2620:4f:8001::1'],
  ])('the IP address %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
  ])('the receiver address %s is allowed when the configuration allows loopback', (address) => {
    expect(isAllowedAddress(address, local)).toBe(true)
  })

  test.each([
    ...['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1', '0:0:0:0:0:ffff:7f00:1', '::127.0.0.1', '::1%lo'],
    ...['0.0.0.0', '::', '64:ff9b::7f00:1'],
  ])('the receiver address %s is rejected even when the configuration allows loopback', (address) => {
    expect(isAllowedAddress(address, local)).toBe(false)
  })
})

describe('networks that the operator refuses', () => {
  const own = ['198.41.0.0/24', '2001:500:2::/48', '9.9.9.9/32', '2a00:1098:2b::/96']
  const policy = { allowsLoopback: true, refusedNetworks: toNetworks([...own, '127.0.0.66/32']) }

  test.each([
    ...['198.41.0.4', '198.41.0.255', '2001:500:2::c', '9.9.9.9', '127.0.0.66'],
    // The address 10.0.0.1 behind the operator's NAT64 prefix.
    '2a00:1098:2b::a00:1',
  ])('the receiver address %s in a network that the operator refuses is rejected', (address) => {
    expect(isAllowedAddress(address, policy)).toBe(false)
  })

  test.each([
    ...['198.41.1.0', '9.9.9.10', '2001:500:3::c', '2a00:1098:2b:0:0:1::', '127.0.0.1', '1.1.1.1'],
  ])('the receiver address %s is accepted, because it is outside the networks that the operator refuses', (address) => {
    expect(isAllowedAddress(address, policy)).toBe(true)
  })

  test('networks that the operator refuses are read from the configuration', () => {
    const config = readConfig({ NODE_ENV: 'production', WEBHOOK_REFUSED_NETWORKS: own.join(' , ') })
    expect(config.webhookRefusedNetworks).toEqual(own)
    const configured = addressPolicy(config)
    expect(own.map((network) => isAllowedAddress(network.split('/')[0] ?? '', configured))).toEqual(
      own.map(() => false),
    )
    expect(isAllowedAddress('1.1.1.1', configured)).toBe(true)
    expect(isAllowedAddress('127.0.0.1', configured)).toBe(false)
  })

  test('no receiver networks are refused by default', () => {
    expect(readConfig({}).webhookRefusedNetworks).toEqual([])
  })

  const bad = [
    ...[
      '10.0.0.0',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/9',
      '10.0.0/8',
      '::1/129',
      'fe80::1%eth0/64',
    ],
    ...['example.com/8', 'nonsense', '/8', '10.0.0.0/8;10.1.0.0/16', '10.0.0.0/x'],
  ]

  test.each(
    bad,
  )('the value %s in the configuration of refused networks prevents the start of the service', (network) => {
    const message =
      'Configuration: WEBHOOK_REFUSED_NETWORKS must be networks in CIDR notation, such as 192.0.2.0/24, separated by commas.'
    expect(() => readConfig({ WEBHOOK_REFUSED_NETWORKS: `9.9.9.9/32,${network}` })).toThrow(new ConfigError(message))
  })

  test.each(bad)('toNetworks throws an error for %s', (network) => {
    expect(() => toNetworks([network])).toThrow(/not a network in CIDR form/)
  })
})

describe('receivers on this machine', () => {
  const DATABASE_URL = 'postgres://commerce@db.example/commerce'

  test.each([
    ['allowed with the embedded PostgreSQL', {}, true],
    ['refused with DATABASE_URL', { DATABASE_URL }, false],
    ['allowed with DATABASE_URL by configuration', { DATABASE_URL, WEBHOOK_ALLOW_LOOPBACK: 'true' }, true],
    ['refused with the embedded PostgreSQL by configuration', { WEBHOOK_ALLOW_LOOPBACK: 'false' }, false],
    ['refused in production', { NODE_ENV: 'production' }, false],
  ])('webhook receivers on the service’s own machine are %s', (_, environment, allows) => {
    expect(addressPolicy(readConfig(environment)).allowsLoopback).toBe(allows)
  })

  test('webhook receivers on the service’s own machine cannot be allowed in production', () => {
    const message = 'Configuration: WEBHOOK_ALLOW_LOOPBACK must not be true in production.'
    const environment = { NODE_ENV: 'production', WEBHOOK_ALLOW_LOOPBACK: 'true' }
    expect(() => readConfig(environment)).toThrow(new ConfigError(message))
  })
})

describe('a receiver’s URL', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com:443/a?b=c', 'https://example.com/a?b=c'],
    ['https://shop.example.ng:8443/hook', 'https://shop.example.ng:8443/hook'],
    ['https://münchen.example/hook', 'https://xn--mnchen-3ya.example/hook'],
  ])('the receiver URL %s is accepted', (text, url) => {
    expect(checkUrl(text, strict)).toEqual({ is: 'accepted', url })
  })

  test.each([
    ['example.com/hook', 'not a URL'],
    ['http://example.com', 'must start with https://'],
    ['ftp://example.com', 'must start with https://'],
    ['https://me:word@example.com', 'user name or password'],
    ['https://me@example.com', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://8.8.8.8/', 'Use a host name'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://①②⑦.⓪.⓪.①/', '127.0.0.1'],
    ['https://[::1]/', 'Use a host name'],
    ['https://[2600::1]/', 'Use a host name'],
    ['https://localhost/', 'is not reachable'],
    ['https://intranet/', 'is not reachable'],
    ['https://db.internal/', 'is not reachable'],
    ['https://printer.local/', 'is not reachable'],
    ['https://router.home.arpa/', 'is not reachable'],
    ['https://hidden.onion/', 'is not reachable'],
    ['https://example.com./', 'ends with a dot'],
    ['https://example.com:22/', 'Port 22'],
    ['https://example.com:80/', 'Port 80'],
    ['https://example.com:5432/', 'Port 5432'],
    [`https://example.com/${'a'.repeat(2000)}`, 'more than 2000 characters'],
    ['http://127.0.0.1:3000/', 'must start with https://'],
    ['http://localhost:3000/', 'must start with https://'],
  ])('the receiver URL %s is rejected', (text, reason) => {
    expect(checkUrl(text, strict)).toEqual({ is: 'refused', reason: expect.stringContaining(reason) })
  })

  test.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/hook',
    'http://[::1]:3000/hook',
  ])('the receiver URL %s is accepted in development', (url) => {
    expect(checkUrl(url, local)).toEqual({ is: 'accepted', url })
  })

  test.each([
    'http://10.0.0.1/',
    'http://example.com/',
    'https://10.0.0.1/',
    'file:///etc/passwd',
    'http://a@localhost',
  ])('the receiver URL %s is rejected even in development', (url) => {
    expect(checkUrl(url, local).is).toBe('refused')
  })

  test.each([
    ...['127.1', '0x7f000001', '017700000001', '2130706433', '127.0.0.1.', '0x7f.0x0.0x0.0x1', '127.000.000.001'],
    ...[
      '①②⑦.⓪.⓪.①',
      '１２７.０.０.１',
      '%31%32%37.0.0.1',
      '[::1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[::7f00:1]',
    ],
    ...['0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]'],
  ])('the receiver URL %s is rejected as an internal address', async (host) => {
    expect(checkUrl(`https://${host}/`, strict)).toMatchObject({ is: 'refused' })
    expect(await openOutbound(strict)(`https://${host}/`)).toMatchObject({
      is: 'failed',
      errorCode: 'destination_refused',
      timings: { dnsMs: null, connectMs: null },
    })
  })
})
