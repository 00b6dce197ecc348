import { readFile } from 'node:fs/promises'
import { events } from '../../registry/index.ts'
import { serviceSignature } from '../../src/webhooks/sign.ts'
import type { Page } from './page.ts'
import { type ReceiverSample, receiverPage } from './receiver-page.ts'

/** The page on webhooks, with the files of code it shows and a signature made by the service's own code. */
export async function receiverReference(): Promise<Page> {
  const samples = await Promise.all(files.map(async (file) => ({ ...file, code: await textOf(file.path) })))
  const secret = `whsec_${Buffer.from('thirty-two bytes, known to all..').toString('base64')}`
  const seconds = 1_795_336_200
  const body = JSON.stringify(events['inventory.low_stock'].envelopeExample)
  const worked = { secret, seconds, body, header: serviceSignature([secret], seconds, body) }
  return receiverPage({ samples, worked })
}

const files: readonly Omit<ReceiverSample, 'code'>[] = [
  { title: 'TypeScript', path: 'src/receiver/receive-webhook.ts', language: 'ts' },
  { title: 'TypeScript, the verifier', path: 'src/receiver/verify-webhook.ts', language: 'ts' },
  { title: 'Python', path: 'src/receiver/verify_webhook.py', language: 'python' },
  { title: 'PHP', path: 'src/receiver/verify-webhook.php', language: 'php' },
  { title: 'Java', path: 'src/receiver/VerifyWebhook.java', language: 'java' },
]

function textOf(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}
