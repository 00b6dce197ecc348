/** Links that the service prints or shows, for a person to open. The token in the path gives access, once. */

export function invitationLink(origin: string, token: string): string {
  return `${origin}/dashboard/invitations/${token}`
}

export function signInLink(origin: string, token: string): string {
  return `${origin}/dashboard/sign-in/link/${token}`
}
