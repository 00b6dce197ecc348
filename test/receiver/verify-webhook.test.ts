import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { signatureHeader } from '../../registry/kit/event.ts'
import { webhookToleranceSeconds } from '../../registry/values/limits.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type Delivery, verifyWebhook } from '../../src/receiver/verify-webhook.ts'
import { serviceSignature, signatureHeaders } from '../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts'
import { deliveries } from './deliveries.ts'

const secret = newSigningSecret()
const seconds = 1_795_000_000
const event = events['order.refunded'].envelopeExample
const body = JSON.stringify(event)
const header = serviceSignature([secret], seconds, body)

function verified(changes: Partial<Delivery> = {}) {
  return verifyWebhook({ rawBody: body, header, secret, nowSeconds: seconds, ...changes } as Delivery)
}

const seconds$ = fc.integer({ min: 0, max: 4_000_000_000 })
const event$ = fc
  .record({ id: fc.string({ unit: 'binary' }), event: fc.string({ unit: 'binary' }), data: fc.jsonValue() })
  .map((value) => JSON.stringify(value))
const secret$ = fc.base64String().map((text) => `whsec_${text}`)

describe('the shared table of test deliveries of webhooks', () => {
  test.for(deliveries)('verifyWebhook accepts or rejects the test delivery as the shared table states: $name', async ({
    rawBody,
    header,
    secrets,
    nowSeconds,
    isAccepted,
  }) => {
    const { is } = await verifyWebhook({ rawBody, header, secret: secrets, nowSeconds })
    expect(is === 'verified' || is === 'not_an_event', is).toBe(isAccepted)
  })
})

test('if a body has so many nested levels that JSON.stringify fails, the verifier returns the outcome `mismatch`', async () => {
  const rawBody = '['.repeat(100_000) + ']'.repeat(100_000)
  expect((await verified({ rawBody })).is).toBe('mismatch')
})

describe('a signed webhook delivery', () => {
  test('a signed webhook delivery is verified with any current secret, whether its body is text or bytes', () =>
    fc.assert(
      fc.asyncProperty(event$, seconds$, secret$, secret$, async (text, at, one, other) => {
        const signature = serviceSignature([one, other], at, text)
        const outcome = { is: 'verified', event: JSON.parse(text), seconds: at }
        const given = { header: signature, nowSeconds: at }
        expect(await verifyWebhook({ ...given, rawBody: text, secret: one })).toEqual(outcome)
        expect(await verifyWebhook({ ...given, rawBody: Buffer.from(text), secret: other })).toEqual(outcome)
      }),
    ))

  test('a signed webhook delivery is rejected when any byte of the body changes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (bytes, at, flip) => {
          const changed = Uint8Array.from(bytes)
          const index = at % bytes.length
          changed[index] = (bytes[index] ?? 0) ^ flip
          const given = { header: serviceSignature([secret], seconds, bytes), rawBody: changed }
          expect((await verified(given)).is).toBe('mismatch')
        },
      ),
    ))

  test('a signed webhook delivery is rejected when any character of its signature header changes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: header.length - 1 }),
        fc.constantFrom(...'0123456789abcdefxA='),
        async (at, character) => {
          fc.pre(header[at] !== character)
          const changed = header.slice(0, at) + character + header.slice(at + 1)
          expect((await verified({ header: changed })).is).not.toBe('verified')
        },
      ),
    ))

  test('a signed webhook delivery is accepted up to 300 seconds before or after its timestamp, and rejected outside this range', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: -100_000, max: 100_000 }), async (difference) => {
        const verification = await verified({ nowSeconds: seconds + difference })
        if (Math.abs(difference) <= 300) expect(verification).toEqual({ is: 'verified', event, seconds })
        else expect(verification).toMatchObject({ is: 'outside_tolerance', ageSeconds: difference })
      }),
      { examples: [[-301], [-300], [300], [301]] },
    ))

  test('a signed webhook delivery is verified with the timestamp tolerance that the caller sets', async () => {
    expect((await verified({ nowSeconds: seconds + 11, toleranceSeconds: 10 })).is).toBe('outside_tolerance')
    expect((await verified({ nowSeconds: seconds - 10, toleranceSeconds: 10 })).is).toBe('verified')
    expect((await verified({ nowSeconds: seconds + 1, toleranceSeconds: 0 })).is).toBe('outside_tolerance')
  })

  test('a signed webhook delivery is checked against the system’s clock by default', async () => {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1000)
    const given = { rawBody: body, secret }
    const fresh = await verifyWebhook({ ...given, header: serviceSignature([secret], nowSeconds, body) })
    expect(fresh).toMatchObject({ is: 'verified', seconds: nowSeconds })
    expect(await verifyWebhook({ ...given, header })).toMatchObject({ is: 'outside_tolerance' })
  })

  test('verifyWebhook and the verifiers of other libraries return the same result for a signed webhook delivery', async () => {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1000)
    const headers = signatureHeaders({ secrets: [secret], eventId: event.id, seconds: nowSeconds, body })
    const stripe = new Stripe('sk_test_unused').webhooks
    const standard = new Webhook(secret)
    expect(stripe.constructEvent(body, headers[signatureHeader] ?? '', secret)).toEqual(event)
    expect(standard.verify(body, headers)).toEqual(event)
    expect(await verifyWebhook({ rawBody: body, headers, secret })).toEqual({
      is: 'verified',
      event,
      seconds: nowSeconds,
    })
    const altered = body.replace('false', 'true')
    expect(() => stripe.constructEvent(altered, headers[signatureHeader] ?? '', secret)).toThrow()
    expect(() => standard.verify(altered, headers)).toThrow()
    expect((await verifyWebhook({ rawBody: altered, headers, secret })).is).toBe('mismatch')
  })
})

