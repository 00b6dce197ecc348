import { expect, test } from 'vitest'
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  findInvitation,
} from '../../../src/access/members/accept-invitation.ts'
import {
  changeMemberRole,
  listMembers,
  type MemberKey,
  removeMember,
} from '../../../src/access/members/change-member.ts'
import { createMember } from '../../../src/access/members/create-member.ts'
import { confirmTotp, startTotpEnrolment } from '../../../src/access/members/enrol-totp.ts'
import { inviteMember, listInvitations } from '../../../src/access/members/invite-member.ts'
import { recoverMember } from '../../../src/access/members/recover-member.ts'
import { setPassword } from '../../../src/access/members/set-password.ts'
import { findSignInLink, useSignInLink } from '../../../src/access/members/sign-in-link.ts'
import { memberActor } from '../../../src/store/access/user-change.ts'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import type { Context } from '../../../src/store/core/mutation.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'
import { elsewhere, home, minuteMs, openPeople, password } from './people.ts'

const opened = useDatabase()
const newPassword = 'a new and long password'

test('the last owner can neither be removed nor get another role', async () => {
  const { context, merchant, join } = openPeople(opened())
  const merchantId = await merchant()
  const { memberId } = await join(merchantId)
  await join(merchantId, 'developer')
  const key = { merchantId, memberId }
  expect(await changeMemberRole(context, operator, { ...key, role: 'viewer' })).toEqual({ is: 'last_owner' })
  expect(await changeMemberRole(context, operator, { ...key, role: 'owner' })).toEqual({ is: 'unchanged' })
  expect(await removeMember(context, operator, key)).toEqual({ is: 'last_owner' })
})

