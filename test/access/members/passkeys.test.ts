import { expect, test } from 'vitest'
import {
  beginPasskeyReauthentication,
  reauthenticateWithPasskey,
} from '../../../src/access/members/reauthenticate-with-passkey.ts'
import { isRecentlyAuthenticated } from '../../../src/access/members/recent-authentication.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
  listPasskeys,
  removePasskey,
} from '../../../src/access/members/register-passkey.ts'
import { beginPasskeySignIn, finishPasskeySignIn } from '../../../src/access/members/sign-in-with-passkey.ts'
import { useDatabase } from '../../support/database.ts'
import { openAuthenticator } from './authenticator.ts'
import { elsewhere, home, minuteMs, openPeople } from './people.ts'

const opened = useDatabase()
const site = { origin: 'https://shop.example.com' }

async function openPasskeyUser() {
  const people = openPeople(opened())
  const { context, join, merchant } = people
  const member = await join(await merchant())
  const authenticator = openAuthenticator(site.origin)
  const began = await beginPasskeyRegistration(context, member.signedIn, site)
  if (began.is !== 'started') throw new Error(began.is)
  const response = authenticator.create(began.options.challenge)
  const answer = { challengeId: began.challengeId, response, name: 'Phone', site }
  const registered = await finishPasskeyRegistration(context, member.signedIn, answer)
  expect(registered).toEqual({ is: 'registered', credentialId: authenticator.credentialId })
  const challenge = async () => {
    const started = await beginPasskeySignIn(context, { site, source: home })
    if (started.is !== 'started') throw new Error(started.is)
    return { challengeId: started.challengeId, challenge: started.options.challenge }
  }
  const finish = (challengeId: string, get: unknown) =>
    finishPasskeySignIn(context, { challengeId, response: get, site, deviceToken: null, source: home })
  return { ...people, member, authenticator, registration: answer, challenge, finish }
}

test('a user signs in with a registered passkey, without a password or a code', async () => {
  const { authenticator, challenge, finish, session, member } = await openPasskeyUser()
  const began = await challenge()
  const outcome = await finish(began.challengeId, authenticator.get(began.challenge))
  if (outcome.is !== 'signed_in') throw new Error(outcome.is)
  expect(await session(outcome.sessionToken)).toMatchObject({
    stage: 'complete',
    email: member.email,
    hasPasskeys: true,
  })
})

test('a signed-in user can confirm their identity again with a passkey', async () => {
  const { context, clock, member, authenticator, join, merchant, session } = await openPasskeyUser()
  clock.advance(11 * minuteMs)
  const began = await beginPasskeyReauthentication(context, member.signedIn, site)
  if (began.is !== 'started') throw new Error(began.is)
  expect(began.options.allowCredentials).toMatchObject([{ id: authenticator.credentialId }])
  const answer = { challengeId: began.challengeId, response: authenticator.get(began.options.challenge), site }
  const stranger = await join(await merchant())
  expect(await reauthenticateWithPasskey(context, stranger.signedIn, answer)).toEqual({ is: 'expired' })
  expect(await reauthenticateWithPasskey(context, member.signedIn, answer)).toEqual({ is: 'reauthenticated' })
  expect(await reauthenticateWithPasskey(context, member.signedIn, answer)).toEqual({ is: 'expired' })
  expect(isRecentlyAuthenticated(await session(member.sessionToken), clock.nowMs())).toBe(true)
})

test('a passkey of another user does not confirm the identity of the signed-in user', async () => {
  const { context, authenticator, join, merchant } = await openPasskeyUser()
  const stranger = await join(await merchant())
  const began = await beginPasskeyReauthentication(context, stranger.signedIn, site)
  if (began.is !== 'started') throw new Error(began.is)
  const answer = { challengeId: began.challengeId, response: authenticator.get(began.options.challenge), site }
  expect(await reauthenticateWithPasskey(context, stranger.signedIn, answer)).toEqual({ is: 'invalid' })
})

test('a passkey challenge can be answered once, within five minutes', async () => {
  const { authenticator, challenge, finish, clock } = await openPasskeyUser()
  const began = await challenge()
  const response = authenticator.get(began.challenge)
  const outcomes = await Promise.all([finish(began.challengeId, response), finish(began.challengeId, response)])
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['expired', 'signed_in'])
  const late = await challenge()
  clock.advance(5 * minuteMs)
  expect(await finish(late.challengeId, authenticator.get(late.challenge))).toEqual({ is: 'expired' })
})

test('a passkey response for another site, key or challenge, or from a cloned authenticator, is invalid', async () => {
  const { authenticator, challenge, finish } = await openPasskeyUser()
  const attempt = async (respond: (challenge: string) => unknown) => {
    const began = await challenge()
    return finish(began.challengeId, respond(began.challenge))
  }
  const phishing = openAuthenticator('https://shop.example.org')
  expect(await attempt((text) => ({ ...phishing.get(text), id: authenticator.credentialId }))).toEqual({
    is: 'invalid',
  })
  expect(await attempt((text) => openAuthenticator(site.origin).get(text))).toEqual({ is: 'invalid' })
  expect(await attempt(() => authenticator.get('another challenge'))).toEqual({ is: 'invalid' })
  expect(await attempt((text) => authenticator.get(text, { isVerified: false }))).toEqual({ is: 'invalid' })
  expect(await attempt(() => ({ id: 'x'.repeat(5_000) }))).toEqual({ is: 'invalid' })
  expect(await attempt(() => null)).toEqual({ is: 'invalid' })
  expect(await attempt((text) => authenticator.get(text))).toMatchObject({ is: 'signed_in' })
  authenticator.clone()
  expect(await attempt((text) => authenticator.get(text))).toEqual({ is: 'invalid' })
})

test('a passkey registration can be completed only in the session that started it, and a passkey is registered once', async () => {
  const { context, member, authenticator, join, merchant, registration } = await openPasskeyUser()
  const again = await beginPasskeyRegistration(context, member.signedIn, site)
  if (again.is !== 'started') throw new Error(again.is)
  expect(again.options.excludeCredentials).toMatchObject([{ id: authenticator.credentialId }])
  const response = authenticator.create(again.options.challenge)
  const answer = { ...registration, challengeId: again.challengeId, response }
  const stranger = await join(await merchant())
  expect(await finishPasskeyRegistration(context, stranger.signedIn, answer)).toEqual({ is: 'expired' })
  expect(await finishPasskeyRegistration(context, member.signedIn, answer)).toEqual({ is: 'already_registered' })
})

test('only the user of a passkey can remove the passkey, and a removed passkey cannot be used to sign in', async () => {
  const { context, member, authenticator, challenge, finish, join, merchant } = await openPasskeyUser()
  const stranger = await join(await merchant())
  const { credentialId } = authenticator
  expect(await removePasskey(context, stranger.signedIn, credentialId)).toEqual({ is: 'unknown' })
  expect(await listPasskeys(context, member.signedIn.session)).toMatchObject([{ credentialId, name: 'Phone' }])
  expect(await removePasskey(context, member.signedIn, credentialId)).toEqual({ is: 'removed' })
  const began = await challenge()
  expect(await finish(began.challengeId, authenticator.get(began.challenge))).toEqual({ is: 'invalid' })
})

test('registering a passkey requires an authentication within the last ten minutes', async () => {
  const { context, clock, join, merchant, session } = openPeople(opened())
  const { sessionToken } = await join(await merchant())
  clock.advance(11 * minuteMs)
  const signedIn = { session: await session(sessionToken), source: elsewhere }
  expect(await beginPasskeyRegistration(context, signedIn, site)).toEqual({ is: 'reauthentication_required' })
})
