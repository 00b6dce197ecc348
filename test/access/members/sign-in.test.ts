import { expect, test } from 'vitest'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import { useDatabase } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'
import { elsewhere, home, openPeople, password } from './people.ts'

const opened = useDatabase()

test('the audit row of a sign-in with a password names the member, the session and the source address', async () => {
  const { join, merchant, signIn, session, context } = openPeople(opened())
  const merchantId = await merchant()
  const { email, memberId } = await join(merchantId)
  const outcome = await signIn(email.toUpperCase(), { source: elsewhere })
  if (outcome.is !== 'signed_in') throw new Error(outcome.is)
  const { id, ...found } = await session(outcome.sessionToken)
  expect(found).toMatchObject({ stage: 'complete', email, hasPassword: true, hasTotp: false, hasPasskeys: false })
  const rows = await listAudit(context.database, { merchantId, limit: 10, action: 'user.sign_in' })
  const source = { sourceIp: elsewhere.ip, userAgent: elsewhere.userAgent, requestId: elsewhere.requestId }
  expect(rows).toMatchObject([{ actorType: 'member', actorId: memberId, sessionId: id, ...source }])
})

test('a sign-in has the same outcome for a wrong password and for an unknown, empty or overlong e-mail address', async () => {
  const { join, merchant, signIn, newEmail } = openPeople(opened())
  const { email } = await join(await merchant())
  expect(await signIn(email, { password: 'another password' })).toEqual({ is: 'wrong_credentials' })
  expect(await signIn(newEmail())).toEqual({ is: 'wrong_credentials' })
  expect(await signIn('')).toEqual({ is: 'wrong_credentials' })
  expect(await signIn('a'.repeat(300))).toEqual({ is: 'wrong_credentials' })
})

test('three failed sign-ins cause no delay; then the delay starts at 1 s and doubles up to 15 minutes', async () => {
  const { signIn, newEmail, clock } = openPeople(opened())
  const email = newEmail()
  const delays: number[] = []
  for (let failure = 1; failure <= 14; failure++) {
    expect(await signIn(email)).toEqual({ is: 'wrong_credentials' })
    if (failure < 3) continue
    const next = await signIn(email)
    if (next.is !== 'backed_off') throw new Error(next.is)
    delays.push(next.retryAfterMs)
    clock.advance(next.retryAfterMs)
  }
  const seconds = delays.map((ms) => ms / 1_000)
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('if many sign-ins with wrong passwords arrive concurrently from one network, the service checks only three of the passwords', async () => {
  const { join, merchant, signIn } = openPeople(opened())
  const { email } = await join(await merchant())
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => signIn(email, { password: 'a wrong password', source: elsewhere })),
  )
  expect(outcomes.filter(({ is }) => is === 'wrong_credentials')).toHaveLength(3)
  expect(outcomes.filter(({ is }) => is === 'backed_off')).toHaveLength(9)
})

test('only a few of 1,000 password guesses from many networks are checked, and the guesses do not delay a device that has signed in before', async () => {
  const { join, merchant, signIn, clock, actionsOf } = openPeople(opened())
  const merchantId = await merchant()
  const { email, deviceToken } = await join(merchantId)
  const atOnce = 20
  let verified = 0
  for (let guess = 0; guess < 1_000; guess += atOnce) {
    const outcomes = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => {
        const ip = `10.${(guess + index) % 250}.${Math.floor((guess + index) / 250)}.1`
        return signIn(email, { password: `guess number ${guess + index}`, source: { ...elsewhere, ip } })
      }),
    )
    expect(outcomes.every(({ is }) => is === 'wrong_credentials' || is === 'backed_off')).toBe(true)
    verified += outcomes.filter(({ is }) => is === 'wrong_credentials').length
    if (guess % 200 === 0) expect(await signIn(email, { deviceToken })).toMatchObject({ is: 'signed_in' })
    clock.advance(10_000)
  }
  // Maximum number of checked guesses in 500 s. The first 20 guesses arrive together, before any delay. Six more are
  // checked while the delay doubles from 1 s to 60 s, then one a minute.
  expect(verified).toBeLessThanOrEqual(20 + 6 + 500 / 60)
  expect(await signIn(email, { deviceToken })).toMatchObject({ is: 'signed_in', deviceToken: null })
  expect(await actionsOf(merchantId)).toContain('user.sign_in_failures')
})

test('a sign-in that sends the device token of another user is delayed like a sign-in without a device token', async () => {
  const { join, merchant, signIn } = openPeople(opened())
  const merchantId = await merchant()
  const [victim, attacker] = [await join(merchantId), await join(merchantId)]
  const guess = { password: 'a wrong password', source: elsewhere }
  for (let failure = 0; failure < 3; failure++) await signIn(victim.email, guess)
  expect(await signIn(victim.email, { ...guess, deviceToken: attacker.deviceToken })).toMatchObject({
    is: 'backed_off',
  })
})

test('one network can try to sign in with 50 e-mail addresses without delay, and then must wait', async () => {
  const { signIn, newEmail } = openPeople(opened())
  const source = { ...elsewhere, ip: '2001:db8:1:2:3:4:5:6' }
  for (let failure = 0; failure < 50; failure++) {
    expect(await signIn(newEmail(), { source })).toEqual({ is: 'wrong_credentials' })
  }
  const neighbour = { ...source, ip: '2001:0db8:0001:0002::1' }
  expect(await signIn(newEmail(), { source: neighbour })).toEqual({ is: 'backed_off', retryAfterMs: 1_000 })
  expect(await signIn(newEmail(), { source: home })).toEqual({ is: 'wrong_credentials' })
}, 60_000)

test('if a sign-in attempt is rejected because of the delay after earlier failures, no failure counter is stored for the attempt', async () => {
  const { signIn, newEmail } = openPeople(opened())
  const source = { ...elsewhere, ip: '2001:db8:7::1' }
  for (let failure = 0; failure < 50; failure++) await signIn(newEmail(), { source })
  const counters = async () => (await select(opened(), 'select count(*)::int as counters from sign_in_failures'))[0]
  const before = await counters()
  expect(await signIn(newEmail(), { source })).toMatchObject({ is: 'backed_off' })
  expect(await counters()).toEqual(before)
}, 60_000)

test('failed sign-ins are counted for a day, and a successful sign-in resets the count of failed sign-ins from its network', async () => {
  const { join, merchant, signIn, clock } = openPeople(opened())
  const { email } = await join(await merchant())
  const wrong = { password: 'a wrong password', source: elsewhere }
  for (let failure = 0; failure < 2; failure++) await signIn(email, wrong)
  expect(await signIn(email, { source: elsewhere })).toMatchObject({ is: 'signed_in' })
  for (let failure = 0; failure < 3; failure++) {
    expect(await signIn(email, wrong)).toEqual({ is: 'wrong_credentials' })
  }
  expect(await signIn(email, { password, source: elsewhere })).toMatchObject({ is: 'backed_off' })
  clock.advance(25 * 60 * 60_000)
  expect(await signIn(email, wrong)).toEqual({ is: 'wrong_credentials' })
  expect(await signIn(email, wrong)).toEqual({ is: 'wrong_credentials' })
})
