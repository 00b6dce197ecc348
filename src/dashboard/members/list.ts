import { listMembers } from '../../access/members/change-member.ts'
import { listInvitations } from '../../access/members/invite-member.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, empty, heading, section, table, time } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { button, form, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { isSelf } from './find.ts'
import { lastSeen } from './last-seen.ts'
import { membersPath, permission } from './paths.ts'
import { permissionTable } from './permission-table.ts'
import { roleField } from './role-field.ts'

export const memberList = page({
  path: membersPath,
  permission: 'members:read',
  show: async (visit) => membersContent(visit, newDraft({ role: 'operations' })),
})

/** The members are those of the live merchant, even in test mode. `draft` is the state of the invitation form. */
export async function membersContent(visit: Visit, draft: Draft): Promise<Content> {
  const { liveMerchantId } = visit.member.selected
  const [members, invitations] = await Promise.all([
    listMembers(visit.context, liveMerchantId),
    listInvitations(visit.context, liveMerchantId),
  ])
  const main = html`${heading('Members')}${memberTable(visit, members)}
${may(visit, permission) ? section('Invite a person', inviteForm(visit, draft)) : nothing}
${section('Open invitations', invitationTable(visit, invitations))}
${section('Roles', html`<details><summary>Permissions of each role</summary>${permissionTable()}</details>`)}`
  return { title: 'Members', main }
}

type Members = Awaited<ReturnType<typeof listMembers>>

function memberTable(visit: Visit, members: Members): Markup {
  return table('Members', members, [
    {
      title: 'Member',
      phone: 'title',
      cell: ({ id, name }) => html`${link(`${membersPath}/${id}`, name)}${isSelf(visit, { id }) ? ' (you)' : nothing}`,
    },
    { title: 'E-mail', phone: 'detail', cell: ({ email }) => email },
    { title: 'Role', phone: 'state', cell: ({ role }) => role },
    { title: 'Authenticator app', phone: 'labelled', cell: ({ hasTotp }) => (hasTotp ? 'yes' : 'no') },
    { title: 'Passkey', phone: 'labelled', cell: ({ hasPasskeys }) => (hasPasskeys ? 'yes' : 'no') },
    {
      title: 'Last seen',
      phone: 'labelled',
      cell: (listed) => lastSeen(visit, listed),
    },
  ])
}

type Invitations = Awaited<ReturnType<typeof listInvitations>>

function invitationTable(visit: Visit, invitations: Invitations): Markup {
  if (invitations.length === 0) return empty('There are no open invitations.')
  const list = table('Open invitations', invitations, [
    { title: 'E-mail', phone: 'title', cell: ({ email }) => email },
    { title: 'Role', phone: 'state', cell: ({ role }) => badge(role, 'waiting') },
    { title: 'Invited by', phone: 'labelled', cell: ({ createdBy }) => createdBy },
    { title: 'Valid until', phone: 'labelled', cell: ({ expiresAt }) => time(expiresAt) },
    {
      title: 'Action',
      phone: 'detail',
      cell: ({ id }) =>
        may(visit, permission) ? button(visit, `${membersPath}/invitations/${id}/revoke`, 'Revoke') : nothing,
    },
  ])
  const lost = html`<p class="hint">The link of an invitation is shown only once. If a link is lost, revoke its invitation and invite the person again.</p>`
  return html`${may(visit, permission) ? lost : nothing}${list}`
}

/** A new member gets the role with the fewest permissions, unless the inviting member chooses another. */
function inviteForm(visit: Visit, draft: Draft): Markup {
  const invited = { ...draft, values: { role: ['viewer'], ...draft.values } }
  const fields = html`${textField(draft, { name: 'email', label: 'E-mail', type: 'email', isRequired: true })}
${textField(draft, { name: 'name', label: 'Name', hint: 'Optional. The invited person can change the name.' })}${roleField(invited)}`
  return form(visit, `${membersPath}/invite`, fields, { submit: 'Create an invitation link' })
}
