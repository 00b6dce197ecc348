import type { SentHeaders } from '../../access/sent-headers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, facts, type Tone, time } from '../../markup/parts.ts'
import type { FetchErrorCode } from '../../outbound/fetch-error.ts'
import type { listAttempts } from '../../store/webhooks/attempts.ts'

export type Attempt = Awaited<ReturnType<typeof listAttempts>>[number]

interface ShownAttempt {
  readonly attempt: Attempt
  readonly sent: SentHeaders
  readonly bodyBytes: number
}

const tones: Readonly<Record<Attempt['outcome'], Tone>> = { succeeded: 'good', failed: 'bad', aborted: 'quiet' }

/** Explanations of the error codes of webhook deliveries, for the person who operates the receiver. */
const errorTexts = {
  timeout: 'The receiver did not respond within 10 seconds.',
  dns: 'The host name could not be resolved.',
  connection: 'The connection failed or was closed before the response.',
  tls: 'The TLS connection failed. Check the certificate of the receiver.',
  destination_refused: 'The host of the URL has an address that is not allowed, such as a private address.',
  invalid_response: 'The response was not valid HTTP.',
  too_many_informational_responses:
    'The receiver sent more than 8 informational (1XX) responses, such as 103 Early Hints, before its final status.',
  response_head_too_large:
    'The headers of a response were larger than 16 KiB, or everything before its body was larger than 64 KiB.',
  resolver_down: 'This service could not resolve host names. The attempt is not a failure of the endpoint.',
  local_fault: 'This service had a fault. The attempt is not a failure of the endpoint.',
  stopped: 'This service was stopping. The attempt is not a failure of the endpoint.',
  worker_lost: 'This service ended during the attempt, which is not a failure of the endpoint.',
  secret_unreadable:
    'This service could not read the signing secret or the custom headers. The attempt is not a failure of the endpoint.',
} satisfies Record<FetchErrorCode | 'worker_lost' | 'secret_unreadable', string>

/** The errors of attempts without a complete response, in a few words. */
const errorWords = new Map<string, string>(
  Object.entries({
    timeout: 'no response',
    dns: 'unknown host name',
    connection: 'connection failed',
    tls: 'TLS connection failed',
    destination_refused: 'address not allowed',
    invalid_response: 'invalid response',
    too_many_informational_responses: 'invalid response',
    response_head_too_large: 'response headers too large',
  } satisfies Partial<Record<FetchErrorCode, string>>),
)

/**
 * Returns the response of an attempt in a few words, such as `status 503` or `connection failed`. Empty if the attempt
 * has neither a status nor an error.
 */
export function resultText(httpStatus: number | null, errorCode: string | null): string {
  if (httpStatus !== null) return `status ${httpStatus}`
  return errorCode === null ? '' : (errorWords.get(errorCode) ?? errorCode.replaceAll('_', ' '))
}

const errorTextOf = new Map<string, string>(Object.entries(errorTexts))

export function errorText(code: string): string {
  return errorTextOf.get(code) ?? code
}

/** Codes of errors that end a delivery attempt before the request is sent. */
const unsentErrors = new Set(['dns', 'tls', 'destination_refused', 'resolver_down', 'secret_unreadable'])

/** Error codes of delivery attempts whose process ended. It is unknown whether the request was sent. */
const abandonedErrors = new Set(['worker_lost', 'stopped'])

export function attemptEntry({ attempt, sent, bodyBytes }: ShownAttempt): Markup {
  const { number, outcome, startedAt, httpStatus, errorCode } = attempt
  const error = errorCode === null ? nothing : html`<p>${errorText(errorCode)}</p>`
  const unsent = unsentTextOf(attempt)
  const request = unsent === undefined ? requestOf(attempt, sent, bodyBytes) : html`<p>${unsent}</p>`
  return html`<li><h3>Attempt ${number} ${badge(outcome, tones[outcome])} ${resultText(httpStatus, errorCode)}</h3><p>${time(startedAt)}</p>
${error}${timings(attempt)}${request}${responseOf(attempt)}</li>`
}

export function wasSent(attempt: Attempt): boolean {
  return unsentTextOf(attempt) === undefined
}

/**
 * Returns a sentence for the member if the request of a delivery attempt was not sent, or if the service does not know
 * whether it was sent. Returns undefined if the request was sent.
 */
function unsentTextOf({ errorCode, isReused }: Attempt): string | undefined {
  if (errorCode === null || (isReused !== null && !unsentErrors.has(errorCode))) return undefined
  if (abandonedErrors.has(errorCode)) return 'The service does not know whether the request was sent.'
  return 'No request was sent.'
}

function timings({ dnsMs, connectMs, tlsMs, firstByteMs, durationMs, isReused }: Attempt): Markup {
  const phase = (ms: number | null) => (ms === null ? '–' : `${ms} ms`)
  return facts([
    ['Total', `${durationMs} ms`],
    ['DNS', phase(dnsMs)],
    ['Connect', phase(connectMs)],
    ['TLS', phase(tlsMs)],
    ['First byte', phase(firstByteMs)],
    ['Connection', isReused === null ? 'none' : isReused ? 'reused' : 'new'],
  ])
}

const notes: Readonly<Record<SentHeaders['is'], string>> = {
  exact:
    'The request headers as they were sent. The signatures are computed from the body, the time and the signing secret.',
  incomplete:
    'The request may have had another signature, which is not shown here: the signing secrets were rotated around the time of the attempt.',
  unsigned: 'The signatures are left out, because the signing secrets of that time are deleted.',
}

const customNote = 'The custom headers are left out, because they were changed around the time of the attempt or later.'

/**
 * Shows the request line and the headers of an attempt as HTTP. The body is not shown for each attempt, because it is
 * always the same.
 */
function requestOf({ url }: Attempt, { is, headers, hasCustomHeaders }: SentHeaders, bodyBytes: number): Markup {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, connection: 'keep-alive', ...headers, 'content-length': String(bodyBytes) })
  const text = [`POST ${pathname}${search} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\n')
  return html`<details><summary>Request headers</summary><p class="hint">${notes[is]}${hasCustomHeaders ? nothing : html` ${customNote}`}</p><pre tabindex="0">${text}</pre></details>`
}

function responseOf({ httpStatus, responseBody }: Attempt): Markup {
  if (httpStatus === null) return nothing
  const text =
    responseBody === null || responseBody === ''
      ? html`<p>The body was empty.</p>`
      : html`<pre tabindex="0">${responseBody}</pre>`
  return html`<details open><summary>Response ${httpStatus}</summary><p class="hint">The first 4,096 characters of the body. Response headers are not stored.</p>${text}</details>`
}
