import type { ErrorCode } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { nameOf } from '../../registry/openapi/guard-schemas.ts'
import { openApiDocument } from '../../registry/openapi/openapi.ts'
import { operationPage } from '../../registry/values/deprecation.ts'

/** What the pages are written from: the registry, and the document made of it for the schemas. */

const document: unknown = JSON.parse(JSON.stringify(openApiDocument()))

export const operations: readonly (Endpoint & { readonly id: EndpointId })[] = Object.values(endpoints)

/** Names in the order in which operations first bear them. */
export const tags = [...new Set(operations.map(({ tag }) => tag))]

export function tagDescription(tag: string): string {
  const all = at(document, 'tags')
  const found = Array.isArray(all) ? all.find((each) => at(each, 'name') === tag) : undefined
  return String(at(found, 'description') ?? '')
}

/** Where the service itself says that the page is, without the root of the reference. */
export function operationPath(endpoint: Endpoint): string {
  return operationPage(endpoint).replace(/^\/docs\//, '')
}

/** What the document says of an operation. */
export function written(endpoint: Endpoint, ...path: readonly string[]): unknown {
  return at(document, 'paths', endpoint.path, endpoint.method.toLowerCase(), ...path)
}

export function answering(code: ErrorCode) {
  return operations.filter((endpoint) => refusalsOf(endpoint).includes(code))
}

export function referenceOf(schema: unknown): string | undefined {
  const reference = at(schema, '$ref')
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

/** The schema itself, where another is only referred to. */
export function resolved(schema: unknown): unknown {
  const name = referenceOf(schema)
  return name === undefined ? schema : at(document, 'components', 'schemas', name)
}

/** What a code says in `details`; undefined for the codes that are given before any operation is chosen. */
export function detailsSchema(code: ErrorCode): unknown {
  const body = errorBodies.get(code)
  const name = body === undefined ? undefined : nameOf(body)
  return at(document, 'components', 'schemas', name ?? '', 'properties', 'error', 'properties', 'details')
}

/** The fields of a kind of event, without its envelope. */
export function dataSchema(eventName: string): unknown {
  return at(document, 'components', 'schemas', eventName, 'properties', 'data')
}
