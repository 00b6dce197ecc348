import { beforeEach, describe, expect, test } from 'vitest'
import { signatureHeader } from '../../../registry/kit/event.ts'
import { bodyMaxBytes } from '../../../registry/values/limits.ts'
import { serviceSignature } from '../../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../../src/webhooks/signing-secret.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn, unescaped } from '../../support/dashboard.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { expectNoChangeOf } from '../no-change.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

/** Sends one event to a webhook receiver that rejects it. Returns the header and the body that it received. */
async function rejected(from: WebhookShop = shop) {
  const receiver = await openReceiver((_, response) => response.writeHead(400).end())
  const endpoint = await from.addEndpoint(receiver.url)
  await from.emit()
  await from.deliver(endpoint)
  const [received] = receiver.received
  const [delivery] = await from.deliveries()
  if (received === undefined || delivery === undefined) throw new Error('There is no delivery.')
  const signature = String(received.headers[signatureHeader.toLowerCase()])
  const page = `/dashboard/webhooks/${endpoint.endpointId}/verify`
  return { endpoint, delivery, page, signature, body: received.rawBody }
}

type Pasted = Readonly<Record<'signature' | 'body' | 'eventId', string>>

async function verify(page: string, pasted: Partial<Pasted>, member = owner) {
  const { status, text } = await member.submit(page, page, pasted)
  return { status, html: text, text: textOf(text) }
}

function textOf(page: string): string {
  return unescaped(page.replaceAll(/<[^>]+>/g, ' ')).replaceAll(/\s+/g, ' ')
}

/** Returns two excerpts from the first difference on: one of the sent body and one of the pasted body. */
function excerptsIn(html: string): string[] {
  return [...html.matchAll(/<td data-title="From this byte">(.*?)<\/td>/g)].map(([, cell = '']) => textOf(cell).trim())
}

function secondsOf(signature: string): number {
  return Number(/t=(\d+)/.exec(signature)?.[1])
}

describe('a valid signature', () => {
  test('the page says that the signature of a received delivery is valid, changes nothing, and shows no signing secret', async () => {
    const { page, signature, body, endpoint } = await rejected()
    await expectNoChangeOf(api(), async () => {
      const { status, text, html } = await verify(page, { signature, body })
      expect(status).toBe(200)
      expect(text).toContain('The signature is valid: it matches the body and a signing secret of this endpoint')
      expect(html).not.toContain(endpoint.secret)
    })
  })

  test('the form accepts the whole header line as well as the value of the header alone', async () => {
    const { page, signature, body } = await rejected()
    expect((await verify(page, { signature: `service-signature: ${signature}`, body })).text).toContain('is valid:')
  })

  test('a signature with the old signing secret is valid during the grace period of a secret rotation, and matches no secret afterwards', async () => {
    const { page, signature, body, endpoint } = await rejected()
    const shown = `/dashboard/webhooks/${endpoint.endpointId}`
    api().clock.advance(1000)
    await owner.submit(shown, `${shown}/rotate`, { graceHours: '1' })
    expect((await verify(page, { signature, body })).text).toContain('The signature is valid')
    api().clock.advance(3_600_000)
    const { text } = await verify(page, { signature, body })
    expect(text).toContain('The body is the body that the service sent, byte for byte, but no signature')
    expect(text).toContain('The timestamp of the header is 3,601 seconds before now, and the tolerance is 300 seconds.')
  })

  test.each([
    [301, 'before', 'If the receiver rejected the delivery at its arrival, set the clock of the receiver.'],
    [-301, 'after', 'The receiver is right to reject it.'],
  ] as const)('a correct signature with a timestamp that is %i seconds old is reported as correct, but outside the tolerance', async (age, side, cause) => {
    const { page, body, endpoint } = await rejected()
    const at = Math.floor(api().clock.nowMs() / 1000) - age
    const { status, text } = await verify(page, { signature: serviceSignature([endpoint.secret], at, body), body })
    expect(status).toBe(200)
    expect(text).toContain(
      `The signature is right, but its timestamp is 301 seconds ${side} now, and the tolerance is 300 seconds.`,
    )
    expect(text).toContain(cause)
  })
})

