import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { type BodyLimits, callbackMaxBytes } from '../../../registry/values/limits.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { ClientWaits } from './client-waits.ts'
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

/** Reads the bytes of a JSON body. Checks its type and its announced size before reading. */
export async function receiveJson(
  incoming: IncomingMessage,
  limits: BodyLimits,
  clientWaits: ClientWaits,
): Promise<Buffer> {
  if (!announcesBody(incoming)) throw new Refusal('invalid_json', 'The body is empty. Send a JSON object.')
  checkContentType(incoming)
  return readBytes(incoming, limits.bytes, clientWaits)
}

/** Reads the bytes of an optional JSON body. Returns undefined for an empty body with any content type. */
export async function receiveOptionalJson(
  incoming: IncomingMessage,
  limits: BodyLimits,
  clientWaits: ClientWaits,
): Promise<Buffer | undefined> {
  if (!announcesBody(incoming)) return undefined
  const bytes = await readBytes(incoming, limits.bytes, clientWaits)
  if (bytes.length === 0) return undefined
  checkContentType(incoming)
  return bytes
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function checkContentType(incoming: IncomingMessage): void {
  const type = incoming.headers['content-type']
  if (type === undefined || !jsonType.test(type)) {
    throw new Refusal('unsupported_media_type', 'The Content-Type must be application/json.')
  }
}

/** Reads the raw body of a callback, because the signature covers the exact bytes. */
export function readRaw(incoming: IncomingMessage, clientWaits: ClientWaits): Promise<Buffer> {
  return readBytes(incoming, callbackMaxBytes, clientWaits)
}

/** The media type of an HTML form. */
const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads the fields of an HTML form. */
export async function readForm(
  incoming: IncomingMessage,
  maxBytes: number,
  clientWaits: ClientWaits,
): Promise<URLSearchParams> {
  if (!formType.test(incoming.headers['content-type'] ?? ''))
    throw new Refusal('unsupported_media_type', 'The Content-Type must be application/x-www-form-urlencoded.')
  return new URLSearchParams((await readBytes(incoming, maxBytes, clientWaits)).toString())
}

async function readBytes(incoming: IncomingMessage, maxBytes: number, clientWaits: ClientWaits): Promise<Buffer> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Refusal('unsupported_media_type', 'Compressed bodies are not supported. Send no Content-Encoding.')
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge('bytes', maxBytes)
  return clientWaits.receive(incoming, () => collectBytes(incoming, maxBytes))
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

/**
 * Returns the refusal of a body that is too large. It closes the connection, so that the rest of the body is not read.
 */
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

/** Returns the position of a syntax error from the parser's message. The full message would repeat the body. */
function positionOf(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : `: the error is at character ${position}`
}
