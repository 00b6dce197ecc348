import { expect } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import type { Reply } from './api.ts'

/**
 * Expects that a reply is the operation’s error with this code, as the operation declares it.
 * test/contract/coverage.test.ts finds the calls by their text, so both arguments are literals.
 */
export function answers(id: EndpointId, code: ErrorCode, reply: Reply): void {
  const endpoint: Endpoint = endpoints[id]
  expect(refusalsOf(endpoint), `${id} does not declare ${code}`).toContain(code)
  expect({ operation: reply.operationId, code: reply.body.error?.code }, reply.text).toEqual({ operation: id, code })
}

/** The operations that declare an error code, for tests that provoke it in each of them in the same way. */
export function operationsAnswering(code: ErrorCode): EndpointId[] {
  return endpointIds.filter((id) => refusalsOf(endpoints[id]).includes(code))
}

export const endpointIds = Object.keys(endpoints).filter((id): id is EndpointId => Object.hasOwn(endpoints, id))
