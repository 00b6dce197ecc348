import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureHeader } from '../../../registry/kit/event.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { serviceSignature } from '../../../src/webhooks/sign.ts'
import { newSigningSecret } from '../../../src/webhooks/signing-secret.ts'
import { deliveries } from '../../receiver/deliveries.ts'
import { portOf } from '../../webhooks/receiver.ts'

/**
 * Tests the webhook receivers of the reference, each with the tools of its programming language. First, the function
 * that verifies deliveries gets a table of deliveries. Then the whole program runs as a server. Languages that are not
 * installed are skipped.
 */

const receiverFolder = fileURLToPath(new URL('../../../src/receiver/', import.meta.url))
const driverFolder = fileURLToPath(new URL('drivers/', import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-receivers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Language {
  readonly name: string
  /**
   * The programs that each language needs, with the option that prints their version and thus shows whether they are
   * installed.
   */
  readonly programs: readonly (readonly [program: string, option: string])[]
  readonly prepare?: () => void
  readonly drive: () => readonly string[]
  readonly serve: (port: number) => readonly string[]
}

const languages: readonly Language[] = [
  {
    name: 'Python',
    programs: [['python3', '--version']],
    drive: () => ['python3', `${driverFolder}driver.py`],
    serve: () => ['python3', '-B', `${receiverFolder}verify_webhook.py`],
  },
  {
    name: 'PHP',
    programs: [['php', '--version']],
    drive: () => ['php', `${driverFolder}driver.php`],
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, `${receiverFolder}verify-webhook.php`],
  },
  {
    name: 'Java',
    programs: [
      ['javac', '-version'],
      ['java', '-version'],
    ],
    prepare: () => {
      const sources = [`${receiverFolder}VerifyWebhook.java`, `${driverFolder}Driver.java`]
      execFileSync('javac', ['-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', folder, ...sources], {
        stdio: 'pipe',
      })
    },
    drive: () => ['java', '-cp', folder, 'Driver'],
    serve: () => ['java', '-cp', folder, 'VerifyWebhook'],
  },
]

function isHere({ programs }: Language): boolean {
  try {
    for (const [program, option] of programs) execFileSync(program, [option], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

for (const language of languages) {
  const { name } = language
  const isMissing = !isHere(language)
  if (isMissing) console.warn(`${name} is not on this machine: its receiver is not tested here.`)

  describe.skipIf(isMissing)(`${name}${isMissing ? ', which is not installed' : ''}`, () => {
    beforeAll(() => language.prepare?.())

    test('a verifier in another language accepts and rejects the same webhook deliveries as the TypeScript verifier', () => {
      const [program = '', ...words] = language.drive()
      const env = { ...process.env, RECEIVER_FOLDER: receiverFolder }
      const output = execFileSync(program, words, { input: deliveries.map(lineOf).join(''), env }).toString()
      const verdicts = output.trim().toLowerCase().split('\n')
      const named = deliveries.map((delivery, index) => `${delivery.name}: ${verdicts[index]}`)
      expect(named).toEqual(deliveries.map((delivery) => `${delivery.name}: ${delivery.isAccepted}`))
      expect(verdicts).toHaveLength(deliveries.length)
    })

    test('the example server receives webhook deliveries and verifies their raw bytes', async () => {
      const secrets = [newSigningSecret(), newSigningSecret()]
      const body = JSON.stringify({ ...events['inventory.low_stock'].envelopeExample, note: 'Bálogun 👗' })
      const server = await serve(language, secrets)
      try {
        const now = Math.floor(systemClock.nowMs() / 1000)
        const post = async (sent: string, header?: string) => {
          const headers = header === undefined ? {} : { [signatureHeader]: header }
          return (await fetch(server.url, { method: 'POST', headers, body: sent })).status
        }
        for (const secret of secrets) expect(await post(body, serviceSignature([secret], now, body))).toBe(204)
        expect(await post(`${body} `, serviceSignature(secrets, now, body))).toBe(400)
        expect(await post(body, serviceSignature(secrets, now - 310, body))).toBe(400)
        expect(await post(body, serviceSignature(secrets, now + 330, body))).toBe(400)
        expect(await post(body)).toBe(400)
      } finally {
        server.child.kill()
        await once(server.child, 'exit')
      }
    })
  })
}

function lineOf({ rawBody, header, secrets, nowSeconds }: (typeof deliveries)[number]): string {
  const encoded = header === null ? '-' : Buffer.from(header).toString('base64')
  return `${[rawBody.toString('base64'), encoded, secrets.join(' '), nowSeconds].join('\t')}\n`
}

/**
 * Starts the receiver's server and reads its URL from the output. PHP's server needs a port number, so it gets a
 * currently free port.
 */
async function serve(language: Language, secrets: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const [program = '', ...words] = language.serve(await freePort())
  const env = { ...process.env, PORT: '0', WEBHOOK_SECRETS: secrets.join(' ') }
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    const listen = (data: Buffer) => {
      output += data
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (found !== null) resolve(`${found[0]}/`)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('exit', () => reject(new Error(`${program} ended: ${output}`)))
  })
  return { url, child }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  server.close()
  await once(server, 'close')
  return port
}
