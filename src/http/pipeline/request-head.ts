import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** The head of a request. A request that comes from a page of the dashboard has no message of its own, only a head. */
export type RequestHead = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>

/** Refuses a request that repeats a single-valued header, or whose transfer coding is not supported. */
export function checkHead(message: IncomingMessage): void {
  const header = repeatedHeaderOf(message.rawHeaders)
  if (header !== undefined) {
    throw new Refusal('malformed_request', `The header ${header} must be sent once.`, { details: { header } })
  }
  const coding = message.headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new Refusal('transfer_coding_unsupported', 'The only supported transfer coding is chunked.', {
      // The end of the body is unknown, so further requests on the connection cannot be parsed.
      headers: { Connection: 'close' },
    })
  }
}

/**
 * Headers with a single value. Node drops or joins repeated ones, which yields a value that the client did not send.
 * `Idempotency-Key` is checked where it is honoured; elsewhere it is ignored without error (spec 4.7).
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

/** Returns the first repeated single-valued header, as it was spelt. In rawHeaders, names and values alternate. */
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

/** Returns how often a header was sent. */
export function countOf(message: RequestHead, name: string): number {
  return message.rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length
}

/**
 * Reports whether a path contains the segments `.` or `..`, also percent-encoded. Resolving them would let a request pass
 * a proxy's path rules under another path.
 */
export function hasDotSegments(target: string): boolean {
  const [path = ''] = target.split('?', 1)
  if (!path.includes('.') && !path.toLowerCase().includes('%2e')) return false
  return path.split(/[/\\]/).some((segment) => dotSegments.has(segment.toLowerCase().replaceAll('%2e', '.')))
}

const dotSegments = new Set(['.', '..'])
