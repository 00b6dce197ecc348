import { expect, test } from 'vitest'
import { sealSecrets } from '../../../src/access/keys/seal-secrets.ts'
import { confirmTotp, removeTotp, startTotpEnrolment } from '../../../src/access/members/enrol-totp.ts'
import { reauthenticate } from '../../../src/access/members/reauthenticate.ts'
import { verifyTotp } from '../../../src/access/members/verify-totp.ts'
import { randomKey } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { useDatabase } from '../../support/database.ts'
import { elsewhere, home, minuteMs, openPeople, password } from './people.ts'

const opened = useDatabase()

async function openTotpUser() {
  const people = openPeople(opened())
  const { context, join, merchant, codeOf, signIn, session, clock } = people
  const member = await join(await merchant())
  const started = await startTotpEnrolment(context, member.signedIn)
  if (started.is !== 'started') throw new Error(started.is)
  expect(await confirmTotp(context, member.signedIn, codeOf(started.secret))).toMatchObject({ is: 'enabled' })
  clock.advance(minuteMs)
  const enterPassword = async (deviceToken: string | null = null) => {
    const outcome = await signIn(member.email, { deviceToken })
    if (outcome.is !== 'totp_required') throw new Error(outcome.is)
    return { session: await session(outcome.sessionToken), source: home }
  }
  return { ...people, member, secret: started.secret, uri: started.uri, enterPassword }
}

test('a user with TOTP gets access only after the password and a code, and then has a new session token', async () => {
  const { context, secret, uri, codeOf, enterPassword, session, findByToken, signIn, member } = await openTotpUser()
  expect(uri).toContain(`secret=${secret}`)
  const first = await signIn(member.email)
  if (first.is !== 'totp_required') throw new Error(first.is)
  const signedIn = await enterPassword()
  expect(signedIn.session.stage).toBe('totp_required')
  const answer = { code: codeOf(secret), deviceToken: null }
  const outcome = await verifyTotp(context, { session: await session(first.sessionToken), source: home }, answer)
  if (outcome.is !== 'signed_in') throw new Error(outcome.is)
  expect(await session(outcome.sessionToken)).toMatchObject({ stage: 'complete', hasTotp: true })
  expect(await findByToken(first.sessionToken)).toBeUndefined()
})

test('a TOTP code is accepted once, even when two sessions send it at the same time', async () => {
  const { context, secret, codeOf, enterPassword, clock } = await openTotpUser()
  const sessions = [await enterPassword(), await enterPassword()]
  const answer = { code: codeOf(secret), deviceToken: null }
  const outcomes = await Promise.all(sessions.map((signedIn) => verifyTotp(context, signedIn, answer)))
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['signed_in', 'wrong_code'])
  expect(await verifyTotp(context, await enterPassword(), answer)).toEqual({ is: 'wrong_code' })
  clock.advance(30_000)
  const next = { code: codeOf(secret), deviceToken: null }
  expect(await verifyTotp(context, await enterPassword(), next)).toMatchObject({ is: 'signed_in' })
})

test('a TOTP code that is one time step off is accepted, and a code that is two steps off is not', async () => {
  const { context, secret, codeOf, enterPassword } = await openTotpUser()
  const answer = (steps: number) => ({ code: codeOf(secret, steps), deviceToken: null })
  expect(await verifyTotp(context, await enterPassword(), answer(2))).toEqual({ is: 'wrong_code' })
  expect(await verifyTotp(context, await enterPassword(), answer(1))).toMatchObject({ is: 'signed_in' })
})

test('after three wrong TOTP codes, further codes are delayed, except from a device that has signed in before', async () => {
  const { context, secret, codeOf, enterPassword, member } = await openTotpUser()
  const signedIn = { ...(await enterPassword()), source: elsewhere }
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => verifyTotp(context, signedIn, { code: '000000', deviceToken: null })),
  )
  expect(outcomes.filter(({ is }) => is === 'wrong_code')).toHaveLength(3)
  const { deviceToken } = member
  const answer = { code: codeOf(secret), deviceToken }
  expect(await verifyTotp(context, await enterPassword(deviceToken), answer)).toMatchObject({ is: 'signed_in' })
})

test('a session that waits for a TOTP code ends after ten minutes', async () => {
  const { signIn, member, findByToken, clock } = await openTotpUser()
  const outcome = await signIn(member.email)
  if (outcome.is !== 'totp_required') throw new Error(outcome.is)
  clock.advance(10 * minuteMs)
  expect(await findByToken(outcome.sessionToken)).toBeUndefined()
})

test('a change of the sign-in methods requires an authentication by password or code within the last ten minutes', async () => {
  const { context, secret, codeOf, clock, member, session } = await openTotpUser()
  clock.advance(11 * minuteMs)
  const signedIn = { session: await session(member.sessionToken), source: home }
  expect(await removeTotp(context, signedIn)).toEqual({ is: 'reauthentication_required' })
  expect(await reauthenticate(context, signedIn, { password: 'a wrong password' })).toEqual({ is: 'wrong_password' })
  expect(await reauthenticate(context, signedIn, { code: codeOf(secret) })).toEqual({ is: 'reauthenticated' })
  expect(await reauthenticate(context, signedIn, { password })).toEqual({ is: 'reauthenticated' })
  const recent = { session: await session(member.sessionToken), source: home }
  expect(await removeTotp(context, recent)).toEqual({ is: 'removed' })
  expect(await removeTotp(context, recent)).toEqual({ is: 'not_enabled' })
})

test('a TOTP enrolment has no effect until its code is confirmed', async () => {
  const { context, join, merchant, signIn } = openPeople(opened())
  const { email, signedIn } = await join(await merchant())
  expect(await confirmTotp(context, signedIn, '123456')).toEqual({ is: 'not_started' })
  await startTotpEnrolment(context, signedIn)
  expect(await confirmTotp(context, signedIn, '12345')).toEqual({ is: 'wrong_code' })
  expect(await signIn(email)).toMatchObject({ is: 'signed_in' })
})

test('resealing with a new encryption key encrypts the TOTP secrets again', async () => {
  const [old, young] = [randomKey(32), randomKey(32)]
  const people = openPeople(opened(), vaultOf([old]))
  const { context, join, merchant, codeOf, clock, signIn, session } = people
  const { signedIn, email } = await join(await merchant())
  const started = await startTotpEnrolment(context, signedIn)
  if (started.is !== 'started') throw new Error(started.is)
  await confirmTotp(context, signedIn, codeOf(started.secret))
  await sealSecrets({ database: context.database, vault: vaultOf([young, old]), log: silentLog })
  clock.advance(minuteMs)
  const outcome = await signIn(email)
  if (outcome.is !== 'totp_required') throw new Error(outcome.is)
  const waiting = { session: await session(outcome.sessionToken), source: home }
  const rotated = { ...context, vault: vaultOf([young]) }
  const answer = { code: codeOf(started.secret), deviceToken: null }
  expect(await verifyTotp(rotated, waiting, answer)).toMatchObject({ is: 'signed_in' })
})
