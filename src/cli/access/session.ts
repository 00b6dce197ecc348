import { z } from 'zod'
import { SessionId } from '../../../registry/values/vocabulary.ts'
import { listUserSessions, revokeUserSessions } from '../../access/members/sessions.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { idOption, merchantOptions } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { liveMerchantOf, memberOf, memberOption } from './member.ts'

const { merchant } = merchantOptions

export const sessionList = command({
  name: 'session list',
  summary: 'List the active dashboard sessions of a member, most recently used first.',
  options: z.strictObject({ merchant, member: memberOption }),
  run: (values) =>
    connected(async (context) => {
      const member = await memberOf(context, await liveMerchantOf(context, values.merchant), values.member)
      const rows = (await listUserSessions(context, member.userId)).map((session) => ({ ...session }))
      return { json: rows, text: table(rows, ['id', 'createdAt', 'lastSeenAt', 'sourceIp', 'userAgent']) }
    }),
})

export const sessionRevoke = command({
  name: 'session revoke',
  summary: 'Revoke one or all dashboard sessions of a member.',
  options: z.strictObject({
    merchant,
    member: memberOption,
    session: idOption('The session to revoke (ses_…). Default: all sessions of the member.').optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const member = await memberOf(context, await liveMerchantOf(context, values.merchant), values.member)
      const id = values.session === undefined ? undefined : SessionId.safeParse(values.session).data
      const isMalformed = values.session !== undefined && id === undefined
      const which = { userId: member.userId, sessionId: id }
      const sessions = isMalformed ? 0 : await revokeUserSessions(context, operator, which)
      if (sessions === 0 && values.session !== undefined) {
        throw new CommandFailure(
          `${member.email} has no active session ${values.session}. List the active sessions with commerce session list.`,
        )
      }
      return { json: { revoked: sessions }, text: `Revoked ${sessions} sessions of ${member.email}.` }
    }),
})
