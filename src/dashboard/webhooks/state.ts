import { stateOf } from '../../access/endpoint-state.ts'
import { toMs } from '../../base/clock.ts'
import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'
import type { Endpoint } from './find.ts'

/** Shows whether an endpoint receives events: enabled, failing (n of 6 failures), or disabled with the cause. */
export function endpointState(endpoint: Endpoint): Markup {
  return badge(stateOf(endpoint), toneOf(endpoint))
}

/** Whether a signing secret that an earlier rotation replaced is still valid. */
export function isRotating({ previousSecretExpiresAt }: Endpoint, nowMs: number): boolean {
  return previousSecretExpiresAt !== null && toMs(previousSecretExpiresAt) > nowMs
}

function toneOf({ status, disabledReason, consecutiveFailures }: Endpoint): Tone {
  if (status === 'disabled') return disabledReason === 'manual' ? 'quiet' : 'bad'
  return consecutiveFailures === 0 ? 'good' : 'waiting'
}
