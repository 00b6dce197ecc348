import { expect } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import type { Reply } from './api.ts'

/**
 * Coverage by declaration: says that a reply is this operation's answer with this code, and holds it to that, so a
 * declaration cannot lie. test/contract/coverage.test.ts finds the calls by their text: both names are written out.
 */
export function answers(id: EndpointId, code: ErrorCode, reply: Reply): void {
  const endpoint: Endpoint = endpoints[id]
  expect(refusalsOf(endpoint), `${id} does not declare ${code}`).toContain(code)
  expect({ operation: reply.operationId, code: reply.body.error?.code }, reply.text).toEqual({ operation: id, code })
}

/** The operations that declare a code, for tests that provoke it of each of them in the same way. */
export function operationsAnswering(code: ErrorCode): EndpointId[] {
  return endpointIds.filter((id) => refusalsOf(endpoints[id]).includes(code))
}

export const endpointIds = Object.keys(endpoints).filter((id): id is EndpointId => Object.hasOwn(endpoints, id))
