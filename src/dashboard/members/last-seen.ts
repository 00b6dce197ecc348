import type { Markup } from '../../markup/markup.ts'
import type { ListedMember } from '../../store/access/members.ts'
import { ago } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { isSelf } from './find.ts'

/**
 * Shows when a member last used the dashboard. The stored time of the member who is signed in is some seconds old,
 * because not each page stores it.
 */
export function lastSeen(visit: Visit, { id, lastSeenAt }: Pick<ListedMember, 'id' | 'lastSeenAt'>): Markup | string {
  if (isSelf(visit, { id })) return 'now'
  return lastSeenAt === null ? 'never' : ago(lastSeenAt, visit.nowMs)
}