test('when two owners remove and demote each other at the same time, one of them stays owner', async () => {
  const { context, merchant, join } = openPeople(opened())
  const merchantId = await merchant()
  const [first, second] = [await join(merchantId), await join(merchantId)]
  const outcomes = await Promise.all([
    removeMember(context, operator, { merchantId, memberId: first.memberId }),
    changeMemberRole(context, operator, { merchantId, memberId: second.memberId, role: 'viewer' }),
  ])
  expect(outcomes.filter(({ is }) => is === 'last_owner')).toHaveLength(1)
  const members = await listMembers(context, merchantId)
  expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('a new role of a member applies to the next request of the member’s session', async () => {
  const { context, merchant, join, session, actionsOf } = openPeople(opened())
  const merchantId = await merchant()
  await join(merchantId)
  const { memberId, sessionToken } = await join(merchantId, 'developer')
  expect((await session(sessionToken)).selected?.role).toBe('developer')
  const change = { merchantId, memberId, role: 'viewer' } as const
  expect(await changeMemberRole(context, operator, change)).toEqual({ is: 'changed' })
  expect((await session(sessionToken)).selected?.role).toBe('viewer')
  expect(await actionsOf(merchantId)).toContain('member.role')
})

test('removing a member ends the sessions of a user who belongs to no other merchant', async () => {
  const { context, merchant, join, findByToken, signIn, session } = openPeople(opened())
  const merchantId = await merchant()
  await join(merchantId)
  const { memberId, sessionToken, email } = await join(merchantId, 'viewer')
  expect(await removeMember(context, operator, { merchantId, memberId })).toEqual({ is: 'removed' })
  expect(await removeMember(context, operator, { merchantId, memberId })).toEqual({ is: 'unknown' })
  expect(await findByToken(sessionToken)).toBeUndefined()
  const outcome = await signIn(email)
  if (outcome.is !== 'signed_in') throw new Error(outcome.is)
  expect(await session(outcome.sessionToken)).toMatchObject({ selected: null, merchants: [] })
})

test('after a member is removed, the user’s session switches to another merchant of the user', async () => {
  const { context, clock, merchant, invite, join, session } = openPeople(opened())
  const [left, kept] = [await merchant(), await merchant()]
  await join(left)
  const { memberId, sessionToken, signedIn } = await join(left, 'viewer')
  const { token } = await invite(kept, 'unused@example.com', 'operations')
  clock.advance(1)
  await acceptInvitation(context, signedIn, token)
  expect((await session(sessionToken)).selected?.liveMerchantId).toBe(left)
  await removeMember(context, operator, { merchantId: left, memberId })
  const { selected, merchants } = await session(sessionToken)
  expect(selected).toMatchObject({ liveMerchantId: kept, role: 'operations' })
  expect(merchants).toHaveLength(1)
})

test('removing a member revokes the open invitations that the member created, and no others', async () => {
  const { context, merchant, join, newEmail, actionsOf } = openPeople(opened())
  const merchantId = await merchant()
  const [staying, leaving] = [await join(merchantId), await join(merchantId)]
  const invite = async ({ memberId }: typeof leaving) => {
    const actor = memberActor({ memberId, label: 'Ada', sessionId: null }, home)
    return inviteMember(context, actor, { merchantId, email: newEmail(), name: null, role: 'owner' })
  }
  const [kept, revoked] = [await invite(staying), await invite(leaving)]
  if (kept.is !== 'invited' || revoked.is !== 'invited') throw new Error('There is no invitation.')
  await removeMember(context, operator, { merchantId, memberId: leaving.memberId })
  expect(await findInvitation(context, revoked.token)).toEqual({ is: 'revoked' })
  expect(await findInvitation(context, kept.token)).toMatchObject({ is: 'open' })
  expect(await invite(leaving)).toEqual({ is: 'inviter_removed' })
  expect((await actionsOf(merchantId)).filter((action) => action === 'member.invite')).toHaveLength(4)
})

test('an owner who gets another role cannot become an owner again with an invitation that this owner created', async () => {
  const { context, merchant, join, newEmail, actionsOf } = openPeople(opened())
  const merchantId = await merchant()
  const [staying, demoted] = [await join(merchantId), await join(merchantId)]
  const invite = async ({ memberId }: typeof demoted) => {
    const actor = memberActor({ memberId, label: 'Ada', sessionId: null }, home)
    return inviteMember(context, actor, { merchantId, email: newEmail(), name: null, role: 'owner' })
  }
  const [kept, revoked] = [await invite(staying), await invite(demoted)]
  if (kept.is !== 'invited' || revoked.is !== 'invited') throw new Error('There is no invitation.')
  const change = { merchantId, memberId: demoted.memberId, role: 'viewer' } as const
  expect(await changeMemberRole(context, operator, change)).toEqual({ is: 'changed' })
  const account = { name: 'Ada again', password: newPassword, source: elsewhere }
  expect(await acceptInvitationAsNewUser(context, { ...account, token: revoked.token })).toEqual({ is: 'revoked' })
  expect(await findInvitation(context, kept.token)).toMatchObject({ is: 'open' })
  expect(await invite(demoted)).toEqual({ is: 'inviter_not_permitted' })
  const [row] = await listAudit(context.database, { merchantId, limit: 1, action: 'member.role' })
  expect(row?.changes).toEqual({ role: ['owner', 'viewer'], openInvitations: [[revoked.id], []] })
  expect((await actionsOf(merchantId)).filter((action) => action === 'member.accept')).toHaveLength(2)
})

test.for([
  ['removed', (context: Context, key: MemberKey) => removeMember(context, operator, key)],
  [
    'given another role',
    (context: Context, key: MemberKey) => changeMemberRole(context, operator, { ...key, role: 'viewer' }),
  ],
] as const)('after an owner is %s, the recovery links that this owner created for other owners no longer work', async ([
  ,
  leave,
]) => {
  const { context, merchant, join, findByToken } = openPeople(opened())
  const merchantId = await merchant()
  const [leaving, first, second] = [await join(merchantId), await join(merchantId), await join(merchantId)]
  const actor = memberActor({ memberId: leaving.memberId, label: 'Ada', sessionId: null }, home)
  const linkFor = ({ memberId }: typeof first) => recoverMember(context, actor, { merchantId, memberId })
  const [unused, used] = [await linkFor(first), await linkFor(second)]
  if (unused.is !== 'link' || used.is !== 'link') throw new Error('There is no link.')
  const setup = await useSignInLink(context, { token: used.token, source: elsewhere })
  if (setup.is !== 'setup_required') throw new Error(setup.is)
  await leave(context, { merchantId, memberId: leaving.memberId })
  expect(await useSignInLink(context, { token: unused.token, source: elsewhere })).toEqual({ is: 'unknown' })
  expect(await findByToken(setup.sessionToken)).toBeUndefined()
  expect(await findByToken(first.sessionToken)).toBeDefined()
  expect(await linkFor(first)).toEqual({ is: 'not_permitted' })
})

test('if an owner gets another role while creating an invitation, the merchant has no open invitation afterwards', async () => {
  const { context, merchant, join, newEmail } = openPeople(opened())
  const merchantId = await merchant()
  await join(merchantId)
  for (let round = 0; round < 5; round++) {
    const { memberId } = await join(merchantId)
    const actor = memberActor({ memberId, label: 'Ada', sessionId: null }, home)
    await Promise.all([
      inviteMember(context, actor, { merchantId, email: newEmail(), name: null, role: 'owner' }),
      changeMemberRole(context, operator, { merchantId, memberId, role: 'developer' }),
    ])
  }
  expect(await listInvitations(context, merchantId)).toEqual([])
})

test('if a member is removed while the member creates an invitation, the merchant has no open invitation afterwards', async () => {
  const { context, merchant, join, newEmail } = openPeople(opened())
  const merchantId = await merchant()
  await join(merchantId)
  for (let round = 0; round < 5; round++) {
    const { memberId } = await join(merchantId)
    const actor = memberActor({ memberId, label: 'Ada', sessionId: null }, home)
    await Promise.all([
      inviteMember(context, actor, { merchantId, email: newEmail(), name: null, role: 'owner' }),
      removeMember(context, operator, { merchantId, memberId }),
    ])
  }
  expect(await listInvitations(context, merchantId)).toEqual([])
})

test('changing, removing or recovering a member of another merchant returns the outcome `unknown` and changes nothing', async () => {
  const { context, merchant, join } = openPeople(opened())
  const { memberId } = await join(await merchant())
  const key = { merchantId: await merchant(), memberId }
  expect(await changeMemberRole(context, operator, { ...key, role: 'viewer' })).toEqual({ is: 'unknown' })
  expect(await removeMember(context, operator, key)).toEqual({ is: 'unknown' })
  expect(await recoverMember(context, operator, key)).toEqual({ is: 'unknown' })
})

test('a recovery link sets a new password once, removes TOTP and ends all other sessions', async () => {
  const { context, merchant, join, codeOf, findByToken, session, signIn } = openPeople(opened())
  const merchantId = await merchant()
  const { memberId, sessionToken, email, signedIn, deviceToken } = await join(merchantId)
  const started = await startTotpEnrolment(context, signedIn)
  if (started.is !== 'started') throw new Error(started.is)
  await confirmTotp(context, signedIn, codeOf(started.secret))
  const link = await recoverMember(context, operator, { merchantId, memberId })
  if (link.is !== 'link') throw new Error(link.is)
  expect(await findSignInLink(context, link.token)).toEqual({ is: 'open' })
  const uses = await Promise.all(
    [home, elsewhere].map((source) => useSignInLink(context, { token: link.token, source })),
  )
  expect(uses.map(({ is }) => is).sort()).toEqual(['setup_required', 'used'])
  const used = uses.find((use) => use.is === 'setup_required')
  if (used?.is !== 'setup_required') throw new Error('The link was not used.')
  const setup = { session: await session(used.sessionToken), source: home }
  const set = await setPassword(context, setup, { password: newPassword, currentPassword: null, deviceToken })
  if (set.is !== 'set') throw new Error(set.is)
  expect(await findByToken(sessionToken)).toBeUndefined()
  expect(await findByToken(used.sessionToken)).toBeUndefined()
  expect(await session(set.sessionToken)).toMatchObject({ stage: 'complete', hasTotp: false })
  expect(await signIn(email)).toEqual({ is: 'wrong_credentials' })
  expect(await signIn(email, { password: newPassword })).toMatchObject({ is: 'signed_in' })
})

test('only an operator can recover a member who belongs to several merchants', async () => {
  const { context, merchant, invite, join } = openPeople(opened())
  const [merchantId, other] = [await merchant(), await merchant()]
  const { memberId, signedIn } = await join(merchantId)
  const owner = await join(merchantId)
  const label = 'Owner'
  const actor = memberActor({ memberId: owner.memberId, label, sessionId: owner.signedIn.session.id }, home)
  const key = { merchantId, memberId }
  const link = await recoverMember(context, actor, key)
  if (link.is !== 'link') throw new Error(link.is)
  await acceptInvitation(context, signedIn, (await invite(other, 'unused@example.com')).token)
  // The sign-in link that was created earlier must no longer work, because it would now give access to another
  // merchant.
  expect(await useSignInLink(context, { token: link.token, source: elsewhere })).toEqual({ is: 'unknown' })
  expect(await recoverMember(context, actor, key)).toEqual({ is: 'belongs_to_other_merchants' })
  expect(await recoverMember(context, operator, key)).toMatchObject({ is: 'link' })
})

test('when a user joins another merchant, a session that was started by a recovery link ends', async () => {
  const { context, merchant, invite, join, findByToken } = openPeople(opened())
  const merchantId = await merchant()
  const { memberId, signedIn } = await join(merchantId)
  const link = await recoverMember(context, operator, { merchantId, memberId })
  if (link.is !== 'link') throw new Error(link.is)
  const used = await useSignInLink(context, { token: link.token, source: elsewhere })
  if (used.is !== 'setup_required') throw new Error(used.is)
  await acceptInvitation(context, signedIn, (await invite(await merchant(), 'unused@example.com')).token)
  expect(await findByToken(used.sessionToken)).toBeUndefined()
})

test('a sign-in link expires after an hour', async () => {
  const { context, merchant, join, clock } = openPeople(opened())
  const merchantId = await merchant()
  const { memberId } = await join(merchantId)
  const link = await recoverMember(context, operator, { merchantId, memberId })
  if (link.is !== 'link') throw new Error(link.is)
  clock.advance(60 * minuteMs)
  const expired = { is: 'expired', expiresAt: link.expiresAt }
  expect(await useSignInLink(context, { token: link.token, source: home })).toEqual(expired)
})

test('a newly created member sets the first password with a sign-in link', async () => {
  const { context, merchant, newEmail, session, signIn } = openPeople(opened())
  const merchantId = await merchant()
  const email = newEmail()
  const request = { merchantId, email, name: 'Adire Lagos', role: 'owner' } as const
  const created = await createMember(context, operator, request)
  if (created.is !== 'created') throw new Error(created.is)
  expect(await signIn(email, { password: '' })).toEqual({ is: 'wrong_credentials' })
  const used = await useSignInLink(context, { token: created.token, source: home })
  if (used.is !== 'setup_required') throw new Error(used.is)
  const setup = { session: await session(used.sessionToken), source: home }
  expect(setup.session).toMatchObject({ stage: 'setup_required', hasPassword: false })
  await setPassword(context, setup, { password, currentPassword: null, deviceToken: null })
  const audited = await listAudit(context.database, { merchantId, limit: 10, actor: created.memberId })
  const { id } = setup.session
  expect(audited.map((row) => [row.action, row.sessionId, row.sourceIp]).sort()).toEqual([
    ['user.password_change', id, home.ip],
    ['user.sign_in', id, home.ip],
  ])
  expect(await signIn(email)).toMatchObject({ is: 'signed_in' })
  expect(await createMember(context, operator, { ...request, merchantId: await merchant() })).toEqual({
    is: 'email_taken',
  })
})

test('a password change requires the current password and ends the other sessions of the user', async () => {
  const { context, merchant, join, findByToken, session, signIn } = openPeople(opened())
  const { email, signedIn, sessionToken } = await join(await merchant())
  const other = await signIn(email)
  if (other.is !== 'signed_in') throw new Error(other.is)
  const change = (currentPassword: string | null) =>
    setPassword(context, signedIn, { password: newPassword, currentPassword, deviceToken: null })
  expect(await change(null)).toEqual({ is: 'wrong_password' })
  expect(await change('a wrong password')).toEqual({ is: 'wrong_password' })
  const set = await change(password)
  if (set.is !== 'set') throw new Error(set.is)
  expect(await session(set.sessionToken)).toMatchObject({ id: signedIn.session.id, stage: 'complete' })
  expect(await findByToken(sessionToken)).toBeUndefined()
  expect(await findByToken(other.sessionToken)).toBeUndefined()
})
