import { EndpointId } from '../../registry/values/vocabulary.ts'
import { type CommandFailure, notFound } from './failure.ts'
import { idOption } from './option.ts'

/** What every command about one endpoint takes, beside whose it is. */
export const endpointOptions = { endpoint: idOption('The endpoint.') }

/** An id that cannot exist is as unknown as one that does not. */
export function endpointIdOf(text: string): EndpointId {
  const parsed = EndpointId.safeParse(text)
  if (!parsed.success) throw noEndpoint(text)
  return parsed.data
}

export function noEndpoint(id: string): CommandFailure {
  return notFound(`webhook endpoint ${id}`)
}
