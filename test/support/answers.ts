import { expect } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import type { Reply } from './api.ts'

/**
 * Expects that a response is the operation's error with this code, in the form that the operation declares.
 * test/contract/coverage.test.ts finds the calls of this function in the source text, so both arguments must be
 * literals.
 */
export function answers(id: EndpointId, code: ErrorCode, reply: Reply): void {
  const endpoint: Endpoint = endpoints[id]
  expect(refusalsOf(endpoint), `${id} does not declare ${code}`).toContain(code)
  expect({ operation: reply.operationId, code: reply.body.error?.code }, reply.text).toEqual({ operation: id, code })
}

/**
 * Returns the operations that declare an error code, for tests that cause the error in all operations in the same way.
 */
export function operationsAnswering(code: ErrorCode): EndpointId[] {
  return endpointIds.filter((id) => refusalsOf(endpoints[id]).includes(code))
}

export const endpointIds = Object.keys(endpoints).filter((id): id is EndpointId => Object.hasOwn(endpoints, id))
