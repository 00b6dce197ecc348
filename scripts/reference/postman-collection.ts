import { type EndpointId, endpoints } from '../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../registry/kit/endpoint.ts'
import { contractVersion } from '../../registry/values/version.ts'
import { demoUrl, sampledOperation } from './samples/request.ts'

/**
 * The Postman collection (format 2.1): one folder for each tag, and one request for each operation, with the examples of
 * the registry. The collection variables `baseUrl` and `token` select the service and the merchant.
 */
export function postmanCollection(): string {
  const byTag = Object.groupBy(Object.values<Endpoint>(endpoints), ({ tag }) => tag)
  const collection = {
    info: {
      name: 'Commerce Service',
      version: contractVersion,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `${demoUrl}${apiRoot}` },
      { key: 'token', value: '' },
    ],
    item: Object.entries(byTag).map(([name, all = []]) => ({ name, item: all.map(requestOf) })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function requestOf({ id, method, path, summary, description }: Endpoint) {
  const { request } = sampledOperation(operationId(id))
  const { ids, query, body, idempotencyKey } = request
  const header = [
    ...(idempotencyKey === undefined ? [] : [{ key: 'Idempotency-Key', value: idempotencyKey }]),
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
  ]
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = Object.entries(query).map(([key, value]) => ({ key, value: String(value) }))
  const search = parameters.map(({ key, value }) => `${key}=${value}`).join('&')
  const postmanPath = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    name: summary,
    request: {
      method,
      header,
      url: {
        raw: `{{baseUrl}}${postmanPath}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: postmanPath.split('/').slice(1),
        query: parameters,
        variable: names.map((key, index) => ({ key, value: ids[index] ?? '' })),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
      description,
    },
  }
}

function operationId(id: string): EndpointId {
  const known = Object.keys(endpoints).find((key): key is EndpointId => key === id)
  if (known === undefined) throw new Error(`The registry has no operation ${id}.`)
  return known
}
