import { signInLink } from '../../access/members/links.ts'
import { type RecoverOutcome, recoverMember } from '../../access/members/recover-member.ts'
import { html } from '../../markup/markup.ts'
import { heading, time } from '../../markup/parts.ts'
import type { ListedMember } from '../../store/access/members.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { noFields } from '../kit/fields.ts'
import { command, link, mainLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { findMember, isSelf, keyOf, noMember } from './find.ts'
import { membersPath, permission } from './paths.ts'

const path = `${membersPath}/{id}/recover` as const

export const recoveryPage = page({ path, permission, show: (visit, { id }) => content(visit, id) })

async function content(visit: Visit, id: string): Promise<Content> {
  const member = await findMember(visit, id)
  if (isSelf(visit, member)) return ownContent()
  const { name, email } = member
  return confirmation(visit, `${membersPath}/${id}/recover`, {
    ...{ title: `Create a recovery link for ${name}`, submit: 'Create the link', isDangerous: true },
    text: html`The link signs ${email} in once, to set a new password.${removedText(member)}
First call ${name} to verify that the request for this link is genuine.`,
    back: `${membersPath}/${id}`,
  })
}

/** Names the second factors that the use of a recovery link removes from the member. Empty if the member has none. */
function removedText({ hasTotp, hasPasskeys }: ListedMember): string {
  const removed = [...(hasTotp ? ['the authenticator app'] : []), ...(hasPasskeys ? ['the passkeys'] : [])]
  return removed.length === 0 ? '' : ` It removes ${removed.join(' and ')} of the member.`
}

/**
 * Returns the page for members who open the recovery page for themselves. It links to the account page, on which a
 * signed-in member can change the password without a recovery link.
 */
function ownContent(): Content {
  const title = 'Change your own password'
  const main = html`${heading(title)}<p>${ownMessage}</p><p>${mainLink('/settings/account', 'Open your account')}</p>`
  return { title, main }
}

const ownMessage =
  'A recovery link is for a member who cannot sign in. You are signed in: change your password on the page Your account.'

export const recoverAction = action({
  path,
  permission,
  done: 'The recovery link is created.',
  question: () => ({
    text: 'When the link is used, it replaces the password and ends the sessions of the member.',
    submit: 'Create the link',
  }),
  needsRecentSignIn: true,
  fields: noFields,
  form: (visit, { id }) => content(visit, id),
  run: async (visit, { id }) => {
    const member = await findMember(visit, id)
    if (isSelf(visit, member)) return { is: 'refused', message: ownMessage }
    const outcome = await recoverMember(visit.context, visit.actor, keyOf(visit, member))
    switch (outcome.is) {
      case 'link':
        return { is: 'revealed', content: revealed(visit, member, outcome) }
      case 'belongs_to_other_merchants':
        return { is: 'previewed', content: explained(visit, member) }
      case 'not_permitted':
        return { is: 'refused', message: 'You can no longer create recovery links for this shop.' }
      case 'unknown':
        return noMember()
    }
  },
})

/** No other page can show the sign-in link, because the database stores only the hash of its token. */
function revealed(
  { origin }: Visit,
  { id, email }: ListedMember,
  { token, expiresAt }: Extract<RecoverOutcome, { is: 'link' }>,
): Content {
  const main = html`${heading('Send the recovery link')}
<div class="secret"><p>Send this link to ${email}. It is not shown again. The link can be used once, until ${time(expiresAt)}.</p>
<p><code data-copy>${signInLink(origin, token)}</code></p></div>
<p>${mainLink(`${membersPath}/${id}`, 'I have sent the link')}</p>`
  return { title: 'Send the recovery link', main }
}

function explained({ member: { selected } }: Visit, { id, name }: ListedMember): Content {
  const main = html`${heading('Ask the operator for the recovery link')}
<p>${name} is a member of other shops too, so the link would also give access to them. Only the operator of the service can create it:</p>
${command(`npm run -s commerce -- member recover --merchant ${selected.liveMerchantId} --member ${id}`)}
<p>${link(`${membersPath}/${id}`, 'Go back')}</p>`
  return { title: 'Ask the operator for the recovery link', main }
}
