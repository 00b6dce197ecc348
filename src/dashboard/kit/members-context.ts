import type { MembersContext } from '../../access/members/context.ts'
import type { Dashboard } from './visit.ts'

export function membersContextOf({ service, vault }: Pick<Dashboard, 'service' | 'vault'>): MembersContext {
  return { ...service.context, vault }
}
