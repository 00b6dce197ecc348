import { eventKinds, signatureHeader } from '../../registry/kit/event.ts'
import { signatureParameters } from '../../registry/kit/headers.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import {
  eventFeedDays,
  webhookAcknowledgementSeconds,
  webhookExpiryNoticeDays,
  webhookFailuresBeforeDisabling,
  webhookReplayDays,
  webhookRetentionDays,
  webhookRetryDelaysMinutes,
  webhookToleranceSeconds,
} from '../../registry/values/limits.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { fenced, link, table } from './markdown.ts'
import type { Page } from './page.ts'

/** One file of code the page shows whole. */
export interface ReceiverSample {
  readonly title: string
  readonly path: string
  readonly language: string
  readonly code: string
}

/** A delivery of fixed bytes, so that anybody can make its signature again. */
export interface WorkedExample {
  readonly secret: string
  readonly seconds: number
  readonly body: string
  readonly header: string
}

interface Given {
  readonly samples: readonly ReceiverSample[]
  readonly worked: WorkedExample
}

/** What an integrator who receives webhooks has to know, on one page, from the registry and from code that is tested. */
export function receiverPage({ samples, worked }: Given): Page {
  return {
    path: 'webhooks',
    title: 'Receiving webhooks',
    summary:
      'What a receiver must do, how to verify a delivery, when it is tried again, and how to find what was missed.',
    kind: 'page',
    words: [
      signatureHeader,
      'signature verify HMAC-SHA256 secret whsec retry replay disabled duplicate',
      ...duties,
      ...eventKinds,
    ],
    parts: parts({ samples, worked }),
  }
}

function parts({ samples, worked }: Given): string[] {
  return [
    'An endpoint is an HTTPS address of yours with a signing secret and the kinds of events it wants. Each event is sent to it as ' +
      'a POST request with a JSON body.',
    '## The kinds',
    table(
      ['kind', 'when'],
      eventKinds.map((kind) => [link(`\`${kind}\``, `webhooks/${kind}`), events[kind].meaning]),
    ),
    '## What a receiver must do',
    duties.map((duty, index) => `${index + 1}. ${duty}`).join('\n'),
    '## What is sent',
    table(['header', 'meaning'], [['`Content-Type`', '`application/json`'], ...headerRows()]),
    `\`${signatureHeader}\` and the three \`webhook-…\` headers are two signatures of the same delivery. Verify one of them: ` +
      'the first as described here, the others with any library of Standard Webhooks. Stripe’s libraries take the first too, but ' +
      'look only at how old it is: they let a time far ahead pass.',
    envelope,
    '## The signature',
    recipe,
    workedExample(worked),
    '## Code',
    'Each of these is complete; the one for TypeScript is two files and `generated/webhook-events.d.ts`, the types of the events. The ' +
      'service’s tests run them on one table of deliveries, right and wrong, and compare their verdicts. They leave out a language ' +
      'that is not on their machine, and name it.',
    ...samples.flatMap(({ title, path, language, code }) => [`### ${title}`, `\`${path}\``, fenced(code, language)]),
    '## When a delivery fails',
    failing,
    '## Changing the secret',
    'While a secret is being changed, each delivery carries one `v1` for the new secret and one for the old, the new one’s first. ' +
      'A receiver that looks at all of them needs no moment at which everything changes at once: give it the new secret while it ' +
      'still has the old, and take the old one away later.',
    '## What a receiver missed',
    missed,
    '## Trying a receiver',
    trying,
  ]
}

const duties = [
  'Read the body as bytes, before anything parses it. JSON that was parsed and written again has other bytes, and its signature ' +
    'does not match.',
  `Check the signature in constant time, and that its time is within ${webhookToleranceSeconds} seconds of your clock, **either ` +
    'way**. Refuse anything else, with 400 say.',
  `Answer with any 2xx within ${webhookAcknowledgementSeconds} seconds. Put the event into a queue or a table and answer; do the ` +
    'work afterwards. Redirects are not followed, and the answer’s body means nothing.',
  'Expect an event more than once, and handle each `id` once. Repeats, retries and replays have the same `id` and the same body ' +
    'with a new time and signature. Answer a repeat with 2xx too.',
  'Expect events in any order. Events of an order’s creation and status carry its `version`, and each event its `createdAt`: pass ' +
    'over what is older than what you have, or read the record.',
  'Pass over kinds and fields you do not know, with 2xx: later releases may add some.',
]

function headerRows(): string[][] {
  return signatureParameters.map((schema) => {
    const { description = '', ...said } = schema.meta() ?? {}
    return [`\`${at(said, 'param', 'name')}\``, description]
  })
}

