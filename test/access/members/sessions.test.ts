import { expect, test } from 'vitest'
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  selectMerchant,
  signOut,
} from '../../../src/access/members/sessions.ts'
import { claimForm, releaseForm } from '../../../src/access/members/submitted-forms.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { deleteExpiredSignIns } from '../../../src/store/access/expired-sign-ins.ts'
import { findTestTwin } from '../../../src/store/access/merchants.ts'
import { touchSession } from '../../../src/store/access/sessions.ts'
import { useDatabase } from '../../support/database.ts'
import { dayMs, elsewhere, minuteMs, openPeople } from './people.ts'

const opened = useDatabase()

test('a session ends seven days after its last request', async () => {
  const { context, clock, merchant, join, findByToken, session } = openPeople(opened())
  const { sessionToken, signedIn } = await join(await merchant())
  const touch = () =>
    touchSession(context.database, { id: signedIn.session.id, now: toTimestamp(clock.nowMs()), ip: elsewhere.ip })
  clock.advance(7 * dayMs - 1)
  await touch()
  clock.advance(7 * dayMs - 1)
  expect(await session(sessionToken)).toMatchObject({ id: signedIn.session.id })
  clock.advance(1)
  expect(await findByToken(sessionToken)).toBeUndefined()
})

test('a session ends 30 days after the sign-in, even if it is in use', async () => {
  const { context, clock, merchant, join, findByToken } = openPeople(opened())
  const { sessionToken, signedIn } = await join(await merchant())
  for (let day = 0; day < 30; day++) {
    expect(await findByToken(sessionToken)).toBeDefined()
    clock.advance(dayMs)
    await touchSession(context.database, { id: signedIn.session.id, now: toTimestamp(clock.nowMs()), ip: null })
  }
  expect(await findByToken(sessionToken)).toBeUndefined()
})

test('the time of a session’s last request is written at most once a minute', async () => {
  const { context, clock, merchant, join, session } = openPeople(opened())
  const { sessionToken, signedIn } = await join(await merchant())
  const { id, lastSeenAt } = signedIn.session
  const touch = () => touchSession(context.database, { id, now: toTimestamp(clock.nowMs()), ip: elsewhere.ip })
  clock.advance(minuteMs - 1)
  await touch()
  expect((await session(sessionToken)).lastSeenAt).toBe(lastSeenAt)
  clock.advance(1)
  await touch()
  expect((await session(sessionToken)).lastSeenAt).toBe(toTimestamp(clock.nowMs()))
})

test('a user can list and revoke only the user’s own sessions', async () => {
  const { context, merchant, join, signIn, session, findByToken } = openPeople(opened())
  const merchantId = await merchant()
  const [member, stranger] = [await join(merchantId), await join(merchantId)]
  const { signedIn } = member
  const other = await signIn(member.email, { source: elsewhere })
  if (other.is !== 'signed_in') throw new Error(other.is)
  const { id } = await session(other.sessionToken)
  const listed = await listSessions(context, signedIn.session)
  expect(listed.map((row) => row.id).sort()).toEqual([id, signedIn.session.id].sort())
  expect(listed.find((row) => row.id === id)).toMatchObject({ sourceIp: elsewhere.ip, userAgent: elsewhere.userAgent })
  expect(await revokeSession(context, signedIn, stranger.signedIn.session.id)).toEqual({ is: 'unknown' })
  expect(await revokeSession(context, signedIn, id)).toEqual({ is: 'revoked' })
  expect(await revokeSession(context, signedIn, id)).toEqual({ is: 'unknown' })
  expect(await findByToken(other.sessionToken)).toBeUndefined()
  await signIn(member.email)
  expect(await revokeOtherSessions(context, signedIn)).toEqual({ is: 'revoked', sessions: 1 })
  await signOut(context, signedIn)
  expect(await findByToken(member.sessionToken)).toBeUndefined()
  expect(await findByToken(stranger.sessionToken)).toBeDefined()
})

test('a session can select the user’s merchants in live or test mode, but no merchant to which the user does not belong', async () => {
  const { context, merchant, join, session } = openPeople(opened())
  const [merchantId, other] = [await merchant(), await merchant()]
  const { sessionToken, signedIn } = await join(merchantId)
  const twin = await findTestTwin(context.database, { id: merchantId })
  if (twin === undefined) throw new Error('The merchant has no test mode.')
  expect(await selectMerchant(context, signedIn.session, twin.id)).toEqual({ is: 'selected' })
  const { selected } = await session(sessionToken)
  expect(selected).toMatchObject({
    merchantId: twin.id,
    liveMerchantId: merchantId,
    testMerchantId: twin.id,
    mode: 'test',
  })
  expect(await selectMerchant(context, signedIn.session, other)).toEqual({ is: 'unknown' })
})

test('only one of several simultaneous submissions of a dashboard form is processed; if that submission fails, the form can be submitted again', async () => {
  const { context, merchant, join } = openPeople(opened())
  const { signedIn } = await join(await merchant())
  const form = { sessionId: signedIn.session.id, formId: 'form-1' }
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimForm(context, form)))
  expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1)
  expect(await claimForm(context, { ...form, formId: 'form-2' })).toBe('claimed')
  await releaseForm(context, form)
  expect(await claimForm(context, form)).toBe('claimed')
})

test('ended sessions and the records of their submitted forms are deleted after a month, and active sessions are not', async () => {
  const { context, clock, merchant, join, findByToken } = openPeople(opened())
  const merchantId = await merchant()
  const { signedIn } = await join(merchantId)
  await claimForm(context, { sessionId: signedIn.session.id, formId: 'form-1' })
  clock.advance(38 * dayMs)
  const active = await join(merchantId)
  const now = toTimestamp(clock.nowMs())
  expect(await deleteExpiredSignIns(context.database, now)).toBeGreaterThan(0)
  expect(await deleteExpiredSignIns(context.database, now)).toBe(0)
  expect(await findByToken(active.sessionToken)).toBeDefined()
})
