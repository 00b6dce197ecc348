import { z } from 'zod'
import { isRecentlyAuthenticated } from '../../access/members/recent-authentication.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
  listPasskeys,
  removePasskey,
} from '../../access/members/register-passkey.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line, noFields } from '../kit/fields.ts'
import { ownFields, textField } from '../kit/form.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { PageError } from '../kit/page-error.ts'
import { link } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { type Answered, action, page, scriptQuery } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { parsed } from '../sign-in/passkey.ts'
import { hasDomain } from '../sign-in/passkey-domain.ts'
import { domainHint, passkeyStartPath, passkeysPath } from './passkey-section.ts'
import { accountPath, permission } from './paths.ts'
import { confirmAgain, signedInOf } from './signed-in.ts'

const tooMany = 'You have 20 passkeys, the maximum. Remove one first.'

/** Maximum length of a passkey's name in the form. The registration of a passkey has the same limit. */
const nameMaxLength = 100

/** Maximum length of a browser's passkey response, longer than any response that is accepted. */
const credentialMaxLength = 64 * 1024

export const newPasskeyPage = page({
  path: passkeysPath,
  permission,
  show: async (visit) =>
    isRecentlyAuthenticated(visit.member, visit.nowMs)
      ? registrationContent(visit, newDraft())
      : confirmation(visit, passkeyStartPath, {
          ...{ title: 'Add a passkey', submit: 'Continue', back: accountPath },
          text: 'First, confirm that it is you.',
        }),
})

/**
 * Redirects to the form that adds a passkey, after the member has confirmed their identity. The confirmation cannot
 * follow the form, because the browser creates the passkey before the form is submitted.
 */
export const startPasskey = action({
  path: passkeyStartPath,
  permission,
  done: 'Your identity is confirmed. Add the passkey within ten minutes.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: async (visit) => registrationContent(visit, newDraft()),
  run: async () => ({ is: 'done', to: passkeysPath }),
})

/** The passkey form is hidden; a script shows it in browsers that support passkeys. */
function registrationContent(visit: Visit, draft: Draft): Content {
  const name = textField(draft, {
    ...{ name: 'name', label: 'Name', hint: 'Name of the device that stores the passkey, such as Ada’s phone.' },
    isRequired: true,
  })
  const form = html`<form method="post" action="${root}${passkeysPath}" class="form" data-passkey="register" hidden>
${ownFields(visit)}<input type="hidden" name="challenge"><input type="hidden" name="credential">
${name}<p class="problem" role="alert" data-problem hidden></p><div class="buttons"><button type="button" class="main">Create a passkey</button></div></form>
<p class="hint">This browser does not support passkeys, or JavaScript is off. Use another browser to add a passkey.</p>`
  const main = html`${heading('Add a passkey')}${hasDomain(visit) ? form : domainHint(visit)}
<p>${link(accountPath, 'Go back')}</p>`
  return { title: 'Add a passkey', main }
}

export const passkeyRegistrationOptions = scriptQuery({
  path: `${passkeysPath}/options`,
  permission,
  answer: async (visit): Promise<Answered> => {
    const started = await beginPasskeyRegistration(membersContextOf(visit), signedInOf(visit), visit)
    switch (started.is) {
      case 'started':
        return { is: 'data', data: { options: started.options, challenge: started.challengeId } }
      case 'too_many_passkeys':
        return { is: 'problem', message: tooMany }
      case 'too_many_challenges':
        return { is: 'problem', message: 'You started to add a passkey too many times. Try again in five minutes.' }
      case 'reauthentication_required':
        return { is: 'problem', message: 'Your confirmation has expired. Reload the page and confirm that it is you.' }
    }
  },
})

export const registerPasskey = action({
  path: passkeysPath,
  permission,
  done: 'The passkey is registered.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: z.strictObject({
    name: line(nameMaxLength),
    challenge: z.string().optional(),
    credential: z.string().max(credentialMaxLength).optional(),
  }),
  form: async (visit, _params, draft) => registrationContent(visit, draft),
  run: async (visit, _params, { name, challenge = '', credential = '' }) => {
    const answer = { challengeId: challenge, response: parsed(credential), name, site: visit }
    const outcome = await finishPasskeyRegistration(membersContextOf(visit), signedInOf(visit), answer)
    switch (outcome.is) {
      case 'registered':
        return { is: 'done', to: accountPath }
      case 'already_registered':
        return { is: 'refused', message: 'This passkey is registered already.' }
      case 'too_many_passkeys':
        return { is: 'refused', message: tooMany }
      case 'expired':
        return { is: 'refused', message: 'The request for the passkey has expired. Try again.' }
      case 'invalid':
        return { is: 'refused', message: 'The answer of the authenticator is not valid. Try again.' }
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})

const removalPath = `${passkeysPath}/{id}/remove` as const

async function removalContent(visit: Visit, id: string): Promise<Content> {
  const passkeys = await listPasskeys(membersContextOf(visit), visit.member)
  const passkey = passkeys.find(({ credentialId }) => credentialId === id)
  if (passkey === undefined) throw new PageError(404, 'You have no passkey with this id.')
  return confirmation(visit, `${passkeysPath}/${id}/remove`, {
    ...{ title: 'Remove a passkey', submit: 'Remove it', isDangerous: true, back: accountPath },
    text: html`After the removal, the passkey ${passkey.name} no longer signs you in. Delete it on your device as well.`,
  })
}

export const passkeyRemovalPage = page({
  path: removalPath,
  permission,
  show: (visit, { id }) => removalContent(visit, id),
})

export const removePasskeyAction = action({
  path: removalPath,
  permission,
  done: 'The passkey is removed.',
  question: () => ({ text: 'The passkey no longer signs you in, and cannot be restored.', submit: 'Remove it' }),
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: (visit, { id }) => removalContent(visit, id),
  run: async (visit, { id }) => {
    const outcome = await removePasskey(membersContextOf(visit), signedInOf(visit), id)
    switch (outcome.is) {
      case 'removed':
        return { is: 'done', to: accountPath }
      case 'unknown':
        throw new PageError(404, 'You have no passkey with this id.')
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})