describe('a malformed header', () => {
  const digest = '0'.repeat(64)
  test.each([
    ['no timestamp', `v1=${digest}`, 'has no t.'],
    ['two timestamps', `t=1,t=2,v1=${digest}`, 'has more than one timestamp t.'],
    ['a timestamp that is no number', `t=now,v1=${digest}`, 'has a timestamp t that is not in Unix seconds.'],
    ['no signature', 't=1795336200', 'has no v1.'],
    ['a short signature', `t=1795336200,v1=${digest.slice(1)}`, 'has no v1 of 64 lower-case hexadecimal digits.'],
    ['a signature in capitals', `t=1795336200,v1=${'A'.repeat(64)}`, 'has no v1 of 64 lower-case hexadecimal digits.'],
    ['text beyond the maximum length', 'é'.repeat(501), 'Use at most 500 characters.'],
  ])('a header with %s is refused with a message about the problem, and the form shows the entered header and body again', async (_, signature, problem) => {
    const { page } = await rejected()
    const { status, html, text } = await verify(page, { signature, body: '\n{"a":1}' })
    expect(status).toBe(422)
    expect(text).toContain(problem)
    expect(unescaped(html)).toContain(`value="${signature}"`)
    expect(unescaped(html)).toContain('>\n\n{"a":1}</textarea>')
  })

  test('if the header and the body are missing, the form is refused, with a problem at both fields', async () => {
    const { page } = await rejected()
    const { status, text } = await verify(page, {})
    expect(status).toBe(422)
    expect(text).toContain('Service-Signature: Fill in this field.')
    expect(text).toContain('Body: Paste the body that the receiver read.')
  })

  test('an event id with an invalid format is refused', async () => {
    const { page, signature, body } = await rejected()
    const { status, text } = await verify(page, { signature, body, eventId: 'ord_1' })
    expect([status, text.includes('An event id starts with evt_.')]).toEqual([422, true])
  })
})

