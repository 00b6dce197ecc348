import { expect, test } from 'vitest'
import { signatureHeader } from '../../registry/kit/event.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { systemClock } from '../../src/base/clock.ts'
import { receiveWebhook } from '../../src/receiver/receive-webhook.ts'
import { serviceSignature } from '../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts'

const secrets = [newSigningSecret(), newSigningSecret()]
const event = events['order.created'].envelopeExample
const body = JSON.stringify(event)
const nowSeconds = Math.floor(systemClock.nowMs() / 1000)

async function post(header: string, sent = body) {
  const accepted: unknown[] = []
  const request = new Request('https://example.com/', {
    method: 'POST',
    headers: { [signatureHeader]: header },
    body: sent,
  })
  const response = await receiveWebhook(request, secrets, async (each) => void accepted.push(each))
  return { status: response.status, text: await response.text(), accepted }
}

test('receiveWebhook accepts a valid delivery, and responds after its accept callback has resolved', async () => {
  for (const secret of secrets) {
    const reply = await post(serviceSignature([secret], nowSeconds, body))
    expect(reply).toEqual({ status: 204, text: '', accepted: [event] })
  }
})

test('receiveWebhook rejects an invalid webhook delivery with the reason, and does not call accept', async () => {
  const refusals = [
    await post(serviceSignature(secrets, nowSeconds, body), `${body} `),
    await post(serviceSignature(secrets, nowSeconds - 310, body)),
    await post(serviceSignature(secrets, nowSeconds + 330, body)),
    await post('t=1'),
  ]
  for (const refusal of refusals) {
    expect(refusal).toEqual({ status: 400, text: expect.stringMatching(/\.$/), accepted: [] })
  }
})
