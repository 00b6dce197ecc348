import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/**
 * What the head of a request must be before anything of it is believed: each header that has one value is sent once, and
 * the body is framed in a way that is understood here.
 */
export function checkHead(message: IncomingMessage): void {
  const header = repeatedHeaderOf(message.rawHeaders)
  if (header !== undefined) {
    throw new Refusal('malformed_request', `The header ${header} is sent more than once.`, { details: { header } })
  }
  const coding = message.headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new Refusal('transfer_coding_unsupported', 'The only transfer coding that is understood is chunked.', {
      // Where its body ends is not known, so nothing behind it can be trusted to be a request.
      headers: { Connection: 'close' },
    })
  }
}

/**
 * Of two such headers Node drops one, or joins both to a value that nobody sent. `Idempotency-Key` is judged where it is
 * honoured: everywhere else it is ignored without error (spec 4.7).
 */
const singleValued = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'range',
  'referer',
  'service-dry-run',
  'user-agent',
])

/** The first header with one value that was sent twice, as it was spelt. Names and values take turns. */
function repeatedHeaderOf(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return rawHeaders.find((name, index) => {
    if (index % 2 === 1) return false
    const known = name.toLowerCase()
    if (!singleValued.has(known)) return false
    if (seen.has(known)) return true
    seen.add(known)
    return false
  })
}

/** How often a header was sent. */
export function countOf(message: IncomingMessage, name: string): number {
  return message.rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length
}

/**
 * Whether a path holds `.` or `..`, also escaped. Resolving them would let one resource have many addresses, of which a
 * proxy in between may allow another than the one that answers.
 */
export function hasDotSegments(target: string): boolean {
  const [path = ''] = target.split('?', 1)
  if (!path.includes('.') && !path.toLowerCase().includes('%2e')) return false
  return path.split(/[/\\]/).some((segment) => dotSegments.has(segment.toLowerCase().replaceAll('%2e', '.')))
}

const dotSegments = new Set(['.', '..'])
