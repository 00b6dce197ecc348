import type { Asked } from './client.ts'
import type { Operation, Parameter, Schema } from './document.ts'
import { chance, oneOf } from './draw.ts'
import { type Generator, generateValue } from './generate-value.ts'
import { makeBody } from './make-body.ts'

/** Requests to an operation that its schemas allow. */

/** A filter is tried in so many of a hundred requests; all of them at once would find nothing. */
const filterPercent = 15

/** Undefined where the path names a record of a kind that nobody has told of yet. */
export function makeRequest(generator: Generator, operation: Operation): Asked | undefined {
  const path = makePath(generator, operation)
  if (path === undefined) return undefined
  const query = makeQuery(generator, operation)
  const headers = makeHeaders(generator, operation)
  const { body } = operation
  const asked: Asked = { method: operation.method, path: path + query, as: 'token', headers }
  return body === undefined ? asked : { ...asked, body: makeBody(generator, operation) }
}

/** The path with the ids of records that exist and belong together; with made-up ones where `isMissing`. */
export function makePath(generator: Generator, operation: Operation, isMissing = false): string | undefined {
  const parameters = pathParametersOf(operation)
  const patterns = parameters.map(({ schema }) => schema.pattern ?? '')
  const ids = isMissing
    ? parameters.map(({ schema }) => madeUpId(generator, schema))
    : oneOf(generator.draw, generator.known.together(patterns))
  if (parameters.length > 0 && ids === undefined) return undefined
  return pathWith(operation, ids ?? [])
}

/** Never an example: a demo has the records that its document names. */
export function madeUpId(generator: Generator, schema: Schema): string {
  return String(generateValue({ ...generator, changedPercent: 100 }, { schema: { ...schema, examples: [] } }))
}

/** The path with each of the records that are known, the newest first. */
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
    const isTaken = parameter.required === true || (changedPercent > 0 && chance(draw, filterPercent))
    if (!isTaken) return []
    const seen = chance(draw, 60) ? oneOf(draw, known.named(parameter.name)) : undefined
    const value = seen ?? generateValue(generator, parameter)
    return schemas.faultsOf(parameter.schema, value).length > 0 ? [] : [pairOf(parameter, value)]
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The document’s lists are written with commas. */
export function pairOf({ name }: Parameter, value: unknown): string {
  const text = Array.isArray(value)
    ? value.map(String).map(encodeURIComponent).join(',')
    : encodeURIComponent(String(value))
  return `${encodeURIComponent(name)}=${text}`
}

/** Those that bind the request to something are sent by the checks that are about them. */
const bindingHeaders = ['if-match', 'if-none-match', 'idempotency-key']

function makeHeaders(generator: Generator, operation: Operation): Record<string, string> {
  const headers = operation.parameters.flatMap((parameter): [string, string][] => {
    if (parameter.in !== 'header' || bindingHeaders.includes(parameter.name.toLowerCase())) return []
    if (generator.changedPercent === 0 || !chance(generator.draw, filterPercent)) return []
    return [[parameter.name, String(generateValue(generator, parameter))]]
  })
  return Object.fromEntries(headers)
}