describe('the signature header of a webhook delivery', () => {
  test.for([
    ['is found in Web API headers', new Headers({ 'Service-Signature': header })],
    ['is found in Node’s headers', { 'service-signature': header }],
    ['is found under a name with upper-case letters', { 'Service-Signature': header }],
    ['is found in a list of values', { 'service-signature': [header] }],
  ] as const)('the verifier reads the signature header from %s', async ([, headers]) => {
    expect((await verifyWebhook({ rawBody: body, headers, secret, nowSeconds: seconds })).is).toBe('verified')
  })

  test.for([
    new Headers(),
    {},
    { 'service-signature': undefined },
  ])('the verifier reports a missing signature header for %j', async (headers) => {
    expect(await verifyWebhook({ rawBody: body, headers, secret, nowSeconds: seconds })).toEqual({
      is: 'unsigned',
      reason: 'The request has no Service-Signature header.',
    })
  })
})

describe('the reason of a rejected webhook delivery', () => {
  test.for([
    ['', 'The Service-Signature header has no t.'],
    ['t=1', 'The Service-Signature header has no v1.'],
    ['t=1,t=1,v1=ab', 'The Service-Signature header has more than one timestamp t.'],
    ['t=1795000000000,v1=ab', 'The Service-Signature header has a timestamp t that is not in Unix seconds.'],
  ] as const)('the reason of a rejected webhook delivery explains the mistake in the signature header %j', async ([
    changed,
    reason,
  ]) => {
    expect(await verified({ header: changed })).toEqual({ is: 'malformed', reason })
  })

  test.for([
    ['pretty-printed', JSON.stringify(event, null, 2)],
    ['with spaces and escapes, as by Python', JSON.stringify(event).replaceAll(',"', ', "').replaceAll('":', '": ')],
    ['with a line break', `${body}\n`],
  ] as const)('the reason of a rejected webhook delivery explains that the body was serialised again: %s', async ([
    ,
    rawBody,
  ]) => {
    expect(await verified({ rawBody })).toEqual({
      is: 'mismatch',
      reason: expect.stringMatching(
        /^The signature matches the same JSON, but formatted with other bytes\. rawBody must be/,
      ),
    })
  })

  test('the reason of a rejected webhook delivery explains how far the timestamp is outside the tolerance', async () => {
    expect(await verified({ nowSeconds: seconds + 301 })).toMatchObject({
      reason: 'The request was signed 301 seconds ago; the tolerance is 300 seconds.',
    })
    expect(await verified({ nowSeconds: seconds - 301 })).toMatchObject({
      reason: 'The request was signed 301 seconds ahead of this clock; the tolerance is 300 seconds.',
    })
  })

  test.for([
    '',
    '[]',
    'null',
    '{"id":1,"event":"order.created"}',
    '{"id":"evt"}',
    'no JSON',
  ])('the reason of a rejected webhook delivery explains that the signed body is not an event: %j', async (rawBody) => {
    const given = { rawBody, header: serviceSignature([secret], seconds, rawBody) }
    expect((await verified(given)).is).toBe('not_an_event')
  })
})

