import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verifyWebhook } from '../../src/receiver/verify-webhook.ts'
import { useDatabase } from '../support/database.ts'
import { portOf } from '../webhooks/receiver.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()

test('the command `webhook check` prints, as JSON or as text, its test requests to a webhook receiver and its verdict on the receiver', async () => {
  const { merchant, endpoint, setVerifier } = await openEndpoint()
  setVerifier(async (request, rawBody, secret) => {
    const { is } = await verifyWebhook({ rawBody, headers: request.headers, secret })
    return is === 'verified'
  })
  const words = ['webhook', 'check', '--merchant', merchant, '--endpoint', endpoint]
  expect(await commerceJson(opened().connectionString, ...words)).toMatchObject({
    id: endpoint,
    kind: 'order.refunded',
    verdict: 'sound',
    findings: [],
    probes: [{ name: 'valid', outcome: 'acknowledged', httpStatus: 200 }, {}, {}, {}, {}, {}, { name: 'duplicate' }],
  })
  const asText = await commerce(opened().connectionString, ...words, '--kind', 'order.created')
  expect(asText).toMatchObject({ code: 0, stderr: '' })
  expect(asText.stdout).toMatch(/^probe +expected +outcome +response +correct +sent\n/)
  expect(asText.stdout).toContain('The receiver verifies deliveries correctly.\nCheck in the receiver’s own records')

  setVerifier(async () => true)
  const flawed = await commerce(opened().connectionString, ...words)
  expect(flawed.stdout).toMatch(
    /The receiver does not verify deliveries correctly\.\n- The receiver accepts forged events/,
  )
  expect(flawed.stdout).toMatch(/^forged +refused +acknowledged +200 +NO +A sample signed with another secret\.$/m)
})

test('the command `webhook check` fails with one line of output for a malformed or unknown id of a webhook endpoint', async () => {
  const { merchant } = await openEndpoint()
  for (const endpoint of ['whe_none', 'whe_01jd3f8q6hf5n8v1zr4c7e2m9k']) {
    const words = ['webhook', 'check', '--merchant', merchant, '--endpoint', endpoint]
    expect(await commerce(opened().connectionString, ...words)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`The merchant has no webhook endpoint ${endpoint}.`),
    })
  }
})

type Verifier = (request: IncomingMessage, rawBody: Buffer, secret: string) => Promise<boolean>

async function openEndpoint() {
  let verifier: Verifier = async () => false
  let secret = ''
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    response.writeHead((await verifier(request, Buffer.concat(chunks), secret)) ? 200 : 400).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const merchant = await idOf('merchant', 'create', '--name', 'Adire Lagos')
  const url = `http://127.0.0.1:${portOf(server.address())}/`
  const words = ['webhook', 'create', '--merchant', merchant, '--url', url, '--events', 'order.refunded']
  const made = await commerceJson(opened().connectionString, ...words)
  secret = textAt(made, 'secret')
  return {
    merchant,
    endpoint: textAt(made, 'id'),
    setVerifier: (next: Verifier) => {
      verifier = next
    },
  }
}

async function idOf(...words: string[]): Promise<string> {
  return textAt(await commerceJson(opened().connectionString, ...words), 'id')
}

function textAt(value: unknown, name: string): string {
  return String(Reflect.get(Object(value), name))
}
