import { z } from 'zod'
import { changeMemberRole } from '../../access/members/change-member.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, facts, heading, section, time } from '../../markup/parts.ts'
import type { ListedMember } from '../../store/access/members.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { form, hiddenField } from '../kit/form.ts'
import { restNote } from '../kit/next-note.ts'
import { backLink, link, mainLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { findMember, isOnlyOwner, isSelf, keyOf, lastOwner, noMember } from './find.ts'
import { lastSeen } from './last-seen.ts'
import { membersPath, permission } from './paths.ts'
import { roleField, roleOf } from './role-field.ts'

export const memberPage = page({
  path: `${membersPath}/{id}`,
  permission: 'members:read',
  show: async (visit, { id }) => {
    const member = await findMember(visit, id)
    return memberContent(visit, member, newDraft({ role: member.role, shown: member.role }))
  },
})

async function memberContent(visit: Visit, member: ListedMember, draft: Draft): Promise<Content> {
  const { id, name, email, role, createdAt, hasTotp, hasPasskeys } = member
  const mayChange = may(visit, permission)
  const isFixed = mayChange && (await isOnlyOwner(visit, member))
  const next = restNote(`Nothing to do: the member has access to the shop with the role ${role}.`)
  const main = html`${backLink(membersPath, 'All members')}${heading(name)}${isFixed ? nothing : next}
${facts([
  ['Id', code(id)],
  ['E-mail', email],
  ['Role', role],
  ['Authenticator app', hasTotp ? 'yes' : 'no'],
  ['Passkey', hasPasskeys ? 'yes' : 'no'],
  ['Member since', time(createdAt)],
  ['Last seen', lastSeen(visit, member)],
])}${isFixed ? fixedRole : mayChange ? changes(visit, member, draft) : nothing}
<p>${link(`/audit?actor=${id}`, 'Changes by this member')}</p>`
  return { title: name, main }
}

/**
 * The section on the page of the only owner, whose role cannot change. Only owners change members, so no other member sees
 * it.
 */
const fixedRole = section(
  'Role',
  html`<p>You are the only owner of the shop. Before your role can change, make another member an owner on the page of that member.</p>
<p>${mainLink(membersPath, 'Open the members')}</p>`,
)

/**
 * Returns the forms and links that change a member. None of them is the main action of the page, because the page does
 * not require a change of the member.
 */
function changes(visit: Visit, member: ListedMember, draft: Draft): Markup {
  const path = `${membersPath}/${member.id}`
  const fields = html`${hiddenField('shown', fieldValue(draft, 'shown'))}${roleField(draft)}`
  const recover = isSelf(visit, member) ? nothing : html`<p>${link(`${path}/recover`, 'Create a recovery link')}</p>`
  return html`${section('Role', form(visit, `${path}/role`, fields, { submit: 'Change role', isSecondary: true }))}
${section('Access', html`${recover}<p>${link(`${path}/remove`, 'Remove the member')}</p>`)}`
}

export const changeRole = action({
  path: `${membersPath}/{id}/role`,
  permission,
  done: 'The role is changed. It applies from the member’s next page on.',
  question: null,
  needsRecentSignIn: true,
  fields: z.strictObject({ role: roleOf, shown: roleOf }),
  form: async (visit, { id }, draft) => memberContent(visit, await findMember(visit, id), draft),
  run: async (visit, { id }, { role, shown }) => {
    const member = await findMember(visit, id)
    const outcome = await changeMemberRole(visit.context, visit.actor, { ...keyOf(visit, member), role, from: shown })
    switch (outcome.is) {
      case 'changed':
        return { is: 'done', to: membersPath }
      case 'unchanged':
        return { is: 'refused', field: 'role', message: `The member has the role ${role} already.` }
      case 'last_owner':
        return lastOwner
      case 'stale':
        return {
          is: 'refused',
          message:
            'The role was changed after you opened this form. Open the page of the member again to see the change.',
        }
      case 'unknown':
        return noMember()
    }
  },
})
