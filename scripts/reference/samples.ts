import { apiRoot } from '../../registry/endpoint.ts'
import { at } from '../../registry/guard-parts.ts'
import type { EndpointId } from '../../registry/index.ts'
import { operations, written } from './contract.ts'

/** One call of an operation as it is pasted into a program. */
export interface Sample {
  readonly language: 'curl' | 'typescript' | 'python'
  readonly code: string
}

/** How an operation is called, with the values of its examples. */
export function samplesOf(operationId: EndpointId): readonly Sample[] {
  const endpoint = operations.find(({ id }) => id === operationId)
  if (endpoint === undefined) return []
  const given = written(endpoint, 'parameters')
  const parameters: readonly unknown[] = Array.isArray(given) ? given : []
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => at(each, 'name') === name)
    return String(at(parameter, 'schema', 'examples', '0') ?? name)
  })
  const lines = [
    `curl -s ${endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `}"$API_URL${apiRoot}${path}"`,
    ...(endpoint.access === 'public' ? [] : [`-H "Authorization: Bearer $API_TOKEN"`]),
    ...(endpoint.idempotency === 'honoured' ? [`-H 'Idempotency-Key: refund-shop-10042-1'`] : []),
    ...(endpoint.body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(endpoint.body.example, null, 2).replaceAll("'", `'\\''`)}'`,
        ]),
  ]
  return [{ language: 'curl', code: lines.join(' \\\n  ') }]
}
