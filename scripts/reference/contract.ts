import type { ErrorCode } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { nameOf } from '../../registry/openapi/guard-schemas.ts'
import { openApiDocument } from '../../registry/openapi/openapi.ts'
import { operationPage } from '../../registry/values/deprecation.ts'

/** The sources of the reference pages: the registry and, for schemas, the OpenAPI document derived from it. */

const document: unknown = JSON.parse(JSON.stringify(openApiDocument()))

export const operations: readonly (Endpoint & { readonly id: EndpointId })[] = Object.values(endpoints)

/** The tags of the API, in the order of the operations that have them. */
export const tags = [...new Set(operations.map(({ tag }) => tag))]

export function tagDescription(tag: string): string {
  const all = at(document, 'tags')
  const found = Array.isArray(all) ? all.find((each) => at(each, 'name') === tag) : undefined
  return String(at(found, 'description') ?? '')
}

/** Returns the path of an operation’s page, as the service’s `Link` headers name it, relative to /docs. */
export function operationPath(endpoint: Endpoint): string {
  return operationPage(endpoint).replace(/^\/docs\//, '')
}

/** Returns a part of an operation as it is in the OpenAPI document. */
export function written(endpoint: Endpoint, ...path: readonly string[]): unknown {
  return at(document, 'paths', endpoint.path, endpoint.method.toLowerCase(), ...path)
}

export function operationsReturning(code: ErrorCode) {
  return operations.filter((endpoint) => refusalsOf(endpoint).includes(code))
}

export function referenceOf(schema: unknown): string | undefined {
  const reference = at(schema, '$ref')
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

/** Returns the schema to which a reference points, or the schema itself when it is not a reference. */
export function resolved(schema: unknown): unknown {
  const name = referenceOf(schema)
  return name === undefined ? schema : at(document, 'components', 'schemas', name)
}

/** Returns the schema of the `details` of an error code. Undefined for codes that no operation declares. */
export function detailsSchema(code: ErrorCode): unknown {
  const body = errorBodies.get(code)
  const name = body === undefined ? undefined : nameOf(body)
  return at(document, 'components', 'schemas', name ?? '', 'properties', 'error', 'properties', 'details')
}

export function dataSchema(eventName: string): unknown {
  return at(document, 'components', 'schemas', eventName, 'properties', 'data')
}
