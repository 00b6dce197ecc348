import type { WebhookEvent } from '../../generated/webhook-events.d.ts'

/**
 * Verifies a webhook delivery, for programs that receive them. This file and the types it imports are all there is to copy:
 * it uses nothing but the Web's own cryptography, which Node, Deno, Bun and edge workers all have, and whose `verify`
 * compares in constant time.
 *
 *   const verification = await verifyWebhook({ rawBody, headers: request.headers, secret })
 *   if (verification.is !== 'verified') return new Response(verification.reason, { status: 400 })
 *
 * Nothing is thrown: whatever is wrong is an outcome with a reason, so that a mistake cannot pass for a valid signature.
 */
export type Verification =
  | { readonly is: 'verified'; readonly event: WebhookEvent; readonly seconds: number }
  /** There is no signature at all. */
  | { readonly is: 'unsigned'; readonly reason: string }
  /** The header is not of the form `t=<unix seconds>,v1=<hex>`. */
  | { readonly is: 'malformed'; readonly reason: string }
  /** No signature is of this body and secret. */
  | { readonly is: 'mismatch'; readonly reason: string }
  /** Rightly signed, and too long ago or ahead. Positive when the signature is older than the clock. */
  | { readonly is: 'outside_tolerance'; readonly ageSeconds: number; readonly reason: string }
  /** Rightly signed, and yet no event. */
  | { readonly is: 'not_an_event'; readonly reason: string }
  /** What was given could verify nothing, whatever was received: the mistake is in the calling program. */
  | { readonly is: 'misused'; readonly reason: string }

export type Delivery = {
  /** The body's bytes as they arrived, or the text they are. Never an object that was parsed from it. */
  readonly rawBody: Uint8Array | ArrayBuffer | string
  /** The endpoint's signing secret as it is shown, `whsec_…`; while it is being changed, the old and the new one. */
  readonly secret: string | readonly string[]
  /** Now in Unix seconds, for tests; the system's clock when left out. */
  readonly nowSeconds?: number
  /** How far the signature's time may be from now, either way. */
  readonly toleranceSeconds?: number
} & (
  | { readonly headers: ReceivedHeaders; readonly header?: undefined }
  /** The value of `Service-Signature` by itself. */
  | { readonly header: string | null | undefined; readonly headers?: undefined }
)

/** `Headers` of the Web, or an object as Node and its frameworks give it, whose names are in lower case. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

const signatureHeader = 'Service-Signature'

/** Five minutes: enough for a slow network and a clock that is a little off, too little to make use of a stolen request. */
const defaultToleranceSeconds = 300

export async function verifyWebhook(delivery: Delivery): Promise<Verification> {
  const { nowSeconds = Date.now() / 1000, toleranceSeconds = defaultToleranceSeconds } = delivery
  const secrets = typeof delivery.secret === 'string' ? [delivery.secret] : delivery.secret
  const body = bytesOf(delivery.rawBody)
  const misuse = body === undefined ? bodyMisuse : (secretMisuse(secrets) ?? timeMisuse(nowSeconds, toleranceSeconds))
  if (body === undefined || misuse !== undefined) return { is: 'misused', reason: misuse ?? bodyMisuse }
  const header = headerOf(delivery)
  if (header === undefined) return { is: 'unsigned', reason: `The request has no ${signatureHeader} header.` }
  const parsed = parseHeader(header)
  if (parsed.is === 'malformed') return parsed
  if (!(await isSigned(parsed, body, secrets))) {
    return { is: 'mismatch', reason: await explainMismatch(parsed, body, secrets) }
  }
  const seconds = Number(parsed.timestamp)
  const ageSeconds = Math.floor(nowSeconds) - seconds
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const distance = ageSeconds > 0 ? `${ageSeconds} seconds ago` : `${-ageSeconds} seconds ahead of this clock`
    const reason = `It was signed ${distance}; at most ${toleranceSeconds} are tolerated.`
    return { is: 'outside_tolerance', ageSeconds, reason }
  }
  const event = parseEvent(body)
  if (event === undefined) return { is: 'not_an_event', reason: 'The body is rightly signed and is not an event.' }
  return { is: 'verified', event, seconds }
}

const bodyMisuse =
  'rawBody must be the bytes or the text of the body as they arrived, not what was parsed from them. Take them before ' +
  'any JSON middleware does: express.raw(), request.text(), request.arrayBuffer().'

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  // Neither is known by its class: a test runner has classes of its own.
  if (ArrayBuffer.isView(rawBody)) {
    return Uint8Array.from(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength))
  }
  return isArrayBuffer(rawBody) ? new Uint8Array(rawBody) : undefined
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

