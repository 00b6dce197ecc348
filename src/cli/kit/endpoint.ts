import { EndpointId } from '../../../registry/values/vocabulary.ts'
import { type CommandFailure, notFound } from './failure.ts'
import { idOption } from './option.ts'

/** Options of every command about one webhook endpoint, in addition to the options that select the merchant. */
export const endpointOptions = { endpoint: idOption('The endpoint.') }

/** A malformed id causes the same error as an unknown id. */
export function endpointIdOf(text: string): EndpointId {
  const parsed = EndpointId.safeParse(text)
  if (!parsed.success) throw noEndpoint(text)
  return parsed.data
}

export function noEndpoint(id: string): CommandFailure {
  return notFound(`webhook endpoint ${id}`)
}
