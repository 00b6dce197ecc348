import { removeMember } from '../../access/members/change-member.ts'
import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { noFields } from '../kit/fields.ts'
import { mainLink } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { findMember, isOnlyOwner, keyOf, lastOwner, noMember } from './find.ts'
import { membersPath, permission } from './paths.ts'

const path = `${membersPath}/{id}/remove` as const

export const memberRemovalPage = page({ path, permission, show: (visit, { id }) => content(visit, id) })

async function content(visit: Visit, id: string): Promise<Content> {
  const member = await findMember(visit, id)
  const { name, email } = member
  if (await isOnlyOwner(visit, member)) return ownerContent(name)
  return confirmation(visit, `${membersPath}/${id}/remove`, {
    ...{ title: `Remove ${name}`, submit: 'Remove the member', isDangerous: true },
    text: `${email} loses access to this shop at once, in live and test mode. API tokens that the member created stay valid: revoke them on the page API tokens.`,
    back: `${membersPath}/${id}`,
  })
}

/**
 * Returns the page that explains why the only owner of a merchant cannot be removed. It links to the list of members,
 * where another member can be made an owner first.
 */
function ownerContent(name: string): Content {
  const title = `${name} cannot be removed`
  const main = html`${heading(title)}<p>${lastOwner.message}</p><p>${mainLink(membersPath, 'Open the members')}</p>`
  return { title, main }
}

export const removeMemberAction = action({
  path,
  permission,
  done: 'The member is removed.',
  question: () => ({ text: 'The member loses access at once.', submit: 'Remove the member' }),
  needsRecentSignIn: true,
  fields: noFields,
  form: (visit, { id }) => content(visit, id),
  run: async (visit, { id }) => {
    const member = await findMember(visit, id)
    const outcome = await removeMember(visit.context, visit.actor, keyOf(visit, member))
    switch (outcome.is) {
      case 'removed':
        return { is: 'done', to: membersPath }
      case 'last_owner':
        return lastOwner
      case 'unknown':
        return noMember()
    }
  },
})
