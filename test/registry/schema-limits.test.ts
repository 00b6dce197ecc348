import { describe, expect, test } from 'vitest'
import { at } from '../../registry/openapi/guard-parts.ts'
import { document } from './document-walk.ts'

/** The OpenAPI document states all limits of the API, so that clients and linters need not guess them. */

interface Found {
  readonly path: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Returns every schema in a part of the OpenAPI document, and follows each reference once. */
function schemasOf(part: unknown, path: string, seen = new Set<string>()): Found[] {
  if (typeof part !== 'object' || part === null) return []
  const reference = at(part, '$ref')
  if (typeof reference === 'string') {
    if (seen.has(reference)) return []
    seen.add(reference)
    return schemasOf(at(document, ...reference.slice(2).split('/')), reference, seen)
  }
  const own = 'type' in part ? [{ path, schema: { ...part } }] : []
  const inner = Object.entries(part).filter(([name]) => name !== 'example' && name !== 'examples')
  return [...own, ...inner.flatMap(([name, value]) => schemasOf(value, `${path}/${name}`, seen))]
}

const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))

describe('limits of request schemas', () => {
  const schemas = operations.flatMap((operation) => [
    ...schemasOf(at(operation, 'parameters'), `${at(operation, 'operationId')} parameters`),
    ...schemasOf(at(operation, 'requestBody'), `${at(operation, 'operationId')} body`),
  ])
  const lacking = (type: string, isGood: (schema: Found['schema']) => boolean) =>
    schemas.filter(({ schema }) => schema.type === type && !isGood(schema)).map(({ path }) => path)

  test('every integer of a request has a format, a minimum and a maximum', () => {
    expect(lacking('integer', (s) => 'format' in s && 'minimum' in s && 'maximum' in s)).toEqual([])
  })

  test('every array of a request has maxItems', () => {
    expect(lacking('array', (schema) => 'maxItems' in schema)).toEqual([])
  })

  test('every string of a request has maxLength, an enum or a date-time format', () => {
    const isShort = (s: Found['schema']) => ['maxLength', 'enum', 'const'].some((name) => name in s)
    expect(lacking('string', (schema) => isShort(schema) || schema.format === 'date-time')).toEqual([])
  })
})

test('every operation has a description, and the OpenAPI document has a contact', () => {
  const bare = operations.filter((operation) => at(operation, 'description') === undefined)
  expect(bare.map((operation) => at(operation, 'operationId'))).toEqual([])
  expect(at(document, 'info', 'contact', 'name')).toBe('Commerce Service')
})
