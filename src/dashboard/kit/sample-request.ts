import type { z } from 'zod'
import { type EndpointId, endpoints } from '../../../registry/index.ts'
import { apiRoot } from '../../../registry/kit/endpoint.ts'

type BodyOf<Id extends EndpointId> = (typeof endpoints)[Id] extends {
  readonly body: { readonly schema: infer Schema extends z.ZodType }
}
  ? z.input<Schema>
  : undefined

/**
 * Returns a curl command that calls an API operation with the token in `COMMERCE_TOKEN`, or with the given token. The
 * path and the body must have the fields that the operation declares.
 */
export function sampleRequest<Id extends EndpointId>(
  origin: string,
  id: Id,
  { body, query = '', token }: { readonly body?: BodyOf<Id>; readonly query?: string; readonly token?: string } = {},
): string {
  const url = `${origin}${apiRoot}${endpoints[id].path}${query}`
  const bearer = token === undefined ? '"Authorization: Bearer $COMMERCE_TOKEN"' : `'Authorization: Bearer ${token}'`
  const request = `curl -sS '${url}' -H ${bearer}`
  if (body === undefined) return request
  return `${request} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`
}
