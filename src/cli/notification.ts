import { z } from 'zod'
import { markAllNotificationsRead, markNotificationRead } from '../notifications/mark-read.ts'
import { messageOf } from '../notifications/messages.ts'
import { isProblemOpen, resolveNotification } from '../notifications/resolve.ts'
import { listMemberNotifications } from '../store/notifications/member-notifications.ts'
import { listNotifications } from '../store/webhooks/notifications.ts'
import { liveMerchantOf, memberOf, memberOption } from './access/member.ts'
import { command } from './kit/command.ts'
import { type CommandContext, connected } from './kit/connect.ts'
import { notFound, UsageError } from './kit/failure.ts'
import { operator } from './kit/operator.ts'
import { flag, idOption, limitOption, merchantOptions, rowsShown } from './kit/option.ts'
import { table } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

export const notificationList = command({
  name: 'notification list',
  summary: 'List the notifications to a merchant, for example about a disabled webhook endpoint, newest first.',
  options: z.strictObject({
    ...merchantOptions,
    member: idOption(
      'Shows which notifications this member has read. Pass the member’s id (mbr_…) or e-mail address.',
    ).optional(),
    unread: flag('Lists only notifications that the member has not read. Requires --member.'),
    open: flag('Lists only notifications about a problem that is not resolved.'),
    limit: limitOption,
  }),
  run: ({ member, unread = false, open = false, ...values }) => {
    if (unread && member === undefined)
      throw new UsageError('--unread requires --member: each member has their own unread notifications.')
    if (unread && open) throw new UsageError('Give either --unread or --open.')
    return connected(async (context) => {
      const { database } = context
      const { merchantId } = await tenantOf(database, values)
      const page = { limit: values.limit ?? rowsShown, state: open ? 'open' : 'all' } as const
      const reader = member === undefined ? undefined : await readerOf(context, { ...values, member })
      const found =
        reader === undefined
          ? await listNotifications(database, { merchantId, ...page })
          : await listMemberNotifications(database, reader, unread ? { ...page, state: 'unread' } : page)
      const rows = found.map((row) => {
        const { title, text, command: next } = messageOf({ ...row, merchantId })
        return { ...row, isOpen: isProblemOpen(row), title, text, next }
      })
      const columns = ['createdAt', 'id', 'kind', ...(reader === undefined ? [] : ['isRead']), 'isOpen', 'text', 'next']
      return { json: rows, text: table(rows, columns) }
    })
  },
})

export const notificationRead = command({
  name: 'notification read',
  summary: 'Mark one notification, or all notifications, as read by a member. For the other members, they stay unread.',
  options: z.strictObject({
    ...merchantOptions,
    member: memberOption,
    id: idOption('The id of the notification to mark, as shown by notification list.').optional(),
    all: flag('Mark all notifications of the merchant.'),
  }),
  run: ({ id, all = false, ...values }) => {
    if ((id === undefined) !== all) throw new UsageError('Give either --id or --all.')
    return connected(async (context) => {
      const reader = await readerOf(context, values)
      if (id === undefined) {
        await markAllNotificationsRead(context, reader)
        return { json: { read: 'all' }, text: `All notifications are marked as read by ${values.member}.` }
      }
      const outcome = await markNotificationRead(context, reader, id)
      if (outcome.is === 'unknown') throw notFound(`notification ${id}`)
      return { json: { read: id }, text: `Notification ${id} is marked as read by ${values.member}.` }
    })
  },
})

export const notificationResolve = command({
  name: 'notification resolve',
  summary:
    'Mark the problem that a notification reports as resolved, for all members: the dashboard no longer shows it on the page “Today”.',
  options: z.strictObject({
    ...merchantOptions,
    id: idOption('The id of the notification whose problem is resolved, as shown by notification list.'),
  }),
  run: ({ id, ...values }) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await resolveNotification(context, operator, tenant, id)
      if (outcome.is === 'unknown') throw notFound(`notification ${id} with a problem to resolve`)
      const text = outcome.is === 'resolved' ? 'is resolved' : 'was already resolved'
      return { json: { id, outcome: outcome.is }, text: `The problem of notification ${id} ${text}.` }
    }),
})

interface ReaderValues {
  readonly merchant: string
  readonly mode?: 'live' | 'test' | undefined
  readonly member: string
}

/**
 * Returns the id of a merchant in one mode (live or test), and the id of the member who reads its notifications.
 * Members always belong to the live-mode merchant.
 */
async function readerOf(context: CommandContext, { merchant, mode, member }: ReaderValues) {
  const { merchantId } = await tenantOf(context.database, { merchant, mode })
  const live = await liveMerchantOf(context, merchant)
  const { id: memberId } = await memberOf(context, live, member)
  return { merchantId, memberId }
}
