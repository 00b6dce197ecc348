import { webhookToleranceSeconds } from '../../../registry/values/limits.ts'
import type { BodyChange, BodyDifference, Excerpt } from '../../access/body-difference.ts'
import type { Comparison, SignatureVerdict } from '../../access/verify-signature.ts'
import { counted } from '../../base/counted.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, section, type Tone, table } from '../../markup/parts.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { link, withQuery } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { nameOf } from './find.ts'

type Verdict = Extract<SignatureVerdict, { readonly is: 'valid' | 'mismatch' }>
type Valid = Extract<Verdict, { readonly is: 'valid' }>
type Mismatch = Extract<Verdict, { readonly is: 'mismatch' }>

export async function verdictSection(visit: Visit, verdict: Verdict): Promise<Markup> {
  const [text, tone]: readonly [string, Tone] =
    verdict.is === 'mismatch'
      ? ['not valid', 'bad']
      : verdict.isInTolerance
        ? ['valid', 'good']
        : ['outside the tolerance', 'waiting']
  const content = verdict.is === 'valid' ? validText(verdict) : await mismatchText(visit, verdict)
  return section('Result', html`<div role="status"><p>${badge(text, tone)}</p>${content}</div>`)
}

/** Returns the time between the signature and now, such as `3,600 seconds before now`. */
function distance({ ageSeconds }: Verdict): string {
  const seconds = Math.abs(ageSeconds)
  return `${count(seconds)} ${seconds === 1 ? 'second' : 'seconds'} ${ageSeconds < 0 ? 'after' : 'before'} now`
}

function validText(verdict: Valid): Markup {
  const { ageSeconds, isInTolerance } = verdict
  if (isInTolerance)
    return html`<p>The signature is valid: it matches the body and a signing secret of this endpoint, and its timestamp is ${distance(verdict)}. A receiver that rejects this signature has another secret, or verifies another body than the pasted one.</p>`
  const cause =
    ageSeconds < 0
      ? 'The receiver is right to reject it. The receiver check sends a sample whose timestamp is in the future.'
      : `After ${counted(webhookToleranceSeconds / 60, 'minute')}, the timestamp of every delivery is outside the tolerance. If the receiver rejected the delivery at its arrival, set the clock of the receiver.`
  return html`<p>The signature is right, but its timestamp is ${distance(verdict)}, and the tolerance is ${webhookToleranceSeconds} seconds. ${cause}</p>`
}

async function mismatchText(visit: Visit, verdict: Mismatch): Promise<Markup> {
  const time = verdict.isInTolerance
    ? nothing
    : html`<p>The timestamp of the header is ${distance(verdict)}, and the tolerance is ${webhookToleranceSeconds} seconds.</p>`
  return html`${await comparisonText(visit, verdict)}${time}`
}

async function comparisonText(visit: Visit, { reason, comparison }: Mismatch): Promise<Markup> {
  switch (comparison.is) {
    case 'event_unnamed':
      return html`<p>${reason}</p><p>The body does not contain the id of an event. Enter the event id to compare the body with the body that the service sent.</p>`
    case 'event_unknown':
      return html`<p>${reason}</p><p>No delivery of the event ${code(comparison.eventId)} is stored. Deliveries are deleted some weeks after their event.</p>`
    case 'other_endpoint':
      return html`<p>No signature in the header matches a signing secret of this endpoint. ${await otherEndpoint(visit, comparison)}</p>`
    case 'same':
      return html`<p>The body is the body that the service sent, byte for byte, but no signature in the header was made from this body with a signing secret of this endpoint. The header is of another event or of another endpoint, or its signing secret has expired.</p>`
    case 'different':
      return differenceText(comparison)
  }
}

async function otherEndpoint(
  visit: Visit,
  { eventId, endpointId }: Extract<Comparison, { readonly is: 'other_endpoint' }>,
): Promise<Markup> {
  const endpoints = await listEndpoints(visit.context.database, visit.tenant.merchantId)
  const other = endpoints.find(({ id }) => id === endpointId)
  if (other === undefined) return html`The service sent the event ${code(eventId)} to an endpoint that is deleted.`
  const path = withQuery(`/webhooks/${endpointId}/verify`, { event: eventId })
  return html`The service sent the event ${code(eventId)} to another endpoint: ${link(path, nameOf(other))}.`
}

const causes: Readonly<Record<BodyChange, string>> = {
  white_space: 'White space, such as a line break, was added at the start or the end of the body.',
  reserialised:
    'The JSON has the same values, so the body was parsed and serialised again. Verify the bytes of the request before any parser reads them.',
  decoded:
    'The bytes were decoded with an encoding other than UTF-8. Verify the bytes of the request, or decode them as UTF-8.',
}

function differenceText({ difference, isSentSigned }: Extract<Comparison, { readonly is: 'different' }>): Markup {
  const { offset, cause } = difference
  const finding = isSentSigned
    ? 'The signature is right for the body that the service sent, but the pasted body differs from it.'
    : 'No signature in the header matches a signing secret of this endpoint, neither with the pasted body nor with the body that the service sent. The pasted body also differs from the sent body.'
  const anonymised = isSentSigned
    ? nothing
    : html`<p class="hint">Anonymising a customer also replaces the personal data in stored events. The stored body then differs from the body that was sent.</p>`
  return html`<p>${finding} The first byte that differs is at offset ${count(offset)}.</p>${cause === undefined ? nothing : html`<p>${causes[cause]}</p>`}
${excerpts(difference)}${anonymised}`
}

function excerpts({ sent, read }: BodyDifference): Markup {
  const rows = [
    { body: 'Sent by the service', excerpt: sent },
    { body: 'Pasted', excerpt: read },
  ]
  const from = ({ from: text }: Excerpt) => (text === '' ? 'the body ends here' : code(text))
  return table('First difference', rows, [
    { title: 'Body', cell: ({ body }) => body },
    { title: 'Before', cell: ({ excerpt }) => code(excerpt.before) },
    { title: 'From this byte', cell: ({ excerpt }) => from(excerpt) },
  ])
}
