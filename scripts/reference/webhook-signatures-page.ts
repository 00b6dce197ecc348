import { readFile } from 'node:fs/promises'
import { signatureHeader } from '../../registry/kit/event.ts'
import { webhookToleranceSeconds } from '../../registry/values/limits.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { serviceSignature } from '../../src/webhooks/sign.ts'
import { fenced, link } from './markdown.ts'
import type { Page } from './page.ts'

/** A source file that the page on webhook signatures shows completely. */
interface CodeSample {
  readonly title: string
  readonly path: string
  readonly language: string
  readonly code: string
}

/** An example delivery with fixed content, so that readers can reproduce its signature. */
interface WorkedExample {
  readonly secret: string
  readonly seconds: number
  readonly body: string
  readonly header: string
}

/**
 * Returns the page on the verification of webhook signatures, with tested code and a signature computed by the
 * service's own code.
 */
export async function webhookSignaturesPage(): Promise<Page> {
  const samples = await Promise.all(files.map(async (file) => ({ ...file, code: await textOf(file.path) })))
  return {
    path: 'webhook-signatures',
    title: 'Webhook signatures',
    summary: 'How to verify the signature of a webhook delivery, with code in TypeScript, Python, PHP and Java.',
    kind: 'page',
    words: [signatureHeader, 'verify HMAC-SHA256 secret whsec Standard Webhooks'],
    parts: parts(samples, workedExample()),
  }
}

const files: readonly Omit<CodeSample, 'code'>[] = [
  { title: 'TypeScript', path: 'src/receiver/receive-webhook.ts', language: 'ts' },
  { title: 'TypeScript verifier', path: 'src/receiver/verify-webhook.ts', language: 'ts' },
  { title: 'Python', path: 'src/receiver/verify_webhook.py', language: 'python' },
  { title: 'PHP', path: 'src/receiver/verify-webhook.php', language: 'php' },
  { title: 'Java', path: 'src/receiver/VerifyWebhook.java', language: 'java' },
]

function textOf(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}

function workedExample(): WorkedExample {
  const secret = `whsec_${Buffer.from('thirty-two bytes, known to all..').toString('base64')}`
  const seconds = 1_795_336_200
  const body = JSON.stringify(events['inventory.low_stock'].envelopeExample)
  return { secret, seconds, body, header: serviceSignature([secret], seconds, body) }
}

function parts(samples: readonly CodeSample[], worked: WorkedExample): string[] {
  return [
    `Every webhook delivery is signed with the signing secret of its endpoint. The ${link('webhooks guide', 'guides/webhooks')} ` +
      'covers the other requirements of a receiver.',
    '## Verification',
    steps,
    `The three \`webhook-…\` headers carry a second signature of the same delivery, for libraries of Standard Webhooks. Verify one ` +
      `of the two. Stripe’s libraries accept \`${signatureHeader}\` as well, but do not reject a timestamp in the future.`,
    '## Worked example',
    exampleParts(worked),
    '## Code',
    'Each program is complete. The TypeScript version consists of two files and `generated/webhook-events.d.ts`, the types of the ' +
      'events. The tests of the service run all of them against the same valid and invalid deliveries and compare the results. ' +
      'A language that is not installed on the test machine is skipped, and the test output names the language.',
    ...samples.flatMap(({ title, path, language, code }) => [`### ${title}`, `\`${path}\``, fenced(code, language)]),
    '## Rejected signatures',
    `If a receiver rejects deliveries, paste the header and the body that it read into “Verify a signature” on the page of the ` +
      `endpoint in the dashboard. The page names the cause, such as the first byte of the body that was changed. ` +
      `The ${link('webhooks guide', 'guides/webhooks')} lists the causes.`,
    '## Secret rotation',
    'During a rotation, each delivery carries two `v1` values: first the one of the new secret, then the one of the ' +
      'old secret. A receiver that checks every `v1` needs no coordinated switch: configure the new secret while ' +
      'the old one is still valid, and remove the old one later.',
  ]
}

const steps = [
  `1. Split the value of \`${signatureHeader}\` at its commas. It has one \`t=\`, a Unix timestamp in seconds, and at least one \`v1=\`.`,
  '2. Concatenate the text of `t`, a full stop and the raw bytes of the body.',
  '3. Compute the HMAC-SHA256 of the result. The key is the text of the secret as shown, including `whsec_`, without decoding.',
  '4. Compare its lower-case hex with each `v1` in constant time. One match is sufficient.',
  `5. Reject the delivery if \`t\` is more than ${webhookToleranceSeconds} seconds before or after your clock.`,
].join('\n')

function exampleParts({ secret, seconds, body, header }: WorkedExample): string {
  return [
    'The signing secret',
    fenced(secret),
    `and this body, sent at \`${seconds}\`,`,
    fenced(body, 'json'),
    'give the header',
    fenced(`${signatureHeader}: ${header}`),
    'This command computes the same signature:',
    fenced(`printf '%s' '${seconds}.${body}' | openssl dgst -sha256 -hmac '${secret}'`, 'sh'),
  ].join('\n\n')
}
