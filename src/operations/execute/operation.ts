import type { Endpoint } from '../../../registry/kit/endpoint.ts'

/** An operation with its handler, and the serializer compiled from its reply schema. */
export interface Operation {
  readonly endpoint: Endpoint
  readonly handle: (input: object) => Promise<unknown>
  readonly answerPublic: () => Promise<string>
  readonly serialize: (reply: unknown) => string
}
