import { SessionId } from '../../../registry/values/vocabulary.ts'
import { revokeOtherSessions, revokeSession } from '../../access/members/sessions.ts'
import { confirmation } from '../kit/confirmation.ts'
import { noFields } from '../kit/fields.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { PageError } from '../kit/page-error.ts'
import { action } from '../kit/route.ts'
import { accountPath, permission } from './paths.ts'
import { sessionsPath } from './session-section.ts'
import { signedInOf } from './signed-in.ts'

export const revokeSessionAction = action({
  path: `${sessionsPath}/{id}/revoke`,
  permission,
  done: 'The browser is signed out.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: async (visit, { id }) =>
    confirmation(visit, `${sessionsPath}/${id}/revoke`, {
      ...{ title: 'Sign out a browser', submit: 'Sign the browser out', back: accountPath },
      text: 'The browser must sign in again.',
    }),
  run: async (visit, { id }) => {
    const sessionId = SessionId.safeParse(id)
    const outcome = sessionId.success
      ? await revokeSession(membersContextOf(visit), signedInOf(visit), sessionId.data)
      : { is: 'unknown' as const }
    if (outcome.is === 'unknown')
      throw new PageError(404, 'This browser is not signed in, or belongs to another member.')
    return { is: 'done', to: accountPath }
  },
})

const othersPath = `${sessionsPath}/revoke-others` as const

export const revokeOtherSessionsAction = action({
  path: othersPath,
  permission,
  done: 'All your other browsers are signed out.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: async (visit) =>
    confirmation(visit, othersPath, {
      ...{ title: 'Sign out all other browsers', submit: 'Sign out the other browsers', back: accountPath },
      text: 'All browsers except this one must sign in again.',
    }),
  run: async (visit) => {
    await revokeOtherSessions(membersContextOf(visit), signedInOf(visit))
    return { is: 'done', to: accountPath }
  },
})
