import { z } from 'zod'
import { confirmTotp, removeTotp, startTotpEnrolment } from '../../access/members/enrol-totp.ts'
import { listPasskeys } from '../../access/members/register-passkey.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { noFields } from '../kit/fields.ts'
import { form, textField } from '../kit/form.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { delayOf } from '../sign-in/delay.ts'
import { backupCodesContent } from './backup-codes.ts'
import { accountPath, permission } from './paths.ts'
import { qrCode } from './qr-code.ts'
import { confirmAgain, signedInOf } from './signed-in.ts'
import { totpPaths } from './totp-section.ts'

export const startTotp = action({
  path: totpPaths.start,
  permission,
  done: 'Scan the QR code, and enter a code of the authenticator app to turn it on.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: async (visit) =>
    confirmation(visit, totpPaths.start, {
      ...{ title: 'Set up an authenticator app', submit: 'Show the QR code', back: accountPath },
      text: 'Open an authenticator app, such as Google Authenticator or Aegis, on your phone.',
    }),
  run: async (visit) => {
    const outcome = await startTotpEnrolment(membersContextOf(visit), signedInOf(visit))
    switch (outcome.is) {
      case 'started':
        return { is: 'revealed', content: codeContent(visit, newDraft(), secretOf(outcome)) }
      case 'already_enabled':
        return { is: 'refused', message: 'An authenticator app is set up already. Remove it first.' }
      case 'encryption_key_missing':
        return {
          is: 'refused',
          message: 'The service has no encryption key. Ask its operator to set ENCRYPTION_KEY.',
        }
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})

function secretOf({ secret, uri }: { readonly secret: string; readonly uri: string }): Markup {
  return html`<p>Scan the QR code with your authenticator app. The QR code is shown only now.</p>
${qrCode(uri, 'QR code of the secret for the authenticator app')}
<div class="secret"><p>Without a camera, type this secret into the app:</p><p><code data-copy>${secret}</code></p></div>`
}

function codeContent(visit: Visit, draft: Draft, secret: Markup): Content {
  const code = textField(draft, {
    ...{ name: 'code', label: 'Code', hint: 'The six digits that your authenticator app shows now.' },
    ...{ autocomplete: 'one-time-code', inputMode: 'numeric', isRequired: true },
  })
  const main = html`${heading('Set up an authenticator app')}${secret}
${form(visit, totpPaths.confirm, code, { submit: 'Confirm the code' })}
<p>${link(accountPath, 'Go back')}</p>`
  return { title: 'Set up an authenticator app', main }
}

export const confirmTotpCode = action({
  path: totpPaths.confirm,
  permission,
  done: 'The authenticator app is set up. The next sign-in requires a code.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: z.strictObject({ code: z.string({ error: 'Fill in this field.' }) }),
  form: async (visit, _params, draft) => codeContent(visit, draft, nothing),
  run: async (visit, _params, { code }) => {
    const outcome = await confirmTotp(membersContextOf(visit), signedInOf(visit), code)
    switch (outcome.is) {
      case 'enabled':
        return { is: 'revealed', content: backupCodesContent(outcome.backupCodes) }
      case 'wrong_code':
        return {
          is: 'refused',
          field: 'code',
          message: 'The code is wrong. Enter the code that the app shows now, and check the clock of the phone.',
        }
      case 'not_started':
        return { is: 'refused', message: 'No set-up of an authenticator app is in progress. Go back and start again.' }
      case 'backed_off':
        return { is: 'refused', field: 'code', message: delayOf(outcome) }
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})

async function removalContent(visit: Visit): Promise<Content> {
  const passkeys = await listPasskeys(membersContextOf(visit), visit.member)
  const other = passkeys.length === 0 ? '' : ' A passkey still signs you in without the password.'
  return confirmation(visit, totpPaths.remove, {
    ...{ title: 'Remove the authenticator app', submit: 'Remove it', isDangerous: true, back: accountPath },
    text: `Without the authenticator app, your password alone signs you in, and the backup codes no longer work.${other}`,
  })
}

export const totpRemovalPage = page({
  path: totpPaths.remove,
  permission,
  show: (visit) => removalContent(visit),
})

export const removeTotpAction = action({
  path: totpPaths.remove,
  permission,
  done: 'The authenticator app is removed.',
  question: () => ({
    text: 'The authenticator app no longer signs you in. To use the app again, set it up again.',
    submit: 'Remove it',
  }),
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: (visit) => removalContent(visit),
  run: async (visit) => {
    const outcome = await removeTotp(membersContextOf(visit), signedInOf(visit))
    switch (outcome.is) {
      case 'removed':
        return { is: 'done', to: accountPath }
      case 'not_enabled':
        return { is: 'refused', message: 'No authenticator app is set up.' }
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})
