import type { IncomingMessage } from 'node:http'
import { bodyMaxBytes } from '../../registry/limits.ts'
import { Refusal } from './refusal.ts'

const jsonType = /^application\/json\s*(;\s*(charset\s*=\s*"?utf-8"?\s*)?)*$/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface JsonBody {
  readonly value: unknown
  /** Whether the text holds escapes, the only way to smuggle in what UTF-8 cannot say, or a name that gets lost. */
  readonly isSuspect: boolean
  /** Names of the numbers whose digits did not all survive: 1.0000000000000000001 is not 1. */
  readonly rounded: readonly string[]
}

/** Reads a request's JSON. Type and size are judged before anything is read. */
export async function readJson(incoming: IncomingMessage): Promise<JsonBody> {
  const length = incoming.headers['content-length']
  const isEmpty = length === '0' || (length === undefined && incoming.headers['transfer-encoding'] === undefined)
  if (isEmpty) throw new Refusal('invalid_json', 'The body is empty; this operation needs a JSON object.')
  const type = incoming.headers['content-type']
  const encoding = incoming.headers['content-encoding']
  if (type === undefined || !jsonType.test(type)) {
    throw new Refusal('unsupported_media_type', 'The Content-Type must be application/json.')
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Compressed bodies are not taken; send no Content-Encoding.')
  }
  if (Number(length ?? 0) > bodyMaxBytes) throw tooLarge()
  return parse(await readBytes(incoming))
}

/** The body as it came, for what is signed byte by byte. */
export function readRaw(incoming: IncomingMessage): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyMaxBytes) throw tooLarge()
  return readBytes(incoming)
}

/** By events, because an async iterator over a request costs several times as much. */
function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyMaxBytes) chunks.push(chunk)
      else reject(tooLarge())
    })
    incoming.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    })
    // Nobody reads the answer any more, but the log must not take the client's hanging up for a fault of ours.
    incoming.on('error', () => reject(new Refusal('malformed_request', 'The request ended before its body did.')))
  })
}

/** The rest of the body is dropped, and the connection with it. */
function tooLarge(): Refusal {
  return new Refusal('body_too_large', `The body is larger than ${bodyMaxBytes} bytes.`, {
    headers: { Connection: 'close' },
  })
}

function parse(bytes: Buffer): JsonBody {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Refusal('invalid_json', 'The body is not well-formed UTF-8.')
  }
  try {
    const isSuspect = text.includes('\\u') || text.includes('__proto__')
    return mayRound.test(text)
      ? { ...parseExactly(text), isSuspect }
      : { value: JSON.parse(text), isSuspect, rounded: [] }
  } catch (error) {
    const reason = error instanceof SyntaxError ? positionOf(error.message) : ''
    throw new Refusal('invalid_json', `The body is not JSON${reason}.`)
  }
}

/** A digit, a full stop and a digit: perhaps a number with a fraction. Most bodies have none, and are parsed at once. */
const mayRound = /\d\.\d/

/** Parses and compares each whole number with how it was written. */
function parseExactly(text: string): { value: unknown; rounded: string[] } {
  const rounded: string[] = []
  const value: unknown = JSON.parse(text, (key: string, part: unknown, context?: { source?: string }) => {
    if (Number.isInteger(part) && hasFraction(context?.source ?? '')) rounded.push(key)
    return part
  })
  return { value, rounded }
}

/** Whether digits are left behind the point when the exponent has moved it; 2.5e3 is a whole number. */
function hasFraction(source: string): boolean {
  const [, fraction = '', exponent = '0'] = /^-?\d+\.(\d*?)0*(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  return fraction.length > Number(exponent)
}

/** Where the parser stopped; its full message would repeat the body. */
function positionOf(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : `: the mistake is at character ${position}`
}
