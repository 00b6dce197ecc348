import type { Route } from '../kit/route.ts'
import { inviteAction, revokeInvitationAction } from './invite.ts'
import { memberList } from './list.ts'
import { recoverAction, recoveryPage } from './recover.ts'
import { memberRemovalPage, removeMemberAction } from './remove.ts'
import { changeRole, memberPage } from './show.ts'

export const memberRoutes: readonly Route[] = [
  ...[memberList, inviteAction, revokeInvitationAction],
  ...[memberPage, changeRole, memberRemovalPage, removeMemberAction, recoveryPage, recoverAction],
]
