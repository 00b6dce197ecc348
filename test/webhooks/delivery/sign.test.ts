import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { serviceSignature } from '../../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../../src/webhooks/signing-secret.ts'

const secret = newSigningSecret()
const seconds = 1_795_000_000
const body = '{"id":"evt_1","event":"order.created"}'

describe('a signature of a webhook delivery', () => {
  test('the signature of a webhook delivery is an HMAC-SHA256 of timestamp and body, whose key is the text of the secret', () => {
    const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${seconds}.${body}`).digest('hex')
    expect(serviceSignature([secret], seconds, body)).toBe(`t=${seconds},v1=${hex}`)
  })

  test('a webhook delivery has a signature for each valid secret, with the signature of the current secret first', () => {
    const header = serviceSignature([secret, newSigningSecret()], seconds, body)
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(header.startsWith(serviceSignature([secret], seconds, body))).toBe(true)
  })
})
