import { pino } from 'pino'
import { expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { deleteWebhookEndpoint } from '../../../src/access/delete-webhook-endpoint.ts'
import { sealSecrets } from '../../../src/access/keys/seal-secrets.ts'
import { rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { commerce, commerceJson, commerceWithInput } from '../../cli/commerce.ts'
import { useDatabase } from '../../support/database.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openReceiver, status } from '../receiver.ts'
import { openShop, operator, vault } from '../shop.ts'

const opened = useDatabase()

/**
 * Returns three forms in which a secret could leak: its text without the prefix, the bytes of its whole text in hex,
 * and its decoded bytes in hex.
 */
function formsOf(secret: string): readonly string[] {
  const encoded = secret.slice('whsec_'.length)
  return [encoded, Buffer.from(secret).toString('hex'), Buffer.from(encoded, 'base64').toString('hex')]
}

function leaksIn(text: string, secrets: readonly string[]): readonly string[] {
  return secrets.flatMap(formsOf).filter((form) => text.includes(form))
}

/**
 * Values of custom headers with the prefix of a signing secret, because formsOf() removes this prefix from each secret.
 */
const [firstValue, newValue] = ['whsec_Z2F0ZXdheSBrZXkgMQ==', 'whsec_Z2F0ZXdheSBrZXkgMg==']

test('neither a signing secret nor the value of a custom header is ever written in plain text to any table or log line', async () => {
  const { database } = opened()
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) })
  const shop = await openShop(database, { log })
  const receiver = await openReceiver()
  const headers = [{ name: 'X-Api-Key', value: firstValue }]
  const endpoint = await shop.addEndpoint(receiver.url, undefined, headers)
  const secrets = [endpoint.secret, firstValue, newValue]
  const dumps: string[] = []
  const { endpointId } = endpoint
  const rotate = async () => {
    const outcome = await rotateSigningSecret(shop.context, operator, shop.tenant, { endpointId, endsPrevious: true })
    if (outcome.is !== 'rotated') throw new Error(`Not rotated: ${outcome.is}.`)
    secrets.push(outcome.secret)
    trustSecret(receiver.url, outcome.secret)
    dumps.push(await dumpOf(opened()))
  }
  await shop.emit()
  await shop.deliver(endpoint)
  await rotate()
  // A webhook receiver whose response contains everything that it received.
  receiver.answer = ({ headers, rawBody }, response) => {
    response.writeHead(500).end(JSON.stringify(headers) + rawBody)
  }
  await rotate()
  for (let count = 0; count < 6; count++) {
    await shop.emit()
    await shop.deliver(endpoint)
  }
  const keyless = await openShop(database, { log, clock: shop.clock, openSecrets: openSecretCache(vaultOf([])) })
  const other = await shop.addEndpoint(receiver.url)
  secrets.push(other.secret)
  await shop.emit()
  await keyless.deliver(other)
  await sealSecrets({ database, vault: vaultOf([]), log })
  await sealSecrets({ database, vault: vaultOf([Buffer.alloc(32, 1)]), log })
  await sealSecrets({ database, vault, log })
  await updateWebhookEndpoint(shop.context, operator, shop.tenant, {
    ...{ endpointId, description: 'moved' },
    headers: { set: [{ name: 'X-Api-Key', value: newValue }], remove: [] },
  })
  await sweep({ ...shop.sweepContext, log })
  dumps.push(await dumpOf(opened()))
  await deleteWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  dumps.push(await dumpOf(opened()))

  expect(lines.length).toBeGreaterThan(2)
  expect(leaksIn(lines.join(''), secrets)).toEqual([])
  expect(leaksIn(dumps.join(''), secrets)).toEqual([])
  // Checks that the search finds a secret that is stored as plain text, as an earlier version of the service stored
  // secrets.
  await database.pool.query('update webhook_secrets set secret = $1, sealed = null where endpoint_id = $2', [
    other.secret,
    other.endpointId,
  ])
  expect(leaksIn(await dumpOf(opened()), secrets)).toEqual(formsOf(other.secret).slice(0, 1))
})

test('the command line shows a signing secret only on request', async () => {
  const { connectionString } = opened()
  const made = JSON.stringify(await commerceJson(connectionString, 'merchant', 'create', '--name', 'Adire Lagos'))
  const of = ['--merchant', /mer_\w+/.exec(made)?.[0] ?? '']
  const receiver = await openReceiver(status(200))
  const words = ['webhook', 'create', ...of, '--url', receiver.url, '--events', 'order.created', '--json']
  const withHeader = ['--headers', 'X-Api-Key']
  const given = { input: `X-Api-Key=${firstValue}\n` }
  const { stdout: created } = await commerceWithInput(connectionString, given, ...words, ...withHeader)
  const named = [...of, '--endpoint', /whe_\w+/.exec(created)?.[0] ?? '']
  const rotated = JSON.stringify(await commerceJson(connectionString, 'webhook', 'rotate', ...named))
  const shown = JSON.stringify(await commerceJson(connectionString, 'webhook', 'secret', ...named))
  const secretIn = (text: string) => /whsec_[\w+/]+=/.exec(text)?.[0] ?? 'none'
  expect(leaksIn(created + rotated + shown, [firstValue])).toEqual([])
  const secrets = [secretIn(created), secretIn(rotated), firstValue]
  expect(new Set(secrets).size).toBe(3)
  expect(secretIn(shown)).toBe(secrets[1])
  const quiet = [
    ['webhook', 'rotate', ...named],
    ['webhook', 'list', ...of],
    ['webhook', 'list', ...of, '--json'],
    ['webhook', 'set', ...named, '--description', 'Back office'],
    ['event', 'test', ...named, '--kind', 'order.created'],
    ['delivery', 'list', ...of],
    ['webhook', 'disable', ...named],
    ['audit', 'list', ...of, '--json'],
    ['webhook', 'delete', ...named],
    ['webhook', 'secret', ...named],
  ]
  for (const each of quiet) {
    const { stdout, stderr } = await commerce(connectionString, ...each)
    expect(stdout + stderr).not.toBe('')
    expect(leaksIn(stdout + stderr, secrets), each.join(' ')).toEqual([])
  }
})
