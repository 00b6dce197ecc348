import { describe, expect, test } from 'vitest'
import { isAllowedAddress, isPublicAddress } from '../../src/webhooks/address-policy.ts'
import { checkUrl } from '../../src/webhooks/check-url.ts'

const strict = { allowsLoopback: false } as const
const local = { allowsLoopback: true } as const

describe('an address', () => {
  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.100.100.200', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254'],
    ...['169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1'],
    ...['192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1'],
    ...['::ffff:8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '4000::1'],
    ...['2001::1', '2001:2::1', '2001:db8::1', '2002:7f00:1::1', '2620:4f:8000::1', '3fff::1', '5f00::1'],
    ...['fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fe80::1%eth0', '2600::1%eth0', 'fec0::1', 'ff02::1'],
    ...['fe80::5efe:7f00:1', '127.1', '0177.0.0.1', '2130706433', 'localhost', '', '1.2.3.4.5'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
    expect(isAllowedAddress(address, strict)).toBe(false)
  })

  test.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.1.1.1', '128.0.0.1'],
    ...['172.15.0.1', '172.32.0.1', '192.0.1.1', '192.167.1.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'],
    ...['168.63.129.15', '2606:4700:4700::1111', '2a00:1450:4009::200e', '2600::1', '2001:4860:4860::8888'],
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(['127.0.0.1', '127.9.9.9', '::1'])('%s is allowed where loopback is', (address) => {
    expect(isAllowedAddress(address, local)).toBe(true)
  })

  test.each(['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1'])('%s is refused even there', (address) => {
    expect(isAllowedAddress(address, local)).toBe(false)
  })
})

describe('a receiver’s URL', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['https://EXAMPLE.com:443/a?b=c', 'https://example.com/a?b=c'],
    ['https://shop.example.ng:8443/hook', 'https://shop.example.ng:8443/hook'],
    ['https://münchen.example/hook', 'https://xn--mnchen-3ya.example/hook'],
  ])('%s is accepted', (text, url) => {
    expect(checkUrl(text, strict)).toEqual({ is: 'accepted', url })
  })

  test.each([
    ['example.com/hook', 'not a URL'],
    ['http://example.com', 'must begin with https://'],
    ['ftp://example.com', 'must begin with https://'],
    ['https://me:word@example.com', 'user name or password'],
    ['https://me@example.com', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://8.8.8.8/', 'Use a name'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://①②⑦.⓪.⓪.①/', '127.0.0.1'],
    ['https://[::1]/', 'Use a name'],
    ['https://[2600::1]/', 'Use a name'],
    ['https://localhost/', 'cannot be reached'],
    ['https://intranet/', 'cannot be reached'],
    ['https://db.internal/', 'cannot be reached'],
    ['https://printer.local/', 'cannot be reached'],
    ['https://router.home.arpa/', 'cannot be reached'],
    ['https://hidden.onion/', 'cannot be reached'],
    ['https://example.com./', 'ends in a dot'],
    ['https://example.com:22/', 'Port 22'],
    ['https://example.com:80/', 'Port 80'],
    ['https://example.com:5432/', 'Port 5432'],
    [`https://example.com/${'a'.repeat(2000)}`, 'more than 2000 characters'],
    ['http://127.0.0.1:3000/', 'must begin with https://'],
    ['http://localhost:3000/', 'must begin with https://'],
  ])('%s is refused', (text, reason) => {
    expect(checkUrl(text, strict)).toEqual({ is: 'refused', reason: expect.stringContaining(reason) })
  })

  test.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/hook',
    'http://[::1]:3000/hook',
  ])('%s is accepted in development', (url) => {
    expect(checkUrl(url, local)).toEqual({ is: 'accepted', url })
  })

  test.each([
    'http://10.0.0.1/',
    'http://example.com/',
    'https://10.0.0.1/',
    'file:///etc/passwd',
    'http://a@localhost',
  ])('%s is refused even there', (url) => {
    expect(checkUrl(url, local).is).toBe('refused')
  })
})
