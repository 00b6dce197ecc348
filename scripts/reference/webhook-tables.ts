import { eventKinds, signatureHeader } from '../../registry/kit/event.ts'
import { signatureParameters } from '../../registry/kit/headers.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import {
  eventFeedDays,
  webhookAcknowledgementSeconds,
  webhookExpiryNoticeDays,
  webhookFailuresBeforeDisabling,
  webhookPacesSeconds,
  webhookReplayDays,
  webhookRetentionDays,
  webhookRetryDelaysMinutes,
  webhookToleranceSeconds,
} from '../../registry/values/limits.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { headMaxBytes, informationalMax } from '../../src/outbound/exchange.ts'
import { code, link, table } from './markdown.ts'

/** The parts of the webhooks guide that are generated from the registry: event kinds, headers, limits and retries. */

export function webhookEventTable(): string {
  return table(
    ['Event', 'Sent when'],
    eventKinds.map((kind) => [link(code(kind), `webhooks/${kind}`), events[kind].meaning]),
  )
}

export function webhookRequirements(): string {
  return requirements.map((requirement, index) => `${index + 1}. ${requirement}`).join('\n')
}

const requirements = [
  'Read the body as raw bytes, before any JSON parser. Parsed and re-serialised JSON has other bytes, and its signature does ' +
    'not match.',
  `Compare the signature in constant time, and reject a timestamp more than ${webhookToleranceSeconds} seconds before **or ` +
    'after** your clock. Respond to a rejected delivery with a 4xx such as 400.',
  `Respond with any 2xx within ${webhookAcknowledgementSeconds} seconds. Store the event in a queue or a table, respond, and ` +
    'process it afterwards. The time ends with the response headers: a body that follows later changes nothing. Redirects are ' +
    'not followed.',
  `Send at most ${informationalMax} informational (1XX) responses before the final status, and at most ${headMaxBytes / 1024} KiB ` +
    'of them and of the headers in all. Beyond that, the attempt fails.',
  'Process each event `id` once. Delivery is at least once: retries and replays have the same `id` and body with a new ' +
    'timestamp and signature. Respond to a duplicate with 2xx.',
  'Accept events in any order. Order events carry the order’s `version`, and every event its `createdAt`: ignore an event ' +
    'that is older than your state, or read the record.',
  'Respond with 2xx to unknown event kinds and ignore unknown fields: later releases may add some.',
]

export function webhookHeaderTable(): string {
  return table(['Header', 'Meaning'], [[code('Content-Type'), code('application/json')], ...headerRows()])
}

function headerRows(): string[][] {
  return signatureParameters.map((schema) => {
    const { description = '', ...meta } = schema.meta() ?? {}
    return [code(String(at(meta, 'param', 'name'))), description]
  })
}

export function webhookEnvelopeTable(): string {
  return table(
    ['Field', 'Meaning'],
    Object.entries(events['order.created'].envelope.shape).map(([name, field]) => [
      code(name),
      name === 'data'
        ? 'The data of the event. Its fields are on the page of the event.'
        : (field.meta()?.description ?? ''),
    ]),
  )
}

const paces = new Intl.ListFormat('en-GB').format(webhookPacesSeconds.map(String))

export function webhookRetries(): string {
  return [
    `A delivery attempt fails if the response is not a 2xx or takes more than ${webhookAcknowledgementSeconds} seconds. A failed ` +
      'delivery is retried on this schedule. Each delay starts at the end of the previous attempt:',
    table(
      ['Attempt', 'Delay', 'Total delay'],
      webhookRetryDelaysMinutes.map((delay, index) => [
        String(index + 2),
        duration(delay),
        duration(webhookRetryDelaysMinutes.slice(0, index + 1).reduce((sum, each) => sum + each, 0)),
      ]),
    ),
    `An endpoint is disabled after ${webhookFailuresBeforeDisabling} consecutive failures across all of its deliveries, and the ` +
      'merchant is notified. Every failed attempt is counted, and a success resets the count. A replay is not retried, and its failure is not counted; its success resets the count.',
    `The ${webhookFailuresBeforeDisabling} failures usually come before the last retry. If a single delivery keeps failing and the ` +
      `endpoint receives nothing else, its attempt ${webhookFailuresBeforeDisabling} disables the endpoint. The delivery is then ` +
      `failed and held: attempt ${webhookFailuresBeforeDisabling + 1} follows after you enable the endpoint, at its time in the ` +
      'table or at once if that has passed. If another delivery succeeds in between, the endpoint stays enabled and all ' +
      `${webhookRetryDelaysMinutes.length + 1} attempts follow the table.`,
    'A disabled endpoint loses nothing: queued deliveries are held and resume when the endpoint is enabled, and new events are ' +
      'stored as skipped deliveries, which can be replayed.',
    'While an endpoint fails, it gets one delivery at a time. Each failure in a row delays new events longer: by ' +
      `${paces} seconds after the first, second and further failures. Failures of deliveries that were in flight ` +
      'together add their delays. A restart of the receiver within a minute therefore does not disable its ' +
      'endpoint.',
    `Events, deliveries and attempts are stored for at least ${webhookRetentionDays} days. Deliveries that are ` +
      `still held then are never sent. The merchant is notified ${webhookExpiryNoticeDays} days before they end, ` +
      'and again when they end.',
  ].join('\n\n')
}

export function missedEvents(): string {
  return [
    `\`GET /events\` (scope \`events:read\`) lists the events of the last ${eventFeedDays} days with the exact bytes of their ` +
      'deliveries, whether or not a delivery succeeded. To reconcile, list the events since one minute before your last run ' +
      'and process each unknown `id`.',
    'A replay of one delivery sends the same `id` and body again at once, even to a disabled endpoint. A failed replay is not ' +
      'retried and does not increase the failure count of the endpoint; a successful replay completes the delivery.',
    `The page Replay deliveries of the dashboard, or \`commerce webhook replay\` on the command line, sends all events that an endpoint ` +
      `missed since a given time, up to ${webhookReplayDays} days ago, oldest first and a few at a time.`,
  ].join('\n\n')
}

/** Search words for the generated parts of the webhooks guide. */
export const webhookWords: readonly string[] = [signatureHeader, 'whsec', ...eventKinds]

function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const parts = [count(hours, 'hour'), count(rest, 'minute')].filter((part) => part !== undefined)
  return parts.join(' ')
}

function count(number: number, unit: string): string | undefined {
  if (number === 0) return undefined
  return number === 1 ? `1 ${unit}` : `${number} ${unit}s`
}
