import type { EventId } from '../../registry/values/vocabulary.ts'
import { userAgent } from '../outbound/user-agent.ts'
import { signatureHeaders } from './sign.ts'

interface SignedDelivery {
  /** The signing secrets, the current one first. Without secrets, the headers have no signatures. */
  readonly secrets: readonly string[]
  readonly eventId: EventId
  /** When the attempt started. The signatures contain this time in seconds (spec 6). */
  readonly startedMs: number
  readonly body: string
}

/** Returns the headers of a delivery attempt, apart from those that HTTP adds to every request. */
export function deliveryHeaders({ secrets, eventId, startedMs, body }: SignedDelivery): Record<string, string> {
  const seconds = Math.floor(startedMs / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders({ secrets, eventId, seconds, body }),
  }
}
