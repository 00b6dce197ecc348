import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceSignature, verify } from '../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts'

const secret = newSigningSecret()
const seconds = 1_795_000_000
const body = '{"id":"evt_1","event":"order.created"}'
const seconds$ = fc.integer({ min: 0, max: 4_000_000_000 })
const body$ = fc.string({ unit: 'binary' })

describe('a signature', () => {
  test('is the HMAC of the specification, keyed with the secret as it is shown', () => {
    const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${seconds}.${body}`).digest('hex')
    expect(serviceSignature([secret], seconds, body)).toBe(`t=${seconds},v1=${hex}`)
  })

  test('is made with each live secret, the current one first', () => {
    const header = serviceSignature([secret, newSigningSecret()], seconds, body)
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(header.startsWith(serviceSignature([secret], seconds, body))).toBe(true)
  })

  test('verifies, with any of the live secrets', () => {
    fc.assert(
      fc.property(body$, seconds$, fc.string(), fc.string(), (anyBody, at, one, other) => {
        const header = serviceSignature([one, other], at, anyBody)
        expect(verify(header, anyBody, one, at)).toEqual({ is: 'valid', seconds: at })
        expect(verify(header, Buffer.from(anyBody), other, at)).toEqual({ is: 'valid', seconds: at })
      }),
    )
  })

  test('fails when any byte of the body was flipped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, flip) => {
        const changed = Uint8Array.from(bytes)
        const index = at % bytes.length
        changed[index] = (bytes[index] ?? 0) ^ flip
        expect(verify(serviceSignature([secret], seconds, bytes), changed, secret, seconds).is).toBe('mismatch')
      }),
    )
  })

  test('fails when any character of the header was changed', () => {
    const header = serviceSignature([secret], seconds, body)
    fc.assert(
      fc.property(fc.nat({ max: header.length - 1 }), fc.constantFrom(...'0123456789abcdefxA='), (at, character) => {
        fc.pre(header[at] !== character)
        const changed = header.slice(0, at) + character + header.slice(at + 1)
        expect(verify(changed, body, secret, seconds).is).not.toBe('valid')
      }),
    )
  })

  test('fails beyond 300 seconds either way, and holds up to them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (difference) => {
        const verdict = verify(serviceSignature([secret], seconds, body), body, secret, seconds + difference)
        if (Math.abs(difference) <= 300) expect(verdict).toEqual({ is: 'valid', seconds })
        else expect(verdict).toEqual({ is: 'outside_tolerance', ageSeconds: difference })
      }),
      { examples: [[-301], [-300], [300], [301]] },
    )
  })

  test('may be written with spaces and further schemes', () => {
    const [t, v1] = serviceSignature([secret], seconds, body).split(',')
    expect(verify(`${v1}, v0=abc , ${t}`, body, secret, seconds).is).toBe('valid')
  })

  test.each([
    ['', 'The header has no t.'],
    ['v1=ab', 'The header has no t.'],
    ['t=1', 'The header has no v1.'],
    ['t=1,t=1,v1=ab', 'The header has more than one t.'],
    ['t=1.5,v1=ab', 'The header’s t is not a whole number.'],
    ['t=-1,v1=ab', 'The header’s t is not a whole number.'],
  ])('is malformed as %j', (header, reason) => {
    expect(verify(header, body, secret, seconds)).toEqual({ is: 'malformed', reason })
  })

  test('is lowercase hex and nothing else', () => {
    const header = serviceSignature([secret], seconds, body)
    expect(
      verify(
        header.replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`),
        body,
        secret,
        seconds,
      ).is,
    ).toBe('mismatch')
  })
})
