import type { SignedIn } from '../../access/members/context.ts'
import type { Visit } from '../kit/visit.ts'

/** The session of a request, for functions that change a member's own sign-in. */

export function signedInOf({ member, actor }: Visit): SignedIn {
  const { sourceIp: ip, requestId, userAgent } = actor
  return { session: member, source: { ip, requestId, userAgent } }
}

/**
 * The router requires a recent sign-in before the action runs, but the sign-in can become too old before the action
 * runs.
 */
export const confirmAgain = {
  is: 'refused',
  message: 'Your confirmation has expired. Submit the form again to confirm that it is you.',
} as const
