import { expect, test } from 'vitest'
import { openCarriers } from '../../../src/partners/carriers/carriers.ts'
import { checkCredentials, credentialFieldsOf } from '../../../src/partners/carriers/credentials.ts'
import { openSend } from './benches.ts'

const email = 'shop@example.com'

test.each([
  ['chowdeck', { apiKey: 'cd_live_0000zzzz' }, { hint: 'zzzz', isSandbox: false }],
  ['chowdeck', { apiKey: 'cd_live_0000zzzz', webhookSecret: 'a secret' }, { hint: 'zzzz', isSandbox: false }],
  ['fez', { userId: 'G-4568-3493', password: 'a password' }, { hint: '3493', isSandbox: false }],
  ['shipbubble', { apiKey: 'sb_prod_0123456789', email }, { hint: '6789', isSandbox: false }],
  ['shipbubble', { apiKey: 'sb_sandbox_0123', email }, { hint: '0123', isSandbox: true }],
] as const)('credentials of %s are accepted: %j', (carrier, given, read) => {
  expect(checkCredentials(carrier, given)).toEqual({ is: 'read', ...read })
})

test.each([
  ['chowdeck', {}, ['apiKey']],
  ['chowdeck', { apiKey: 'short' }, ['apiKey']],
  ['chowdeck', { apiKey: 'two words of it' }, ['apiKey']],
  ['chowdeck', { apiKey: 'with\nnewline' }, ['apiKey']],
  ['fez', { userId: 'G-4568-3493' }, ['password']],
  ['fez', { userId: 'G-4568-3493', password: '12345', token: 'x' }, ['an unknown name']],
  ['shipbubble', { apiKey: 'sb_prod_0123456789', email: 'not an email' }, ['email']],
] as const)('invalid credentials of %s are rejected, and the error names the invalid fields: %j', (carrier, given, fields) => {
  expect(checkCredentials(carrier, given)).toEqual({ is: 'wrong', fields })
})

test('credentialFieldsOf lists the fields of a carrier’s credentials in order, with optional fields last', () => {
  expect(credentialFieldsOf('shipbubble')).toEqual([
    { name: 'apiKey', isRequired: true },
    { name: 'email', isRequired: true },
  ])
})

test('openCarriers returns a carrier for each carrier code', () => {
  const root = 'http://127.0.0.1:1'
  const carriers = openCarriers(openSend(), { chowdeck: root, fez: root, shipbubble: root })
  expect([...carriers].map(([code, carrier]) => [code, carrier.code])).toEqual([
    ['chowdeck', 'chowdeck'],
    ['fez', 'fez'],
    ['shipbubble', 'shipbubble'],
  ])
})

test('every carrier adapter whose capabilities declare an order lookup has a method that finds orders', () => {
  const root = 'http://127.0.0.1:1'
  for (const carrier of openCarriers(openSend(), { chowdeck: root, fez: root, shipbubble: root }).values()) {
    if (carrier.capabilities.lookup !== 'none') expect(carrier.find).toBeDefined()
  }
})
