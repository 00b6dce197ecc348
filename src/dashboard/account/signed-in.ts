import type { SignedIn } from '../../access/members/context.ts'
import type { Visit } from '../kit/visit.ts'

/** The session that the verbs of a member's own sign-in need. */

export function signedInOf({ member, actor }: Visit): SignedIn {
  const { sourceIp: ip, requestId, userAgent } = actor
  return { session: member, source: { ip, requestId, userAgent } }
}

/** The action runs only after a recent sign-in, which can become too old just then. */
export const confirmAgain = {
  is: 'refused',
  message: 'Your confirmation has expired. Submit the form again to confirm that it is you.',
} as const
