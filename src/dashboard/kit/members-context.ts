import type { MembersContext } from '../../access/members/context.ts'
import type { Dashboard } from './visit.ts'

/** Returns the dependencies that the functions for members and sign-in need. */
export function membersContextOf({ service, vault }: Pick<Dashboard, 'service' | 'vault'>): MembersContext {
  return { ...service.context, vault }
}
