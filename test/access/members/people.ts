import { Secret, TOTP } from 'otpauth'
import type { Role } from '../../../registry/values/roles.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { acceptInvitationAsNewUser } from '../../../src/access/members/accept-invitation.ts'
import type { MembersContext } from '../../../src/access/members/context.ts'
import { inviteMember } from '../../../src/access/members/invite-member.ts'
import { signInWithPassword } from '../../../src/access/members/sign-in-with-password.ts'
import { hashToken } from '../../../src/access/token-format.ts'
import { stoppedClock, systemClock, toTimestamp } from '../../../src/base/clock.ts'
import { randomKey } from '../../../src/base/ids.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { findSession, type SessionRecord } from '../../../src/store/access/sessions.ts'
import type { Source } from '../../../src/store/access/user-change.ts'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import type { TestDatabase } from '../../support/database.ts'
import { operator } from '../../support/shop.ts'

export const password = 'ankara lace and thread'
export const home: Source = { ip: '102.89.23.7', requestId: 'req_home', userAgent: 'Firefox' }
export const elsewhere: Source = { ip: '203.0.113.9', requestId: 'req_elsewhere', userAgent: 'curl' }

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

let people = 0

/** Creates merchants and their members, with a clock that does not advance. */
export function openPeople({ database }: TestDatabase, vault = vaultOf([randomKey(32)])) {
  const clock = stoppedClock(systemClock.nowMs())
  const context: MembersContext = { database, clock, vault, nudge: () => undefined }
  const newEmail = () => `person-${++people}@example.com`
  const findByToken = (token: string) =>
    findSession(database, { tokenHash: hashToken(token), now: toTimestamp(clock.nowMs()) })
  const session = async (token: string): Promise<SessionRecord> => {
    const found = await findByToken(token)
    if (found === undefined) throw new Error('The session has ended.')
    return found
  }
  const invite = async (merchantId: MerchantId, email: string, role: Role = 'owner') => {
    const outcome = await inviteMember(context, operator, { merchantId, email, name: null, role })
    if (outcome.is !== 'invited') throw new Error(outcome.is)
    return outcome
  }
  const join = async (merchantId: MerchantId, role: Role = 'owner') => {
    const email = newEmail()
    const { token } = await invite(merchantId, email, role)
    const outcome = await acceptInvitationAsNewUser(context, { token, name: 'Ada', password, source: home })
    if (outcome.is !== 'accepted' || outcome.deviceToken === null) throw new Error(outcome.is)
    const { memberId, sessionToken, deviceToken } = outcome
    return {
      email,
      memberId,
      sessionToken,
      deviceToken,
      signedIn: { session: await session(sessionToken), source: home },
    }
  }
  return {
    context,
    clock,
    newEmail,
    findByToken,
    session,
    invite,
    join,
    merchant: async () => (await createMerchant(context, operator, 'Adire Lagos')).id,
    signIn: (email: string, change: { password?: string; deviceToken?: string | null; source?: Source } = {}) =>
      signInWithPassword(context, { email, password, deviceToken: null, source: home, ...change }),
    /** Returns the code that an authenticator app shows after the given number of 30-second steps from now. */
    codeOf: (secret: string, steps = 0) =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.nowMs() + steps * 30_000 }),
    actionsOf: async (merchantId: MerchantId) =>
      (await listAudit(database, { merchantId, limit: 100 })).map(({ action }) => action),
  }
}
