import type { ApiRequest } from './client.ts'
import type { Operation, Parameter, Schema } from './document.ts'
import { chance, oneOf } from './draw.ts'
import { type Generator, generateValue } from './generate-value.ts'
import { makeBody } from './make-body.ts'

/**
 * Probability, in percent, that a request includes an optional filter. With all filters together, a list request would
 * match no record.
 */
const filterPercent = 15

/** Returns undefined when no stored record matches a path parameter. A given path replaces the generated one. */
export function makeRequest(
  generator: Generator,
  operation: Operation,
  path: string | undefined = makePath(generator, operation),
): ApiRequest | undefined {
  if (path === undefined) return undefined
  const query = makeQuery(generator, operation)
  const headers = makeHeaders(generator, operation)
  const { body } = operation
  const request: ApiRequest = { method: operation.method, path: path + query, as: 'token', headers }
  if (body === undefined) return request
  const recordId = path.split('/')[operation.template.split('/').findLastIndex((part) => part.startsWith('{'))]
  return { ...request, body: makeBody({ ...generator, recordId }, operation) }
}

/**
 * Returns the request path with ids of existing records that belong together. With `isMissing`, it has ids that do not
 * exist.
 */
export function makePath(generator: Generator, operation: Operation, isMissing = false): string | undefined {
  const parameters = pathParametersOf(operation)
  const patterns = parameters.map(({ schema }) => schema.pattern ?? '')
  const ids = isMissing
    ? parameters.map(({ schema }) => nonexistentId(generator, schema))
    : oneOf(generator.draw, generator.known.together(patterns))
  if (parameters.length > 0 && ids === undefined) return undefined
  return pathWith(operation, ids ?? [])
}

/**
 * Generates an id without using the schema’s examples, because records with the ids of the examples may exist in demo
 * data.
 */
export function nonexistentId(generator: Generator, schema: Schema): string {
  return String(generateValue({ ...generator, changedPercent: 100 }, { schema: { ...schema, examples: [] } }))
}

/** Returns one request path for each stored record, newest first. */
export function pathsOf({ known }: Generator, operation: Operation): string[] {
  const patterns = pathParametersOf(operation).map(({ schema }) => schema.pattern ?? '')
  if (patterns.length === 0) return [operation.template]
  return known.together(patterns).map((ids) => pathWith(operation, ids))
}

export function pathWith(operation: Operation, ids: readonly string[]): string {
  return pathParametersOf(operation).reduce(
    (path, { name }, at) => path.replace(`{${name}}`, encodeURIComponent(ids[at] ?? '')),
    operation.template,
  )
}

export function pathParametersOf(operation: Operation): Parameter[] {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  return inPath.sort((a, b) => operation.template.indexOf(`{${a.name}}`) - operation.template.indexOf(`{${b.name}}`))
}

function makeQuery(generator: Generator, operation: Operation): string {
  const { draw, known, schemas, changedPercent } = generator
  const pairs = operation.parameters.flatMap((parameter): string[] => {
    if (parameter.in !== 'query' || parameter.name === 'cursor') return []
    const isIncluded = parameter.required === true || (changedPercent > 0 && chance(draw, filterPercent))
    if (!isIncluded) return []
    const seen = chance(draw, 60) ? oneOf(draw, known.named(parameter.name)) : undefined
    const value = seen ?? generateValue(generator, parameter)
    return schemas.faultsOf(parameter.schema, value).length > 0 ? [] : [pairOf(parameter, value)]
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Returns the value of a query parameter as text. The values of an array are separated by commas. */
export function pairOf({ name }: Parameter, value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(String).map(encodeURIComponent).join(',')
    : encodeURIComponent(String(value))
  return `${encodeURIComponent(name)}=${text}`
}

/** Request headers that are left out of ordinary requests, because separate checks send them. */
const bindingHeaders = ['if-match', 'if-none-match', 'idempotency-key']

function makeHeaders(generator: Generator, operation: Operation): Record<string, string> {
  const headers = operation.parameters.flatMap((parameter): [string, string][] => {
    if (parameter.in !== 'header' || bindingHeaders.includes(parameter.name.toLowerCase())) return []
    if (generator.changedPercent === 0 || !chance(generator.draw, filterPercent)) return []
    return [[parameter.name, String(generateValue(generator, parameter))]]
  })
  return Object.fromEntries(headers)
}
