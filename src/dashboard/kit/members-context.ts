import type { MembersContext } from '../../access/members/context.ts'
import type { Dashboard } from './visit.ts'

/** Returns the context for the functions that change members and their sign-in. */
export function membersContextOf({ service, vault }: Pick<Dashboard, 'service' | 'vault'>): MembersContext {
  return { ...service.context, vault }
}
