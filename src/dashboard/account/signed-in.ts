import type { SignedIn } from '../../access/members/context.ts'
import type { Visit } from '../kit/visit.ts'

/** Returns the session and the client of a request. The functions that change how a member signs in require both. */

export function signedInOf({ member, actor }: Visit): SignedIn {
  const { sourceIp: ip, requestId, userAgent } = actor
  return { session: member, source: { ip, requestId, userAgent } }
}

/**
 * The outcome of an action for which the sign-in is not recent enough. The router requires a recent sign-in before it
 * runs the action, but the sign-in can become too old between this check and the action.
 */
export const confirmAgain = {
  is: 'refused',
  message: 'Your confirmation has expired. Submit the form again to confirm that it is you.',
} as const
