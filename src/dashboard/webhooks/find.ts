import { EndpointId } from '../../../registry/values/vocabulary.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'

export type Endpoint = Awaited<ReturnType<typeof listEndpoints>>[number]

/** Returns the endpoint of a page. Throws a page error if the merchant has none of this id. */
export async function requireEndpoint({ context, tenant }: Visit, id: string): Promise<Endpoint> {
  // A merchant has at most 16 endpoints.
  const endpoint = (await listEndpoints(context.database, tenant.merchantId)).find((one) => one.id === id)
  if (endpoint === undefined) throw noEndpoint()
  return endpoint
}

/** Parses the id in a path. A malformed id is answered like an unknown one. */
export function endpointIdOf(text: string): EndpointId {
  const id = EndpointId.safeParse(text)
  if (!id.success) throw noEndpoint()
  return id.data
}

export function noEndpoint(): PageError {
  return new PageError(404, 'There is no such webhook endpoint. Open the list of webhook endpoints.')
}

/** Returns the words that name an endpoint: its description, or else its URL. */
export function nameOf({ description, url }: Pick<Endpoint, 'description' | 'url'>): string {
  return description === '' ? url : description
}
