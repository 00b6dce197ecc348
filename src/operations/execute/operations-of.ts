import { type EndpointId, endpoints } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { serializerOf } from '../../../registry/kit/serializer.ts'
import type { AllImplemented } from './implement.ts'
import type { Operation } from './operation.ts'

/** The operations are in the order of the registry. */
export function operationsOf(implementations: AllImplemented): Operation[] {
  return endpointIds().map((id) => {
    const endpoint: Endpoint = endpoints[id]
    const { handle } = implementations[id]
    return {
      endpoint,
      handle: erase(handle),
      answerPublic: () => Promise.resolve(erase(handle)({})).then(String),
      serialize: endpoint.access === 'public' ? String : serializerOf(endpoint.reply.body),
    }
  })
}

function endpointIds(): EndpointId[] {
  return Object.keys(endpoints).filter((id): id is EndpointId => Object.hasOwn(endpoints, id))
}

/**
 * Removes the specific type of a handler. implement() checked each handler against its operation, and execute()
 * calls all handlers with input that the schemas of their operations validated.
 */
function erase(handle: AllImplemented[EndpointId]['handle']): (input: object) => Promise<unknown> {
  return handle as (input: object) => Promise<unknown>
}