describe('a body that differs from the sent body', () => {
  test('a body of serialised JSON is compared with the sent body, and the first byte that differs is shown', async () => {
    const { page, signature, body } = await rejected()
    const changed = JSON.stringify(JSON.parse(body), null, 2)
    const { status, text, html } = await verify(page, { signature, body: changed })
    expect(status).toBe(200)
    expect(text).toContain('The signature is right for the body that the service sent, but the pasted body differs')
    expect(text).toContain('The first byte that differs is at offset 1.')
    expect(text).toContain('so the body was parsed and serialised again')
    const [sent = '', pasted = ''] = excerptsIn(html)
    expect(body.slice(1)).toContain(sent)
    expect(pasted).toMatch(/^\\n {1,2}"id": "evt_/)
  })

  test('if the fields of the pasted body are sorted, the page says that the body was parsed and serialised again', async () => {
    const { page, signature, body } = await rejected()
    const entries = Object.entries(JSON.parse(body)).toSorted(([one], [other]) => (one < other ? -1 : 1))
    const { text } = await verify(page, { signature, body: JSON.stringify(Object.fromEntries(entries)) })
    expect(text).toContain('so the body was parsed and serialised again')
  })

  test('if white space such as a line break was added at the end of the body, the page names this cause', async () => {
    const { page, signature, body } = await rejected()
    const { text, html } = await verify(page, { signature, body: `${body}\n` })
    expect(text).toContain('White space, such as a line break, was added')
    expect(text).toContain(`The first byte that differs is at offset ${Buffer.byteLength(body)}.`)
    expect(excerptsIn(html)).toEqual(['the body ends here', '\\n'])
  })

  test('for a body with one added character, the page shows the difference, and does not say that the body was serialised again', async () => {
    const { page, signature, body } = await rejected()
    const at = body.indexOf('"available":') + '"available":'.length
    const { text, html } = await verify(page, { signature, body: `${body.slice(0, at)}7${body.slice(at)}` })
    expect(text).toContain(`The first byte that differs is at offset ${at}.`)
    expect(text).not.toContain('serialised again')
    expect(excerptsIn(html)[1]?.startsWith(`7${excerptsIn(html)[0]?.[0]}`)).toBe(true)
  })

  test('if the pasted body contains no event id, the page compares this body with the sent body of the event whose id the member entered', async () => {
    const { page, signature, delivery } = await rejected()
    const without = await verify(page, { signature, body: '[object Object]' })
    expect(without.text).toContain('The body does not contain the id of an event.')
    const { text, html } = await verify(page, { signature, body: '[object Object]', eventId: ` ${delivery.eventId} ` })
    expect(text).toContain('The first byte that differs is at offset 0.')
    expect(excerptsIn(html)[1]).toBe('[object Object]')
  })

  test('if the signature is forged and the body is changed, the signature matches neither the pasted body nor the sent body', async () => {
    const { page, signature, body } = await rejected()
    const forged = serviceSignature([newSigningSecret()], secondsOf(signature), body)
    const { text } = await verify(page, { signature: forged, body: `${body} ` })
    expect(text).toContain('neither with the pasted body nor with the body that the service sent')
    expect(text).toContain('Anonymising a customer also replaces the personal data')
  })
})

describe('an event of another endpoint', () => {
  test('for a delivery of another endpoint of the merchant, the page links to the verification page of that endpoint', async () => {
    const first = await rejected()
    const { endpointId } = await shop.addEndpoint('http://127.0.0.1:9/other', 'Warehouse', ['order.created'])
    const { signature, body } = first
    const { text, html } = await verify(`/dashboard/webhooks/${endpointId}/verify`, { signature, body })
    expect(text).toContain('No signature in the header matches a signing secret of this endpoint.')
    expect(html).toContain(`href="${first.page}?event=${first.delivery.eventId}"`)
    const linked = await owner.get(`${first.page}?event=${first.delivery.eventId}`)
    expect(linked.text).toContain(`name="eventId" type="text" value="${first.delivery.eventId}"`)
    const removal = `/dashboard/webhooks/${first.endpoint.endpointId}/delete`
    await owner.submit(removal, removal)
    const removed = await verify(`/dashboard/webhooks/${endpointId}/verify`, { signature, body })
    expect(removed.text).toContain('to an endpoint that is deleted')
  })

  test('the verification treats an event of another merchant as unknown, and shows no part of its body', async () => {
    const { page } = await rejected()
    const foreign = await rejected(await openWebhookShop(api()))
    const { signature, delivery } = foreign
    const { text, html } = await verify(page, { signature, body: '{}', eventId: delivery.eventId })
    expect(text).toContain(`No delivery of the event ${delivery.eventId} is stored.`)
    expect(html).not.toContain('variantId')
    expect((await owner.get(foreign.page)).status).toBe(404)
  })
})

describe('hostile texts', () => {
  test('markup, right-to-left text and invisible characters are escaped in the result and in the form', async () => {
    const { page, signature, delivery } = await rejected()
    const body = '<script>"\u202Eאב\u200B👗\\'
    const { html } = await verify(page, { signature, body, eventId: delivery.eventId })
    expect(html).not.toContain('<script>"')
    expect(excerptsIn(html)[1]).toBe('<script>"\\u{202e}\\u{5d0}\\u{5d1}\\u{200b}\\u{1f457}\\\\')
    expect(unescaped(html)).toContain(`>\n${body}</textarea>`)
  })

  test('a body of the maximum request size is verified, and a larger body is refused', async () => {
    const { page, signature, delivery } = await rejected()
    const body = 'é'.repeat(bodyMaxBytes / 2)
    const { status, text } = await verify(page, { signature, body, eventId: delivery.eventId })
    expect([status, text.includes('The first byte that differs is at offset 0.')]).toEqual([200, true])
    const larger = await verify(page, { signature, body: `${body}a` })
    expect([larger.status, larger.text.includes('Paste at most 1 MiB.')]).toEqual([422, true])
  })

  test('a body that consists only of line breaks can be as large as any other body, although a form encodes each line break as six bytes', async () => {
    const { page, signature, delivery } = await rejected()
    const body = '\r\n'.repeat(bodyMaxBytes)
    const { status, text } = await verify(page, { signature, body, eventId: delivery.eventId })
    expect([status, text.includes('The first byte that differs is at offset 0.')]).toEqual([200, true])
  })

  test('if the session has expired, the form that verifies a pasted body leads to the sign-in page, which says to fill in the form again', async () => {
    const { page, signature } = await rejected()
    const fields = formOf((await owner.get(page)).text, page)
    owner.cookies.delete('commerce-session')
    const { status, text } = await owner.post(page, { ...fields, signature, body: 'a'.repeat(bodyMaxBytes) })
    expect([status, text.includes('Sign in, and fill in the form again.')]).toEqual([401, true])
    expect(text).toContain(`name="next" value="${page}"`)
  })

  test('for a body with thousands of nested levels, the page says that no signature matches', async () => {
    const { page, signature } = await rejected()
    const { status, text } = await verify(page, { signature, body: '['.repeat(100_000) + ']'.repeat(100_000) })
    expect([status, text.includes('No signature matches this body and secret.')]).toEqual([200, true])
  })
})

test('a viewer can verify signatures, and the pages of a webhook endpoint and of a rejected delivery link to the verification page', async () => {
  const { page, signature, body, delivery } = await rejected()
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  expect((await verify(page, { signature, body }, viewer)).text).toContain('The signature is valid')
  const endpoint = await viewer.get(page.replace('/verify', ''))
  expect(endpoint.text).toContain(`href="${page}"`)
  const shown = await viewer.get(`/dashboard/deliveries/${delivery.id}`)
  expect(shown.text).toContain(`href="${page}?event=${delivery.eventId}"`)
})
