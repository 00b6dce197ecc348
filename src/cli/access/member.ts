import { z } from 'zod'
import { isRole, type Role, roles } from '../../../registry/values/roles.ts'
import { Email, type MerchantId } from '../../../registry/values/vocabulary.ts'
import { changeMemberRole, listMembers, removeMember } from '../../access/members/change-member.ts'
import { inviteMember } from '../../access/members/invite-member.ts'
import { invitationLink, signInLink } from '../../access/members/links.ts'
import { recoverMember } from '../../access/members/recover-member.ts'
import type { ListedMember } from '../../store/access/members.ts'
import type { Context } from '../../store/core/mutation.ts'
import { command } from '../kit/command.ts'
import { type CommandContext, connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { idOption, merchantOptions, option, textOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

const { merchant } = merchantOptions

/** The option that names a member by id or e-mail address. People know their colleagues' addresses, not their ids. */
export const memberOption = idOption('The member: the id (mbr_…) or the e-mail address.')

const roleNames = Object.keys(roles)

const roleOption = option(
  z.string().refine((text): text is Role => isRole(text)),
  {
    value: 'ROLE',
    meaning: `The role: ${roleNames.join(', ')}.`,
    must: `must be one of ${roleNames.join(', ')}`,
  },
)

const emailOption = option(z.string().trim().pipe(Email), {
  value: 'EMAIL',
  meaning: 'The e-mail address of the invited person.',
  must: 'must be an e-mail address such as ada@example.com',
})

/** Returns the live merchant of a live or test-mode merchant, because members belong to the live merchant. */
export async function liveMerchantOf(context: Context, id: string): Promise<MerchantId> {
  return (await tenantOf(context.database, { merchant: id, mode: 'live' })).merchantId
}

export async function memberOf(context: Context, merchantId: MerchantId, text: string): Promise<ListedMember> {
  const members = await listMembers(context, merchantId)
  const wanted = text.toLowerCase()
  const found = members.find(({ id, email }) => id === text || email.toLowerCase() === wanted)
  if (found === undefined) throw noMember(text)
  return found
}

function noMember(text: string): CommandFailure {
  return new CommandFailure(`The merchant has no member ${text}. List the members with commerce member list.`)
}

/**
 * Returns a link to the service, the word for it (`link` or `path`), and a note to print after it. Without PUBLIC_URL,
 * a command does not know the address of the service, so the link is only a path.
 */
function linkOf({ publicUrl }: CommandContext, build: (origin: string) => string) {
  if (publicUrl !== undefined) return { link: build(publicUrl), name: 'link', note: '' }
  const note =
    '\n\nPut the address of your service before the path, for example https://shop.example.com. Set PUBLIC_URL to get a whole link.'
  return { link: build(''), name: 'path', note }
}

const lastOwner = (member: string) =>
  new CommandFailure(`${member} is the only owner. First make another member an owner with commerce member role.`)

export const memberInvite = command({
  name: 'member invite',
  summary: 'Invite a person to the dashboard of a merchant. The link is shown only once.',
  options: z.strictObject({
    merchant,
    email: emailOption,
    role: roleOption,
    name: textOption('The name that is suggested to the invited person.').optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const { email, role } = values
      const merchantId = await liveMerchantOf(context, values.merchant)
      const name = values.name ?? null
      const outcome = await inviteMember(context, operator, { merchantId, email, name, role })
      switch (outcome.is) {
        case 'invited': {
          const { link, name: linkName, note } = linkOf(context, (origin) => invitationLink(origin, outcome.token))
          const { id, expiresAt } = outcome
          return {
            json: { id, merchantId, email, role, expiresAt, link },
            text: `Invited ${email} as ${role}. Send this ${linkName} to the person. The link can be used once, until ${expiresAt}:\n\n${link}${note}`,
          }
        }
        case 'already_member':
          throw new CommandFailure(`${email} is a member already. Change the role with member role.`)
        case 'too_many_members':
          throw new CommandFailure('The merchant has too many members and invitations. Remove members first.')
        case 'inviter_removed':
        case 'inviter_not_permitted':
          throw new Error('An operator is not a member of the merchant.')
      }
    }),
})

export const memberList = command({
  name: 'member list',
  summary: 'List the members of a merchant, oldest first.',
  options: z.strictObject({ merchant }),
  run: (values) =>
    connected(async (context) => {
      const members = await listMembers(context, await liveMerchantOf(context, values.merchant))
      const rows = members.map((member) => ({ ...member }))
      return { json: rows, text: table(rows, ['id', 'email', 'name', 'role', 'hasTotp', 'hasPasskeys', 'lastSeenAt']) }
    }),
})

export const memberRole = command({
  name: 'member role',
  summary: 'Change the role of a member. The new role applies from the next request on.',
  options: z.strictObject({ merchant, member: memberOption, role: roleOption }),
  run: (values) =>
    withMember(values, async (context, merchantId, { id, email }) => {
      const { role } = values
      const outcome = await changeMemberRole(context, operator, { merchantId, memberId: id, role })
      switch (outcome.is) {
        case 'changed':
          return { json: { id, role, changed: true }, text: `${email} is now ${role}.` }
        case 'unchanged':
          return { json: { id, role, changed: false }, text: `${email} is ${role} already.` }
        case 'unknown':
          throw noMember(values.member)
        case 'last_owner':
          throw lastOwner(email)
        case 'stale':
          throw new Error('An operator may change every role.')
      }
    }),
})

export const memberRemove = command({
  name: 'member remove',
  summary: 'Remove a member. The person loses access at once.',
  options: z.strictObject({ merchant, member: memberOption }),
  run: (values) =>
    withMember(values, async (context, merchantId, { id, email }) => {
      const outcome = await removeMember(context, operator, { merchantId, memberId: id })
      switch (outcome.is) {
        case 'removed':
          return { json: { id, removed: true }, text: `${email} is no longer a member.` }
        case 'unknown':
          throw noMember(values.member)
        case 'last_owner':
          throw lastOwner(email)
      }
    }),
})

export const memberRecover = command({
  name: 'member recover',
  summary:
    'Create a sign-in link for a member who cannot sign in. It sets a new password and removes TOTP and passkeys.',
  options: z.strictObject({ merchant, member: memberOption }),
  run: (values) =>
    withMember(values, async (context, merchantId, { id, email }) => {
      const outcome = await recoverMember(context, operator, { merchantId, memberId: id })
      switch (outcome.is) {
        case 'link': {
          const { link, name: linkName, note } = linkOf(context, (origin) => signInLink(origin, outcome.token))
          const { expiresAt } = outcome
          return {
            json: { id, email, expiresAt, link },
            text: `Verify the identity of the person, then send this ${linkName} to ${email}. The link can be used once, until ${expiresAt}:\n\n${link}${note}`,
          }
        }
        case 'unknown':
          throw noMember(values.member)
        case 'not_permitted':
        case 'belongs_to_other_merchants':
          throw new Error('The member was not recovered, although an operator may recover every member.')
      }
    }),
})

function withMember<Result>(
  named: { readonly merchant: string; readonly member: string },
  work: (context: CommandContext, merchantId: MerchantId, member: ListedMember) => Promise<Result>,
): Promise<Result> {
  return connected(async (context) => {
    const merchantId = await liveMerchantOf(context, named.merchant)
    return work(context, merchantId, await memberOf(context, merchantId, named.member))
  })
}
