/**
 * Links with which a person opens the dashboard, and which the service prints or shows. The token in the path of a link
 * gives access once.
 */

export function invitationLink(origin: string, token: string): string {
  return `${origin}/dashboard/invitations/${token}`
}

export function signInLink(origin: string, token: string): string {
  return `${origin}/dashboard/sign-in/link/${token}`
}
