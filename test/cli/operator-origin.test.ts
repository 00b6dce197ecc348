import { expect, test } from 'vitest'
import { operatorOriginOf } from '../../src/base/operator-origin.ts'

test.for([
  ['an SSH session', { SSH_CONNECTION: '203.0.113.7 50422 10.0.0.5 22' }, '203.0.113.7'],
  ['an SSH session over IPv6', { SSH_CONNECTION: '2001:db8::7 50422 2001:db8::1 22' }, '2001:db8::7'],
  ['an SSH session over a link-local address', { SSH_CONNECTION: 'fe80::1%eth0 50422 fe80::2%eth0 22' }, 'fe80::1'],
  ['the host itself', {}, '127.0.0.1'],
  ['a shell with an invalid SSH_CONNECTION', { SSH_CONNECTION: 'nowhere' }, '127.0.0.1'],
] as const)('the audit log contains the source address of an operator who uses %s', ([, variables, address]) => {
  expect(operatorOriginOf(variables).address).toBe(address)
})

test('the audit log names the account that called sudo, not the account root', () => {
  expect(operatorOriginOf({ SUDO_USER: 'adaeze' }).account).toBe('adaeze')
  expect(operatorOriginOf({}).account).toBeUndefined()
})
