import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { signatureHeaders } from '../../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../../src/webhooks/signing-secret.ts'
import { start } from '../../cli/commerce.ts'

const secret = newSigningSecret()
const body = JSON.stringify({ id: 'evt_01jd3f8q6hf5n8v1zr4c7e2m9k', event: 'order.created', data: {} })
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await stop(child)
})

test('the command `listen` acknowledges a signed event, and rejects an altered or unsigned event', async () => {
  const listener = await listen('--secret', secret, '--json')
  expect((await send(listener.url, body)).status).toBe(200)
  expect(JSON.parse(await listener.line())).toMatchObject({
    kind: 'order.created',
    id: 'evt_01jd3f8q6hf5n8v1zr4c7e2m9k',
    verified: true,
    reason: null,
  })
  expect((await send(listener.url, body, `${body} `)).status).toBe(400)
  expect(JSON.parse(await listener.line())).toMatchObject({
    verified: false,
    reason: expect.stringMatching(/rejected/),
  })
  expect((await fetch(listener.url, { method: 'POST', body })).status).toBe(400)
  expect(await listener.line()).toContain('rejected: The request has no Service-Signature header.')
  expect(await stop(listener.child)).toBe(0)
})

test('the command `listen` rejects an event with an old signature', async () => {
  const listener = await listen('--secret', secret)
  expect((await send(listener.url, body, body, -400)).status).toBe(400)
  expect(await listener.line()).toMatch(
    / order\.created {2}evt_\w+ {2}rejected: The request was signed 40\d seconds ago; the tolerance is 300 seconds\.$/,
  )
})

test('the command `listen --forward` forwards only verified requests, with the same bytes and signature', async () => {
  const received: { text: string; signature: unknown }[] = []
  const behind = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    received.push({ text, signature: request.headers['service-signature'] })
    response.writeHead(202).end()
  })
  behind.listen(0, '127.0.0.1')
  await once(behind, 'listening')
  const address = behind.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const listener = await listen('--secret', secret, '--forward', `http://127.0.0.1:${port}/hook`)
  expect((await send(listener.url, body)).status).toBe(202)
  expect(await listener.line()).toMatch(/verified {2}forwarded: 202$/)
  await send(listener.url, body, `${body} `)
  await listener.line()
  expect(received).toEqual([{ text: body, signature: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) }])
  behind.close()
  behind.closeAllConnections()
})

async function listen(...words: string[]) {
  const child = start('', ['listen', '--port', '0', ...words])
  children.push(child)
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The child has no output.')
  const [greeting] = await once(createInterface({ input: stderr }), 'line')
  const url = String(greeting).match(/http:\S+/)?.[0] ?? ''
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return { child, url, line: async () => String((await lines.next()).value) }
}

/** Sends a webhook body with the signature of the body `signed`. By default, the sent body is the signed body. */
function send(url: string, signed: string, sent = signed, laterSeconds = 0): Promise<Response> {
  const seconds = Math.floor(systemClock.nowMs() / 1000) + laterSeconds
  const headers = signatureHeaders({ secrets: [secret], eventId: 'evt', seconds, body: signed })
  return fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: sent })
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}