function secretMisuse(secrets: unknown): string | undefined {
  if (!Array.isArray(secrets) || secrets.length === 0) return 'secret must be the signing secret, or a list of them.'
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret === '') return 'secret is empty. Is the variable set that it is read from?'
    if (/\s/.test(secret))
      return 'secret holds white space. Was it copied, or read from a file, with the end of its line?'
    if (!secret.startsWith('whsec_')) {
      return 'secret does not begin with whsec_. It is used as it is shown: not decoded, and with its beginning.'
    }
  }
  return undefined
}

/** The year 5138 in seconds: whatever is above is milliseconds. */
const latestSeconds = 1e11

function timeMisuse(nowSeconds: unknown, toleranceSeconds: unknown): string | undefined {
  if (typeof nowSeconds !== 'number' || !(nowSeconds >= 0)) return 'nowSeconds must be a time in Unix seconds.'
  if (nowSeconds > latestSeconds) return 'nowSeconds is in milliseconds. Divide Date.now() by 1000.'
  // A comparison with NaN is false, and would let every age pass.
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0) || toleranceSeconds > latestSeconds) {
    return 'toleranceSeconds must be a number of seconds from 0 up.'
  }
  return undefined
}

function headerOf({ header, headers }: Delivery): string | undefined {
  if (headers === undefined) return header ?? undefined
  if (isWebHeaders(headers)) return headers.get(signatureHeader) ?? undefined
  const name = Object.keys(headers).find((each) => each.toLowerCase() === signatureHeader.toLowerCase())
  const value = name === undefined ? undefined : headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(',')
}

function isWebHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

interface Signature {
  readonly is: 'parsed'
  /** As it was written, because that is what was signed. */
  readonly timestamp: string
  readonly digests: readonly Uint8Array<ArrayBuffer>[]
}

/**
 * Schemes yet unknown are passed over, so that a newer one can be added beside `v1`; what is left must be one `t` and at least
 * one `v1`. A `v1` of another form is passed over too: it matches nothing.
 */
function parseHeader(header: string): Signature | { readonly is: 'malformed'; readonly reason: string } {
  const malformed = (reason: string) =>
    ({ is: 'malformed', reason: `The ${signatureHeader} header ${reason}.` }) as const
  const fields = header.split(',').map((field) => field.trim())
  const valuesOf = (name: string) =>
    fields.filter((field) => field.startsWith(name)).map((field) => field.slice(name.length))
  const [timestamp, ...furtherTimestamps] = valuesOf('t=')
  const signatures = valuesOf('v1=')
  if (timestamp === undefined) return malformed('has no t')
  if (furtherTimestamps.length > 0) return malformed('has more than one t')
  // Eleven digits reach beyond any time in seconds, and stay exact as a number.
  if (!/^\d{1,11}$/.test(timestamp)) return malformed('has a t that is not in Unix seconds')
  if (signatures.length === 0) return malformed('has no v1')
  return { is: 'parsed', timestamp, digests: signatures.filter((text) => /^[0-9a-f]{64}$/.test(text)).map(bytesOfHex) }
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

async function isSigned(
  { timestamp, digests }: Signature,
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const signed = new Uint8Array(await new Blob([`${timestamp}.`, body]).arrayBuffer())
  let isMatch = false
  for (const secret of secrets) {
    const key = await hmacKeyOf(secret)
    // Each is compared, whether or not one before it matched.
    for (const digest of digests) isMatch = (await crypto.subtle.verify('HMAC', key, digest, signed)) || isMatch
  }
  return isMatch
}

/** The key is the text of the secret as it is shown. */
function hmacKeyOf(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
}

/**
 * The usual mistake is to verify a body that was parsed and written again, by a framework more often than by hand. Written
 * again as the service writes, it matches; it is refused all the same.
 */
async function explainMismatch(
  signature: Signature,
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<string> {
  const parsed = parseJson(body)
  if (parsed !== undefined) {
    const rewritten = new TextEncoder().encode(JSON.stringify(parsed))
    if (await isSigned(signature, rewritten, secrets)) {
      return `The signature is of the same JSON in other bytes. ${bodyMisuse}`
    }
  }
  return 'No signature is of this body and secret. It is forged or altered, or the secret is that of another endpoint.'
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** The signature says that the service wrote it, and the service writes what its contract says: so the type is taken on trust. */
function parseEvent(body: Uint8Array): WebhookEvent | undefined {
  const parsed = parseJson(body)
  if (typeof parsed !== 'object' || parsed === null || !('event' in parsed) || !('id' in parsed)) return undefined
  return typeof parsed.event === 'string' && typeof parsed.id === 'string' ? (parsed as WebhookEvent) : undefined
}
