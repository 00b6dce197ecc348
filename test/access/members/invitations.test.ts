import { expect, test } from 'vitest'
import {
  acceptInvitation,
  acceptInvitationAsNewUser,
  findInvitation,
} from '../../../src/access/members/accept-invitation.ts'
import { listMembers } from '../../../src/access/members/change-member.ts'
import { inviteMember, listInvitations, revokeInvitation } from '../../../src/access/members/invite-member.ts'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import { useDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'
import { dayMs, home, openPeople, password } from './people.ts'

const opened = useDatabase()
const account = { name: 'Bisi', password, source: home }

test('a new user who accepts an invitation is signed in with the role of the invitation', async () => {
  const { context, merchant, invite, newEmail, session, actionsOf } = openPeople(opened())
  const merchantId = await merchant()
  const email = newEmail()
  const { token, id } = await invite(merchantId, email.toUpperCase(), 'viewer')
  expect(await findInvitation(context, token)).toMatchObject({
    ...{ is: 'open', id, merchantId, merchantName: 'Adire Lagos', email, role: 'viewer', hasUser: false },
  })
  const outcome = await acceptInvitationAsNewUser(context, { ...account, token })
  if (outcome.is !== 'accepted') throw new Error(outcome.is)
  const { memberId } = outcome
  const found = await session(outcome.sessionToken)
  expect(found.selected).toMatchObject({
    merchantId,
    liveMerchantId: merchantId,
    mode: 'live',
    memberId,
    role: 'viewer',
  })
  expect(await findInvitation(context, token)).toMatchObject({ is: 'accepted_before' })
  expect((await actionsOf(merchantId)).sort()).toEqual(['member.accept', 'member.invite', 'merchant.create'])
})

test('the audit row of an accepted invitation names the new member’s session and the source of the request', async () => {
  const { context, merchant, join } = openPeople(opened())
  const merchantId = await merchant()
  const { memberId, signedIn } = await join(merchantId)
  const rows = await listAudit(context.database, { merchantId, limit: 10, action: 'member.accept' })
  const source = { sourceIp: home.ip, userAgent: home.userAgent, requestId: home.requestId }
  const { id: sessionId } = signedIn.session
  expect(rows).toMatchObject([{ actorType: 'member', actorId: memberId, sessionId, ...source }])
})

test('an invitation that two people accept at the same time creates one member', async () => {
  const { context, merchant, invite, newEmail } = openPeople(opened())
  const merchantId = await merchant()
  const { token } = await invite(merchantId, newEmail())
  const outcomes = await Promise.all(
    Array.from({ length: 2 }, () => acceptInvitationAsNewUser(context, { ...account, token })),
  )
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['accepted', 'accepted_before'])
  expect(await listMembers(context, merchantId)).toHaveLength(1)
})

test('an invitation that two signed-in users accept at the same time creates one member', async () => {
  const { context, merchant, invite, join, newEmail } = openPeople(opened())
  const [own, other] = [await merchant(), await merchant()]
  const people = [await join(own), await join(own)]
  const { token } = await invite(other, newEmail())
  const outcomes = await Promise.all(people.map(({ signedIn }) => acceptInvitation(context, signedIn, token)))
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['accepted', 'accepted_before'])
  expect(await listMembers(context, other)).toHaveLength(1)
})

test('two invitations to one new e-mail address create one user, even if they are accepted at the same time', async () => {
  const { context, merchant, invite, newEmail } = openPeople(opened())
  const email = newEmail()
  const tokens = [(await invite(await merchant(), email)).token, (await invite(await merchant(), email)).token]
  const outcomes = await Promise.all(tokens.map((token) => acceptInvitationAsNewUser(context, { ...account, token })))
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['accepted', 'sign_in_required'])
})

test('an invitation to the e-mail address of an existing user can be accepted only after that user signs in', async () => {
  const { context, merchant, invite, join, signIn, session } = openPeople(opened())
  const member = await join(await merchant())
  const attacker = await merchant()
  const { token } = await invite(attacker, member.email)
  expect(await findInvitation(context, token)).toMatchObject({ is: 'open', hasUser: true })
  const taken = await acceptInvitationAsNewUser(context, { ...account, token, password: 'chosen by the attacker' })
  expect(taken).toEqual({ is: 'sign_in_required' })
  expect(await signIn(member.email, { password: 'chosen by the attacker' })).toEqual({ is: 'wrong_credentials' })
  expect(await acceptInvitation(context, member.signedIn, token)).toMatchObject({
    is: 'accepted',
    merchantId: attacker,
  })
  expect((await session(member.sessionToken)).merchants).toHaveLength(2)
})

test('accepting an invitation with a weak password is refused, and the invitation stays open', async () => {
  const { context, merchant, invite, newEmail } = openPeople(opened())
  const email = newEmail()
  const { token } = await invite(await merchant(), email)
  const attempt = (weak: string) => acceptInvitationAsNewUser(context, { ...account, token, password: weak })
  expect(await attempt('short')).toEqual({ is: 'weak_password', problem: 'too_short' })
  expect(await attempt('a'.repeat(129))).toEqual({ is: 'weak_password', problem: 'too_long' })
  expect(await attempt('Password1234')).toEqual({ is: 'weak_password', problem: 'too_common' })
  expect(await attempt(email.toUpperCase())).toEqual({ is: 'weak_password', problem: 'is_email' })
  expect(await findInvitation(context, token)).toMatchObject({ is: 'open' })
})

test('an invitation expires after seven days, and a revoked or replaced invitation cannot be accepted', async () => {
  const { context, clock, merchant, invite, newEmail } = openPeople(opened())
  const merchantId = await merchant()
  const email = newEmail()
  const replaced = await invite(merchantId, email)
  const revoked = await invite(merchantId, email)
  expect(await findInvitation(context, replaced.token)).toEqual({ is: 'revoked' })
  expect(await revokeInvitation(context, operator, { merchantId, id: revoked.id })).toEqual({ is: 'revoked' })
  expect(await revokeInvitation(context, operator, { merchantId, id: revoked.id })).toEqual({ is: 'unknown' })
  expect(await acceptInvitationAsNewUser(context, { ...account, token: revoked.token })).toEqual({ is: 'revoked' })
  const expired = await invite(merchantId, email)
  expect(await listInvitations(context, merchantId)).toMatchObject([{ id: expired.id, email }])
  clock.advance(7 * dayMs)
  expect(await findInvitation(context, expired.token)).toEqual({ is: 'expired', expiresAt: expired.expiresAt })
  expect(await listInvitations(context, merchantId)).toEqual([])
  expect(await findInvitation(context, 'no such token')).toEqual({ is: 'unknown' })
})

test('a member cannot be invited again, and an invitation of another merchant is not found', async () => {
  const { context, merchant, invite, join, newEmail } = openPeople(opened())
  const [merchantId, other] = [await merchant(), await merchant()]
  const { email, signedIn } = await join(merchantId)
  const request = { merchantId, email: ` ${email.toUpperCase()} `, name: null, role: 'viewer' } as const
  expect(await inviteMember(context, operator, request)).toEqual({ is: 'already_member' })
  const { id, token } = await invite(merchantId, newEmail())
  expect(await revokeInvitation(context, operator, { merchantId: other, id })).toEqual({ is: 'unknown' })
  expect(await acceptInvitation(context, signedIn, token)).toEqual({ is: 'already_member' })
})