const envelope = table(
  ['field of the body', 'meaning'],
  Object.entries(events['order.created'].envelope.shape).map(([name, field]) => [
    `\`${name}\``,
    name === 'data' ? 'What happened; see the page of each kind.' : (field.meta()?.description ?? ''),
  ]),
)

const recipe = [
  `1. Split \`${signatureHeader}\` at its commas. There is one \`t=\`, a time in Unix seconds, and at least one \`v1=\`.`,
  '2. Join the text of `t`, a full stop, and the body’s bytes.',
  '3. Make the HMAC-SHA256 of that. The key is the text of the secret as it is shown, `whsec_` included: nothing is decoded.',
  '4. Compare its lower-case hex with each `v1` in constant time. One match is enough.',
  `5. Refuse if \`t\` is more than ${webhookToleranceSeconds} seconds from your clock, in the past or in the future.`,
].join('\n')

function workedExample({ secret, seconds, body, header }: WorkedExample): string {
  return [
    'For example, with the secret',
    fenced(secret),
    `this body, sent at \`${seconds}\`,`,
    fenced(body, 'json'),
    'has the header',
    fenced(`${signatureHeader}: ${header}`),
    'which can be made again by',
    fenced(`printf '%s' '${seconds}.${body}' | openssl dgst -sha256 -hmac '${secret}'`, 'sh'),
  ].join('\n\n')
}

const failing = [
  `Any status but 2xx is a failure, and so is no answer within ${webhookAcknowledgementSeconds} seconds. A delivery is then tried ` +
    'again, counted from the end of the attempt before:',
  table(
    ['attempt', 'after the one before', 'after the first'],
    webhookRetryDelaysMinutes.map((delay, index) => [
      String(index + 2),
      duration(delay),
      duration(webhookRetryDelaysMinutes.slice(0, index + 1).reduce((sum, each) => sum + each, 0)),
    ]),
  ),
  `An endpoint that fails ${webhookFailuresBeforeDisabling} times in a row, with whichever deliveries, is disabled, and the merchant ` +
    'is notified; one success begins the count anew. Deliveries in flight together when an endpoint first fails count as one ' +
    'failure. Nothing that was queued is lost: it is held, and goes on when the endpoint is enabled again. ' +
    'Events that happen meanwhile are kept as skipped deliveries, which can be replayed.',
  'While an endpoint fails it gets one delivery at a time, and events that are new wait some seconds more after each failure, so ' +
    'that a receiver’s restart does not disable it.',
  `All of this is kept for ${webhookRetentionDays} days at least. What is still held when its month is older than that is gone; the ` +
    `merchant is notified ${webhookExpiryNoticeDays} days before, and again when it happens.`,
].join('\n\n')

const missed = [
  `\`GET /events\`, with the scope \`events:read\`, lists the events of the last ${eventFeedDays} days in the very bytes of their ` +
    'deliveries, whether or not any of them arrived. List from a minute before your last look on and handle each `id` you do not ' +
    'know: that is all it takes to be sure that nothing was missed.',
  'A single delivery can be replayed: the same `id` and body are sent once more, at once, also to a disabled endpoint. A replay ' +
    'that fails is not tried again and counts for nothing; one that succeeds settles the delivery. All that an endpoint did not get ' +
    `since a moment, up to ${webhookReplayDays} days ago, is sent again by \`npm run -s commerce -- webhook replay\`, the oldest first ` +
    'and a few at a time.',
].join('\n\n')

const trying = [
  'A sample of any kind can be sent to an endpoint, a disabled one too: `npm run -s commerce -- event test`. It is signed like any ' +
    'delivery, says `"test": true` in its envelope, has an `id` that ends in `testtest`, is tried once, counts for nothing and is ' +
    'not in `GET /events`. Its data is the sample on the kind’s page, so the records it names do not exist.',
  '`npm run -s commerce -- webhook check` sends an endpoint seven samples: a valid one, one that is forged, one too old, one too far ' +
    'ahead, one that was altered, one without a signature, and the valid one again. It reports which of them were taken. That a ' +
    'repeated event was also handled only once, only your own records can tell.',
  '`npm run -s commerce -- listen` receives deliveries on your own machine, verifies them and hands them on.',
].join('\n\n')

function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const left = minutes % 60
  const parts = [count(hours, 'hour'), count(left, 'minute')].filter((part) => part !== undefined)
  return parts.join(' ')
}

function count(number: number, unit: string): string | undefined {
  if (number === 0) return undefined
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`
}
