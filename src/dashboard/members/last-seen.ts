import type { Markup } from '../../markup/markup.ts'
import type { ListedMember } from '../../store/access/members.ts'
import { ago } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { isSelf } from './find.ts'

/**
 * Shows when a member last used the dashboard. The signed-in member is shown as `now`: the stored time of this member
 * may be some seconds old, because not every page view updates it.
 */
export function lastSeen(visit: Visit, { id, lastSeenAt }: Pick<ListedMember, 'id' | 'lastSeenAt'>): Markup | string {
  if (isSelf(visit, { id })) return 'now'
  return lastSeenAt === null ? 'never' : ago(lastSeenAt, visit.nowMs)
}
