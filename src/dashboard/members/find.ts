import { listMembers, type MemberKey } from '../../access/members/change-member.ts'
import type { ListedMember } from '../../store/access/members.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'

export async function findMember({ context, member }: Visit, id: string): Promise<ListedMember> {
  const members = await listMembers(context, member.selected.liveMerchantId)
  return members.find((listed) => listed.id === id) ?? noMember()
}

/** Reports whether a member is the only owner of the shop, who can neither be removed nor get another role. */
export async function isOnlyOwner({ context, member }: Visit, { id }: ListedMember): Promise<boolean> {
  const members = await listMembers(context, member.selected.liveMerchantId)
  return members.every(({ role, id: other }) => (role === 'owner') === (other === id))
}

export function isSelf({ member }: Visit, { id }: Pick<ListedMember, 'id'>): boolean {
  return id === member.selected.memberId
}

export function keyOf({ member }: Visit, { id }: ListedMember): MemberKey {
  return { merchantId: member.selected.liveMerchantId, memberId: id }
}

export function noMember(): never {
  throw new PageError(404, 'This member does not exist.')
}

export const lastOwner = {
  is: 'refused',
  message:
    'This member is the only owner. Before this member is removed or gets another role, make another member an owner.',
} as const
