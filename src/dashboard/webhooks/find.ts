import { EndpointId } from '../../../registry/values/vocabulary.ts'
import { listEndpoints } from '../../store/webhooks/endpoints.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'

export type Endpoint = Awaited<ReturnType<typeof listEndpoints>>[number]

/** Throws a page error if the merchant has no endpoint with this id. */
export async function requireEndpoint({ context, tenant }: Visit, id: string): Promise<Endpoint> {
  // The whole list is read, because a merchant has at most 16 endpoints.
  const endpoint = (await listEndpoints(context.database, tenant.merchantId)).find((one) => one.id === id)
  if (endpoint === undefined) throw noEndpoint()
  return endpoint
}

/** A malformed id gets the same response as an unknown id. */
export function endpointIdOf(text: string): EndpointId {
  const id = EndpointId.safeParse(text)
  if (!id.success) throw noEndpoint()
  return id.data
}

export function noEndpoint(): PageError {
  return new PageError(404, 'This webhook endpoint does not exist. Open the list of webhook endpoints.')
}

export function nameOf({ description, url }: Pick<Endpoint, 'description' | 'url'>): string {
  return description === '' ? url : description
}
