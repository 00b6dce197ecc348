/**
 * Links to the dashboard for accepting an invitation and for signing in without a password. The token in the path of a
 * link can be used only once.
 */

export function invitationLink(origin: string, token: string): string {
  return `${origin}/dashboard/invitations/${token}`
}

export function signInLink(origin: string, token: string): string {
  return `${origin}/dashboard/sign-in/link/${token}`
}
