import { z } from 'zod'
import { listInvitations, revokeInvitation } from '../../access/members/invite-member.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { idOption, merchantOptions } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { liveMerchantOf } from './member.ts'

const { merchant } = merchantOptions

export const memberInvitations = command({
  name: 'member invitations',
  summary: 'List the open invitations of a merchant, newest first.',
  options: z.strictObject({ merchant }),
  run: (values) =>
    connected(async (context) => {
      const invitations = await listInvitations(context, await liveMerchantOf(context, values.merchant))
      const rows = invitations.map((invitation) => ({ ...invitation }))
      return { json: rows, text: table(rows, ['id', 'email', 'name', 'role', 'createdBy', 'createdAt', 'expiresAt']) }
    }),
})

export const memberRevokeInvitation = command({
  name: 'member revoke-invitation',
  summary: 'Revoke an open invitation, so that its link can no longer be used.',
  options: z.strictObject({
    merchant,
    invitation: idOption('The invitation: the id (inv_…) or the e-mail address.'),
  }),
  run: (values) =>
    connected(async (context) => {
      const merchantId = await liveMerchantOf(context, values.merchant)
      const wanted = values.invitation.toLowerCase()
      const invitations = await listInvitations(context, merchantId)
      // At most one open invitation has a given e-mail address, because a new invitation revokes the earlier one.
      const found = invitations.find(({ id, email }) => id === values.invitation || email === wanted)
      if (found === undefined) throw noInvitation(values.invitation)
      const { id, email } = found
      const outcome = await revokeInvitation(context, operator, { merchantId, id })
      switch (outcome.is) {
        case 'revoked':
          return { json: { id, email, revoked: true }, text: `The invitation of ${email} is revoked.` }
        case 'accepted':
          throw new CommandFailure(
            `${email} has just accepted the invitation. To remove the new member, run commerce member remove.`,
          )
        case 'unknown':
          throw noInvitation(values.invitation)
      }
    }),
})

function noInvitation(text: string): CommandFailure {
  return new CommandFailure(
    `The merchant has no open invitation ${text}. List the open invitations with commerce member invitations.`,
  )
}
