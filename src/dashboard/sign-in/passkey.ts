import { beginPasskeySignIn, finishPasskeySignIn } from '../../access/members/sign-in-with-passkey.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { jsonResponse } from '../kit/respond.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, requirePrivateConnection, type Visitor } from '../kit/visitor.ts'
import { afterOf } from './after.ts'
import { finishSignIn } from './finish.ts'
import { showSignIn } from './sign-in-page.ts'

export async function passkeyOptions(site: Site, visitor: Visitor): Promise<Response> {
  requirePrivateConnection(visitor)
  await readOwnForm(visitor, visitor.readCookie('visitor'))
  const started = await beginPasskeySignIn(membersContextOf(site.dashboard), { site: visitor, source: visitor.source })
  if (started.is === 'started')
    return jsonResponse({ options: started.options, challenge: started.challengeId }, visitor.requestId)
  return jsonResponse({ message: 'Too many sign-ins were started. Try again in five minutes.' }, visitor.requestId, 409)
}

export async function submitPasskey(site: Site, visitor: Visitor): Promise<Response> {
  requirePrivateConnection(visitor)
  const sent = await readOwnForm(visitor, visitor.readCookie('visitor'))
  const after = afterOf(sent)
  const outcome = await finishPasskeySignIn(membersContextOf(site.dashboard), {
    challengeId: sent.get('challenge') ?? '',
    response: parsed(sent.get('credential')),
    site: visitor,
    deviceToken: visitor.readCookie('device') ?? null,
    source: visitor.source,
  })
  if (outcome.is === 'signed_in') return finishSignIn(site, visitor, outcome, after)
  const message =
    outcome.is === 'expired'
      ? 'The request for the passkey has expired. Try again.'
      : 'The passkey is not registered with this service. Sign in with your password.'
  const draft = { values: {}, problems: [{ field: undefined, message }] }
  return showSignIn(site, visitor, after, { draft, status: 422 })
}

/** A text that is not JSON becomes a response that fails verification. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
