import type { IncomingMessage } from 'node:http'
import { bodyMaxBytes } from '../../registry/limits.ts'
import { Refusal } from './refusal.ts'

const jsonType = /^application\/json\s*(;\s*(charset\s*=\s*"?utf-8"?\s*)?)*$/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface JsonBody {
  readonly value: unknown
  /** Whether the text holds escapes, the only way to smuggle in what UTF-8 cannot say, or a name that gets lost. */
  readonly isSuspect: boolean
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
    incoming.on('error', reject)
  })
}

/** The rest of the body is not read, so the connection cannot be used again. */
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
    return { value: JSON.parse(text), isSuspect: text.includes('\\u') || text.includes('__proto__') }
  } catch (error) {
    const reason = error instanceof SyntaxError ? positionOf(error.message) : ''
    throw new Refusal('invalid_json', `The body is not JSON${reason}.`)
  }
}

/** Where the parser stopped; its full message would repeat the body. */
function positionOf(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : `: the mistake is at character ${position}`
}
