import { renewBackupCodes } from '../../access/members/backup-codes.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { noFields } from '../kit/fields.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { mainLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { accountPath, permission } from './paths.ts'
import { confirmAgain, signedInOf } from './signed-in.ts'
import { totpPaths } from './totp-section.ts'

/** No other page can show the backup codes, because the database stores only their hashes. */
export function backupCodesContent(codes: readonly string[]): Content {
  const main = html`${heading('Store your backup codes now')}
<p>The authenticator app is set up. The next sign-in requires a code. If you lose your phone, enter one of these backup codes instead.</p>
<div class="secret"><p>The codes are not shown again. Each code works once.</p><pre tabindex="0" data-copy><code>${codes.join('\n')}</code></pre></div>
<p>${mainLink(accountPath, 'I have stored the backup codes')}</p>`
  return { title: 'Backup codes', main }
}

function renewalContent(visit: Visit): Content {
  return confirmation(visit, totpPaths.codes, {
    ...{ title: 'Create new backup codes', submit: 'Create new codes', isDangerous: true, back: accountPath },
    text: 'Your old backup codes stop working. The new ones are shown once.',
  })
}

export const backupCodesPage = page({
  path: totpPaths.codes,
  permission,
  show: async (visit) => renewalContent(visit),
})

export const renewBackupCodesAction = action({
  path: totpPaths.codes,
  permission,
  done: 'The backup codes are replaced.',
  question: () => ({
    text: 'Your old backup codes stop working, and the new ones are shown once.',
    submit: 'Create new codes',
  }),
  needsRecentSignIn: true,
  isOfUser: true,
  fields: noFields,
  form: async (visit) => renewalContent(visit),
  run: async (visit) => {
    const outcome = await renewBackupCodes(membersContextOf(visit), signedInOf(visit))
    switch (outcome.is) {
      case 'renewed':
        return { is: 'revealed', content: backupCodesContent(outcome.backupCodes) }
      case 'not_enabled':
        return { is: 'refused', message: 'No authenticator app is set up.' }
      case 'reauthentication_required':
        return confirmAgain
    }
  },
})