describe('misuse of verifyWebhook', () => {
  const nothing: unknown = undefined
  test.for([
    ['a parsed body', { rawBody: event }, 'rawBody must be the unparsed body'],
    ['a missing body', { rawBody: nothing }, 'rawBody must be the unparsed body'],
    ['a missing secret', { secret: nothing }, 'secret must be a signing secret'],
    ['an empty list of secrets', { secret: [] }, 'secret must be a signing secret'],
    ['an empty secret', { secret: '' }, 'secret is empty'],
    ['a missing second secret', { secret: [secret, nothing] }, 'secret is empty'],
    ['a secret with a line break', { secret: `${secret}\n` }, 'secret contains white space'],
    ['a secret without its prefix', { secret: secret.slice(6) }, 'secret does not start with whsec_'],
    ['a time in milliseconds', { nowSeconds: seconds * 1000 }, 'nowSeconds is in milliseconds'],
    ['a time of NaN', { nowSeconds: Number.NaN }, 'nowSeconds must be a Unix time'],
    ['a tolerance of NaN', { toleranceSeconds: Number.NaN }, 'toleranceSeconds must be'],
    ['an infinite tolerance', { toleranceSeconds: Number.POSITIVE_INFINITY }, 'toleranceSeconds must be'],
    ['a negative tolerance', { toleranceSeconds: -1 }, 'toleranceSeconds must be'],
  ] as const)('verifyWebhook returns misused with a reason for %s', async ([, changes, reason]) => {
    expect(await verified(changes as Partial<Delivery>)).toEqual({
      is: 'misused',
      reason: expect.stringContaining(reason),
    })
  })
})

test('the webhook verifier has the header name and the timestamp tolerance of the API contract', async () => {
  const headers = { [signatureHeader]: header }
  const at = (distance: number) =>
    verifyWebhook({ rawBody: body, headers, secret, nowSeconds: seconds + distance }).then(({ is }) => is)
  expect([await at(webhookToleranceSeconds), await at(webhookToleranceSeconds + 1)]).toEqual([
    'verified',
    'outside_tolerance',
  ])
})

test('the webhook verifier uses only Web APIs', async () => {
  const source = await readFile(new URL('../../src/receiver/verify-webhook.ts', import.meta.url), 'utf8')
  const script = stripTypeScriptTypes(source).replace(/^export /gm, '')
  const { crypto, Blob, TextEncoder, TextDecoder } = globalThis
  const context = createContext({ crypto, Blob, TextEncoder, TextDecoder })
  const verify: typeof verifyWebhook = runInContext(`${script}\nverifyWebhook`, context)
  for (const rawBody of [body, Buffer.from(body), await new Blob([body]).arrayBuffer()]) {
    const headers = new Headers({ [signatureHeader]: header })
    const verification = await verify({ rawBody, headers, secret, nowSeconds: seconds })
    expect(verification, verification.is === 'verified' ? '' : verification.reason).toMatchObject({
      is: 'verified',
      seconds,
    })
  }
  expect(await verify({ rawBody: `${body} `, header, secret, nowSeconds: seconds })).toMatchObject({ is: 'mismatch' })
})
