import { endpoints } from '../../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import type { NeededRequest, RejectedRequest } from '../../../scripts/reference/error-cases/case.ts'
import { filledIn, filledText, type Results } from '../../../src/operations/fill-in.ts'
import type { ReplyBody, TestApi } from '../../support/api.ts'
import { parseAnswer, sendBytes } from '../../support/socket.ts'

/** Sends the requests of the error cases with their placeholders replaced by the results of earlier requests. */

export interface Answered {
  readonly status: number
  readonly body: ReplyBody
}

/** Sends a request that must succeed, and returns its parsed response. */
export async function sendNeeded(
  api: TestApi,
  { token, results }: { readonly token: string; readonly results: Results },
  request: NeededRequest,
): Promise<Answered> {
  const { operation, body, headers = {} } = request
  const endpoint: Endpoint = endpoints[operation]
  const sent = {
    token,
    headers: filledHeaders(headers, results),
    body: body === undefined ? undefined : filledIn(body, results),
  }
  return api.send(endpoint.method, pathOf(endpoint, request, results), sent)
}

export async function sendRejected(
  api: TestApi,
  { token, results }: { readonly token: string | undefined; readonly results: Results },
  request: RejectedRequest,
): Promise<Answered> {
  const { raw, operation, text, body, headers = {} } = request
  if (raw !== undefined) return read(parseAnswer(await sendBytes(api, raw)))
  const endpoint: Endpoint | undefined = operation === undefined ? undefined : endpoints[operation]
  const path = endpoint === undefined ? filledText(request.path ?? '', results) : pathOf(endpoint, request, results)
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(filledIn(body, results)))
  const response = await fetch(api.url + path, {
    method: endpoint?.method ?? request.method ?? 'GET',
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...filledHeaders(headers, results),
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  return read({ status: response.status, text: await response.text() })
}

function read({ status, text }: { readonly status: number; readonly text: string }): Answered {
  return { status, body: JSON.parse(text) }
}

function filledHeaders(headers: Readonly<Record<string, string>>, results: Results): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filledText(value, results)]))
}

function pathOf(
  { path }: Endpoint,
  { params = {}, query = {} }: Pick<NeededRequest, 'params' | 'query'>,
  results: Results,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filledText(params[name] ?? '', results))
  const values = Object.entries(query).map(([name, value]): [string, string] => [name, filledText(value, results)])
  return `${apiRoot}${filled}${values.length === 0 ? '' : `?${new URLSearchParams(values)}`}`
}
