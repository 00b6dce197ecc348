import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Endpoint, hasVersion } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'

/**
 * A record's version travels as its ETag. It comes back in `If-Match` from whoever must not overwrite a change, and in
 * `If-None-Match` from whoever need not be told the same again.
 */

const header = 'if-match'

/** RFC 9110 quotes the tag; `*` means whatever version there is. */
const versionTag = /^(?:W\/)?"v([1-9]\d{0,9})(?:-[\w-]{1,40})?"$/

export function etagHeader(endpoint: Endpoint, reply: unknown, body: string): Record<string, string> {
  const tag = tagOf(endpoint, reply, body)
  return tag === undefined ? {} : { ETag: tag }
}

/**
 * A record's version, and a hash of the answer: an order's shipments and a customer's totals change without its version. A tag
 * of several fields is weak: such an answer also says how old things are, which changes by itself.
 */
export function tagOf(endpoint: Endpoint, reply: unknown, body: string): string | undefined {
  if (!hasVersion(endpoint)) return undefined
  const { etagFields } = endpoint
  const partOf = (field: string): unknown => Reflect.get(Object(reply), field)
  if (etagFields !== undefined) return `W/"${etagFields.map(partOf).join('.')}"`
  return `"v${String(partOf('version'))}-${hash('sha256', body, 'base64url').slice(0, hashCharacters)}"`
}

/** 96 bits: two states of one version never share them by chance. */
const hashCharacters = 16

/** RFC 9110's list of tags. They are compared as weak ones, which leaves out the `W/`. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g

/** Whether the caller has an answer with this tag already, by the tags it sent. What is no tag matches nothing. */
export function isListed(tag: string | undefined, message: IncomingMessage): boolean {
  const sent = message.headers['if-none-match']
  if (sent === undefined || tag === undefined) return false
  if (sent.trim() === '*') return true
  const strong = tag.replace('W/', '')
  return [...sent.matchAll(listedTag)].some(([, listed]) => listed === strong)
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
