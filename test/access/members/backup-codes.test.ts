import { expect, test } from 'vitest'
import { renewBackupCodes } from '../../../src/access/members/backup-codes.ts'
import { confirmTotp, removeTotp, startTotpEnrolment } from '../../../src/access/members/enrol-totp.ts'
import { reauthenticate } from '../../../src/access/members/reauthenticate.ts'
import { verifyTotp } from '../../../src/access/members/verify-totp.ts'
import { useDatabase } from '../../support/database.ts'
import { elsewhere, home, minuteMs, openPeople } from './people.ts'

const opened = useDatabase()

async function openUser() {
  const people = openPeople(opened())
  const { context, join, merchant, codeOf, signIn, session, clock } = people
  const member = await join(await merchant())
  const enrol = async () => {
    const started = await startTotpEnrolment(context, member.signedIn)
    if (started.is !== 'started') throw new Error(started.is)
    const confirmed = await confirmTotp(context, member.signedIn, codeOf(started.secret))
    if (confirmed.is !== 'enabled') throw new Error(confirmed.is)
    return confirmed.backupCodes
  }
  const backupCodes = await enrol()
  clock.advance(minuteMs)
  const enterPassword = async () => {
    const outcome = await signIn(member.email)
    if (outcome.is !== 'totp_required') throw new Error(outcome.is)
    return { session: await session(outcome.sessionToken), source: home }
  }
  const enter = async (code: string) => verifyTotp(context, await enterPassword(), { code, deviceToken: null })
  return { ...people, member, enrol, backupCodes, enterPassword, enter }
}

test('when two sessions send the same backup code at the same time, only one of them signs in, and the code is used up', async () => {
  const { context, backupCodes, enterPassword, enter } = await openUser()
  const sessions = [await enterPassword(), await enterPassword()]
  const [code = ''] = backupCodes
  const answer = { code, deviceToken: null }
  const outcomes = await Promise.all(sessions.map((signedIn) => verifyTotp(context, signedIn, answer)))
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['signed_in', 'wrong_code'])
  expect(await enter(code)).toEqual({ is: 'wrong_code' })
})

test('new backup codes replace the old ones, and removing the authenticator app deletes all backup codes', async () => {
  const { context, member, backupCodes, enrol, enter } = await openUser()
  const renewed = await renewBackupCodes(context, member.signedIn)
  if (renewed.is !== 'renewed') throw new Error(renewed.is)
  expect(await enter(backupCodes[1] ?? '')).toEqual({ is: 'wrong_code' })
  expect(await enter(renewed.backupCodes[1] ?? '')).toMatchObject({ is: 'signed_in' })
  expect(await removeTotp(context, member.signedIn)).toEqual({ is: 'removed' })
  expect(await renewBackupCodes(context, member.signedIn)).toEqual({ is: 'not_enabled' })
  const [first = ''] = await enrol()
  expect(await enter(renewed.backupCodes[2] ?? '')).toEqual({ is: 'wrong_code' })
  expect(await enter(first)).toMatchObject({ is: 'signed_in' })
})

test('a backup code of another user is rejected, and wrong backup codes delay further attempts as wrong TOTP codes do', async () => {
  const { context, enterPassword } = await openUser()
  const other = await openUser()
  const signedIn = { ...(await enterPassword()), source: elsewhere }
  const [code = ''] = other.backupCodes
  const attempts = Array.from({ length: 10 }, () => verifyTotp(context, signedIn, { code, deviceToken: null }))
  const outcomes = (await Promise.all(attempts)).map(({ is }) => is)
  expect(outcomes.filter((is) => is === 'wrong_code')).toHaveLength(3)
  expect(outcomes.filter((is) => is === 'backed_off')).toHaveLength(7)
  expect(await other.enter(code)).toMatchObject({ is: 'signed_in' })
})

test('a backup code confirms the identity of a signed-in user once, and is rejected the second time', async () => {
  const { context, member, backupCodes, session, clock } = await openUser()
  clock.advance(11 * minuteMs)
  const signedIn = { session: await session(member.sessionToken), source: home }
  const [code = ''] = backupCodes
  expect(await renewBackupCodes(context, signedIn)).toEqual({ is: 'reauthentication_required' })
  expect(await reauthenticate(context, signedIn, { code })).toEqual({ is: 'reauthenticated' })
  expect(await reauthenticate(context, signedIn, { code })).toEqual({ is: 'wrong_code' })
})
