import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { type BodyLimits, bodyLimits } from '../../../registry/values/limits.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { ClientWaits } from './client-waits.ts'
import type { Exchange } from './exchange.ts'
import { readJsonText } from './json-text.ts'

const jsonType = /^application\/json\s*(;\s*(charset\s*=\s*"?utf-8"?\s*)?)*$/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface JsonBody {
  readonly value: unknown
  /**
   * Whether the body contains Unicode escapes, which can encode invalid text, or the name `__proto__`, which a JSON
   * parser may drop.
   */
  readonly isSuspect: boolean
  /** Problems of valid JSON: duplicate names, and numbers that would lose digits. */
  readonly problems: readonly Problem[]
}

/**
 * Checks the content type and the announced size before reading. A write operation without body fields accepts a
 * request without a body, with any content type. It also accepts an empty JSON object, which many clients send.
 */
export async function receiveJson(
  exchange: Exchange,
  { body, kind }: Endpoint,
  clientWaits: ClientWaits,
): Promise<Buffer | undefined> {
  if (body === undefined && kind !== 'write') return undefined
  const { headers } = exchange.message
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
    if (body === undefined) return undefined
    throw new Refusal('invalid_json', 'The body is empty. Send a JSON object.')
  }
  if (body !== undefined) checkContentType(headers)
  const bytes = await readBytes(exchange, (body?.limits ?? bodyLimits).bytes, clientWaits)
  if (body !== undefined) return bytes
  if (bytes.length === 0) return undefined
  checkContentType(headers)
  return bytes
}

function checkContentType({ 'content-type': type }: IncomingHttpHeaders): void {
  if (type === undefined || !jsonType.test(type)) {
    throw new Refusal('unsupported_media_type', 'The Content-Type must be application/json.')
  }
}

/** The body of a callback is read raw, because the signature covers the exact bytes. */
export function readRaw(exchange: Exchange, maxBytes: number, clientWaits: ClientWaits): Promise<Buffer> {
  return readBytes(exchange, maxBytes, clientWaits)
}

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

export async function readForm(
  exchange: Exchange,
  maxBytes: number,
  clientWaits: ClientWaits,
): Promise<URLSearchParams> {
  if (!formType.test(exchange.message.headers['content-type'] ?? ''))
    throw new Refusal('unsupported_media_type', 'The Content-Type must be application/x-www-form-urlencoded.')
  return new URLSearchParams((await readBytes(exchange, maxBytes, clientWaits)).toString())
}

export interface UploadedFile {
  readonly name: string
  readonly bytes: Buffer
}

export interface UploadForm {
  readonly fields: URLSearchParams
  /** Undefined if the user chose no file. */
  readonly file: UploadedFile | undefined
}

/**
 * Matches the content type that browsers send for an HTML form with a file. The group captures the boundary between the
 * parts of the form.
 */
const uploadType = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i

/** Maximum number of parts of a form with a file. Each part costs far more memory than its bytes. */
const uploadPartsMax = 20

/**
 * The file may have at most `maxBytes` bytes. The names and texts of all other fields together may have at most
 * `fieldsMaxBytes` characters.
 */
export async function readUpload(exchange: Exchange, maxBytes: number, clientWaits: ClientWaits): Promise<UploadForm> {
  const type = exchange.message.headers['content-type'] ?? ''
  const boundary = uploadType.exec(type)?.[1]
  if (boundary === undefined) return { fields: await readForm(exchange, fieldsMaxBytes, clientWaits), file: undefined }
  const bytes = await readBytes(exchange, maxBytes + fieldsMaxBytes, clientWaits)
  requireShortParts(bytes, `--${boundary}`)
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(bytes, { headers }).formData().catch(() => {
    throw malformedForm()
  })
  const texts: [string, string][] = []
  let file: UploadedFile | undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value])
    else if (value.name !== '' || value.size > 0)
      file ??= { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) }
  }
  if ((file?.bytes.length ?? 0) > maxBytes) throw tooLarge('bytes', maxBytes)
  const textLength = texts.flat().reduce((sum, text) => sum + text.length, 0)
  if (textLength > fieldsMaxBytes) throw tooLarge('bytes', fieldsMaxBytes)
  return { fields: new URLSearchParams(texts), file }
}

/** Maximum size in bytes of all fields of a form together, without its file. */
const fieldsMaxBytes = 16 * 1024

/** Maximum size of the header lines of a part of a form. Each line costs far more memory than its bytes. */
const partHeadMaxBytes = 4 * 1024

/** Throws a Refusal if a form would take long to parse: if it has many parts, or a part has long header lines. */
function requireShortParts(bytes: Buffer, mark: string): void {
  let parts = 0
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    parts += 1
    if (parts > uploadPartsMax) throw tooLarge('values', uploadPartsMax)
    const after = bytes.subarray(at + mark.length, at + mark.length + partHeadMaxBytes)
    const isLast = after.subarray(0, 2).toString('latin1') === '--'
    if (!isLast && !after.includes('\r\n\r\n')) throw malformedForm()
  }
}

function malformedForm(): Refusal {
  return new Refusal('malformed_request', 'The form is malformed.', { details: { header: null } })
}

async function readBytes(exchange: Exchange, maxBytes: number, clientWaits: ClientWaits): Promise<Buffer> {
  const { headers } = exchange.message
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type', 'Compressed bodies are not supported. Send no Content-Encoding.')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge('bytes', maxBytes)
  return clientWaits.receive(exchange, () => collectBytes(exchange.message, maxBytes))
}

/** Reads the bytes of a body with event listeners, because an async iterator costs several times as much. */
function collectBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else reject(tooLarge('bytes', maxBytes))
    })
    incoming.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    })
    // The client has disconnected and gets no response. A refusal is thrown, because refusals are not written to the
    // error log.
    incoming.on('error', () => {
      const message = 'The request ended before its body was complete.'
      reject(new Refusal('malformed_request', message, { details: { header: null } }))
    })
  })
}

/** The error response closes the connection, so that the rest of the body is not read. */
function tooLarge(limit: 'bytes' | 'values' | 'depth', max: number): Refusal {
  const message = `The body has more than ${max} ${limit === 'depth' ? 'levels' : limit}.`
  return new Refusal('body_too_large', message, { details: { limit, max }, headers: { Connection: 'close' } })
}

export function parseJson(bytes: Buffer, limits: BodyLimits): JsonBody {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Refusal('invalid_json', 'The body is not well-formed UTF-8.')
  }
  const reading = readJsonText(text, limits.values)
  if (reading.is === 'too_much') throw tooLarge(reading.limit, reading.max)
  try {
    const value: unknown = JSON.parse(text)
    return { value, isSuspect: text.includes('\\u') || text.includes('__proto__'), problems: reading.problems }
  } catch (error) {
    const reason = error instanceof SyntaxError ? positionOf(error.message) : ''
    throw new Refusal('invalid_json', `The body is not valid JSON${reason}.`)
  }
}

/** The message of the parser is not returned, because it repeats a part of the body. */
function positionOf(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : `: the error is at character ${position}`
}
