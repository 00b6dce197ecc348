import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { EndpointId } from '../../../registry/index.ts'
import type { CheckoutStep } from '../../../registry/service/triggers/step.ts'

/**
 * Error cases. The case of an error code contains the requests that create the necessary state, and the request that is
 * rejected with this code. The guide “Triggers” shows them, and a test sends them in test mode. `{minutes.10}` stands
 * for the time in ten minutes.
 */

/** A request of the API that must succeed. */
export interface NeededRequest {
  readonly operation: EndpointId
  readonly as?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** How often the request is sent. Once when left out. */
  readonly times?: number
  /** Description of a body that is too long for the guide. */
  readonly shown?: string
}

/** Simulated time that must pass, for example with the test clock. */
export interface NeededTime {
  readonly waitSeconds: number
}

export type Need = NeededRequest | NeededTime | CheckoutStep

/**
 * Kinds of tokens with which rejected requests are sent. A request without a token kind has a valid token of test mode
 * with every scope.
 */
export const tokenKinds = {
  none: 'no token',
  unknown: 'an unknown token',
  expired: 'a token whose `expiresAt` has passed',
  revoked: 'a revoked token',
  elsewhere: 'a token for another IP address',
  narrow: 'a token without the scope of the operation',
  live: 'a token of live mode',
} as const

export type TokenKind = keyof typeof tokenKinds

/** The rejected request: a request of an operation, a request to another path, or raw HTTP. */
export interface RejectedRequest {
  readonly operation?: EndpointId
  readonly method?: string
  readonly path?: string
  readonly raw?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** The body as text, for a body that is not JSON. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: TokenKind
  /** How many of these requests are sent at once. One when left out. */
  readonly times?: number
  /** Description that the guide shows in place of a request that is too long. */
  readonly shown?: string
}

export interface ErrorCase {
  readonly needs?: readonly Need[]
  readonly request: RejectedRequest
}

export type ErrorCases = Readonly<Partial<Record<ErrorCode, ErrorCase>>>

/** Returns a well-formed id of a record that does not exist. */
export function missing(prefix: string): string {
  return `${prefix}_${'0'.repeat(26)}`
}
