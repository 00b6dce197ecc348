import type { Endpoint } from '../../../registry/kit/endpoint.ts'

export interface Operation {
  readonly endpoint: Endpoint
  readonly handle: (input: object) => Promise<unknown>
  readonly answerPublic: () => Promise<string>
  readonly serialize: (reply: unknown) => string
}
