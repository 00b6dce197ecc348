import type { IncomingMessage } from 'node:http'
import { type Endpoint, hasVersion } from '../../registry/endpoint.ts'
import type { Problem } from '../../registry/error-body.ts'

/** A record's version travels as its ETag, and comes back in `If-Match` from whoever must not overwrite a change. */

const header = 'if-match'

/** RFC 9110 quotes the tag; `*` means whatever version there is. */
const versionTag = /^"v([1-9]\d{0,9})"$/

export function etagHeader(endpoint: Endpoint, reply: unknown): Record<string, string> {
  if (!hasVersion(endpoint)) return {}
  const version: unknown = Reflect.get(Object(reply), 'version')
  return { ETag: `"v${String(version)}"` }
}

/** The version the caller holds the write to; undefined where any will do. */
export function expectedVersionOf(endpoint: Endpoint, message: IncomingMessage): number | undefined {
  if (endpoint.ifMatch !== 'honoured') return undefined
  const [, digits] = versionTag.exec(message.headers[header] ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** A tag that cannot be understood must not be taken for none: the caller wanted to be held to something. */
export function etagProblems(endpoint: Endpoint, message: IncomingMessage): Problem[] {
  const value = message.headers[header]
  if (endpoint.ifMatch !== 'honoured' || value === undefined || value === '*' || versionTag.test(value)) return []
  return [
    {
      path: 'header.If-Match',
      code: 'invalid_format',
      message: 'Must be one ETag as this API gives it, or *.',
      fix: 'Send the `ETag` of the record unchanged, quotes included, such as "v3".',
    },
  ]
}
