import { type Document, parseDocument } from './document.ts'
import { reachedFrom } from './stable-part.ts'

/**
 * Removes null from the responses of the older document where the newer document no longer returns null. Returns the
 * changed document and the JSON pointers of the removed nulls. Clients that handle null also handle a member that is
 * never null, but Redocly reports a changed type. Request schemas are not changed, because clients may send null.
 */
export function withoutLostNulls(base: Document, revision: Document) {
  const pointers: string[] = []
  const inRequests = new Set([...reachedFrom(base, requestsOf(base))].map((name) => `#/components/schemas/${name}`))
  const without = (was: unknown, is: unknown, pointer: string): unknown => {
    if (inRequests.has(pointer) || ofRequest.test(pointer)) return was
    if (Array.isArray(was) && Array.isArray(is)) {
      return was.map((each, index) => without(each, is[index], `${pointer}/${index}`))
    }
    if (!isRecord(was) || !isRecord(is)) return was
    const isLost = mayBeNull(was) && !mayBeNull(is)
    if (isLost) pointers.push(pointer)
    const members = Object.entries(isLost ? neverNull(was) : was)
    return Object.fromEntries(members.map(([key, each]) => [key, without(each, is[key], `${pointer}/${escaped(key)}`)]))
  }
  return { document: parseDocument(JSON.stringify(without(base, revision, '#'))), pointers }
}

const ofRequest = /^#\/paths\/[^/]+\/[^/]+\/(parameters|requestBody)$/

/** Webhook payloads are excluded, because the service sends them and clients receive them. */
function requestsOf({ paths }: Document): object {
  return Object.values(paths).flatMap((byMethod) =>
    Object.values(byMethod).map(({ parameters, requestBody }) => ({ parameters, requestBody })),
  )
}

function mayBeNull({ type, anyOf }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(type) && type.includes('null')) || (Array.isArray(anyOf) && anyOf.some(isNull))
}

function neverNull(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, anyOf, ...others } = schema
  if (Array.isArray(type)) {
    const types = type.filter((each) => each !== 'null')
    return { ...schema, type: types.length === 1 ? types[0] : types }
  }
  const choices: readonly unknown[] = Array.isArray(anyOf) ? anyOf.filter((each) => !isNull(each)) : []
  return choices.length === 1 ? { ...Object(choices[0]), ...others } : { ...schema, anyOf: choices }
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && schema.type === 'null'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Escapes a key for a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
