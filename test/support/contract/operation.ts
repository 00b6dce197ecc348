import { type EndpointId, endpoints } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import { isScope, type Scope } from '../../../registry/values/scopes.ts'
import type { Arranged } from '../../contract/fixture.ts'
import { fixtures } from '../../contract/fixtures.ts'
import { endpointIds } from '../answers.ts'
import type { Reply, Sent, TestApi } from '../api.ts'
import type { Shop } from '../shop.ts'

/**
 * An operation of the registry with a prepared valid request, for tests that send similar requests to every operation.
 */
export interface Operation extends Arranged {
  readonly id: EndpointId
  /** The merchant whose tokens may send the request. */
  readonly shop: Shop
  readonly endpoint: Endpoint
  send(sent: Sent): Promise<Reply>
  with(other: Partial<Arranged>): Operation
}

/** Creates the records that the operation needs in the shop. Returns the operation with a valid request. */
export async function arrange(api: TestApi, id: EndpointId, shop: Shop): Promise<Operation> {
  return bound(api, id, { shop, ...(await fixtures[id].arrange(api, shop)) })
}

/**
 * Prepares the requests of several operations, one operation after another. If all were prepared at once, the requests
 * of one merchant could wait too long on a busy machine.
 */
export async function arrangeAll(api: TestApi, ids: readonly EndpointId[], shop: Shop): Promise<Operation[]> {
  const all: Operation[] = []
  for (const id of ids) all.push(await arrange(api, id, shop))
  return all
}

function bound(api: TestApi, id: EndpointId, arranged: Arranged & Pick<Operation, 'shop'>): Operation {
  const { method, path, body } = arranged
  return {
    ...arranged,
    id,
    endpoint: endpoints[id],
    send: (sent) => api.send(method, path, { body, ...sent }),
    with: ({ shop = arranged.shop, ...other }) => bound(api, id, { ...arranged, ...other, shop }),
  }
}

/**
 * Returns the operation with an invalid request: with an invalid id in the path, an invalid page size, or an undeclared
 * field.
 */
export function invalid(of: Operation): Operation {
  if (of.body !== undefined || of.endpoint.kind === 'write') return of.with({ body: { ...of.body, colour: 'red' } })
  if (of.endpoint.query?.shape.limit !== undefined) return of.with({ path: `${of.path}?limit=0` })
  if (of.endpoint.kind === 'export') return of.with({ path: `${of.path}?format=xml` })
  // A read request without an id in its path cannot get an invalid id. It becomes invalid without its query parameters,
  // some of which are required.
  if (of.endpoint.params === undefined) return of.with({ path: of.path.replace(/\?.*/, '') })
  return of.with({ path: of.path.replace(/_[0-9a-z]{26}/, '_x') })
}

export const writes = endpointIds.filter((id) => endpoints[id].kind === 'write')

export function scopeOf(id: EndpointId): Scope {
  const { access } = endpoints[id]
  if (!isScope(access)) throw new Error(`${id} is public.`)
  return access
}

export function statusOf(id: EndpointId): number {
  const endpoint: Endpoint = endpoints[id]
  return endpoint.reply.status ?? 200
}
