import { z } from 'zod'
import { Email, InvitationId } from '../../../registry/values/vocabulary.ts'
import { type InviteOutcome, inviteMember, revokeInvitation } from '../../access/members/invite-member.ts'
import { invitationLink } from '../../access/members/links.ts'
import { html } from '../../markup/markup.ts'
import { heading, time } from '../../markup/parts.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { line, noFields } from '../kit/fields.ts'
import { PageError } from '../kit/page-error.ts'
import { mainLink } from '../kit/parts.ts'
import { action } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { membersContent } from './list.ts'
import { membersPath, permission } from './paths.ts'
import { roleOf } from './role-field.ts'

/** Maximum length of a member's name, the same as on the page where the invited person accepts the invitation. */
const nameMaxLength = 80

export const inviteAction = action({
  path: `${membersPath}/invite`,
  permission,
  done: 'The invitation is created.',
  question: null,
  needsRecentSignIn: true,
  fields: z.strictObject({
    email: z.string({ error: 'Fill in this field.' }).trim().pipe(Email),
    name: line(nameMaxLength).optional(),
    role: roleOf,
  }),
  form: (visit, _params, draft) => membersContent(visit, draft),
  run: async (visit, _params, { email, name = null, role }) => {
    const { liveMerchantId: merchantId } = visit.member.selected
    const outcome = await inviteMember(visit.context, visit.actor, { merchantId, email, name, role })
    switch (outcome.is) {
      case 'invited':
        return { is: 'revealed', content: revealed(visit, email, outcome) }
      case 'already_member':
        return { is: 'refused', field: 'email', message: `${email} is a member already.` }
      case 'inviter_removed':
        return { is: 'refused', message: 'You are no longer a member of the shop.' }
      case 'inviter_not_permitted':
        return { is: 'refused', message: 'Your role can no longer invite members.' }
      case 'too_many_members':
        return { is: 'refused', message: 'The shop has too many members and invitations. Revoke some first.' }
    }
  },
})

/** No other page can show the invitation link, because the database stores only the hash of its token. */
function revealed(
  { origin }: Visit,
  email: string,
  { token, expiresAt }: Extract<InviteOutcome, { is: 'invited' }>,
): Content {
  const main = html`${heading('Send the invitation')}
<div class="secret"><p>Send this link to ${email}. It is not shown again. The link can be used once, until ${time(expiresAt)}.</p>
<p><code data-copy>${invitationLink(origin, token)}</code></p></div>
<p>${mainLink(membersPath, 'I have sent the link')}</p>`
  return { title: 'Send the invitation', main }
}

export const revokeInvitationAction = action({
  path: `${membersPath}/invitations/{id}/revoke`,
  permission,
  done: 'The invitation is revoked. Its link no longer works.',
  question: () => ({ text: 'The link of the invitation no longer works.', submit: 'Revoke invitation' }),
  fields: noFields,
  form: async (visit, { id }) =>
    confirmation(visit, `${membersPath}/invitations/${id}/revoke`, {
      ...{ title: 'Revoke the invitation', submit: 'Revoke it', back: membersPath },
      text: 'After the revocation, the link of the invitation no longer works.',
    }),
  run: async (visit, { id }) => {
    const { liveMerchantId: merchantId } = visit.member.selected
    const invitationId = InvitationId.safeParse(id)
    const outcome = invitationId.success
      ? await revokeInvitation(visit.context, visit.actor, { merchantId, id: invitationId.data })
      : { is: 'unknown' as const }
    switch (outcome.is) {
      case 'revoked':
        return { is: 'done', to: membersPath }
      case 'accepted':
        return { is: 'refused', message: 'The person has already accepted the invitation. Remove the member instead.' }
      case 'unknown':
        throw new PageError(404, 'This invitation does not exist or is no longer open.')
    }
  },
})
