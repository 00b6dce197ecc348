import { z } from 'zod'
import { pageSize } from '../../../registry/values/limits.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, empty, heading, table } from '../../markup/parts.ts'
import { markAllNotificationsRead, markNotificationRead } from '../../notifications/mark-read.ts'
import { messageOf } from '../../notifications/messages.ts'
import { isProblemOpen, resolveNotification } from '../../notifications/resolve.ts'
import { listMemberNotifications, type MemberNotification } from '../../store/notifications/member-notifications.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { button, filterForm, select } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { ago, link, pager, pick, withQuery } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { linksOf } from './links.ts'
import { messageText, namesOf, type RecordNames } from './message-text.ts'
import { resolvePath, resolvePermission } from './resolve-path.ts'

const path = '/notifications'
const permission = 'notifications:read'

/**
 * The forms in the notification list submit this filter too, so that the member then sees the list with the same
 * filter.
 */
const fields = z.object({ state: z.enum(['unread', 'open']).optional().catch(undefined) })

export const notificationList = page({ path, permission, show: (visit) => listPage(visit) })

export const markReadAction = action({
  path: '/notifications/{id}/read',
  permission,
  done: 'The notification is marked as read.',
  question: null,
  fields,
  form: (visit, _params, draft) => listPage(visit, draft),
  run: async (visit, { id }, { state }) => {
    const outcome = await markNotificationRead(visit.context, readerOf(visit), id)
    if (outcome.is === 'unknown') throw new PageError(404, 'This notification does not exist.')
    return { is: 'done', to: withQuery(path, { state }) }
  },
})

export const markAllReadAction = action({
  path: '/notifications/read',
  permission,
  done: 'All notifications are marked as read.',
  question: null,
  fields,
  form: (visit, _params, draft) => listPage(visit, draft),
  run: async (visit) => {
    await markAllNotificationsRead(visit.context, readerOf(visit))
    return { is: 'done', to: path }
  },
})

export const resolveNotificationAction = action({
  path: resolvePath('{id}'),
  permission: resolvePermission,
  done: 'The problem is marked as resolved.',
  question: () => ({
    text: 'No member sees the problem on the page “Today” any more.',
    submit: 'Mark as resolved',
  }),
  fields: fields.extend({ from: z.literal('attention').optional().catch(undefined) }),
  form: (visit, _params, draft) => listPage(visit, draft),
  run: async ({ context, actor, tenant }, { id }, { state, from }) => {
    const outcome = await resolveNotification(context, actor, tenant, id)
    switch (outcome.is) {
      case 'resolved':
        return { is: 'done', to: from === 'attention' ? '' : withQuery(path, { state }) }
      case 'unchanged':
        return { is: 'refused', message: 'The problem is already resolved.' }
      case 'unknown':
        throw new PageError(404, 'This notification does not exist, or reports no problem to resolve.')
    }
  },
})

function readerOf({ tenant, member }: Visit) {
  return { merchantId: tenant.merchantId, memberId: member.selected.memberId }
}

/** `draft` is the state of a rejected form in the list. */
async function listPage(visit: Visit, draft?: Draft): Promise<Content> {
  const query = draft === undefined ? pick(visit.query, ['state', 'cursor']) : { state: fieldValue(draft, 'state') }
  const state = query.state === 'unread' || query.state === 'open' ? query.state : 'all'
  const rows = await listMemberNotifications(visit.context.database, readerOf(visit), {
    // One notification more than a page shows is read, to find out whether there is a next page.
    limit: pageSize.default + 1,
    state,
    // A NUL character is removed, because PostgreSQL rejects it and no id contains one.
    afterId: query.cursor?.replaceAll('\0', ''),
  })
  const shown = rows.slice(0, pageSize.default)
  const next = rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null
  const { merchantId } = visit.tenant
  const names = await namesOf(
    visit,
    shown.map((row) => messageOf({ ...row, merchantId })),
  )
  const list =
    shown.length === 0 ? none(query) : html`${listOf(visit, shown, { query, names })}${pager(path, query, next)}`
  const main = html`${heading('Notifications', actions(visit))}${filters(query)}${list}`
  return { title: 'Notifications', main }
}

interface Listed {
  readonly query: Query
  readonly names: RecordNames
}

interface Query {
  readonly state?: string
  readonly cursor?: string
}

function actions(visit: Visit): Markup {
  const markAll =
    visit.member.unreadNotifications === 0
      ? nothing
      : button(visit, `${path}/read`, 'Mark all as read', { isMain: true })
  return html`${link(`${path}/preferences`, 'E-mails')}${markAll}`
}

function filters(query: Query): Markup {
  const choices = [
    ['', 'All notifications'],
    ['unread', 'Unread only'],
    ['open', 'Open problems only'],
  ] as const
  const draft = newDraft({ ...query })
  return filterForm(path, draft, select(draft, { name: 'state', label: 'State', choices }))
}

function listOf(visit: Visit, rows: readonly MemberNotification[], { query: { state }, names }: Listed): Markup {
  const { merchantId } = visit.tenant
  const hidden = state === undefined ? {} : { state }
  return table('Notifications', rows, [
    {
      title: 'Notification',
      phone: 'title',
      cell: (row) => {
        return messageText(messageOf({ ...row, merchantId }), names)
      },
    },
    { title: 'State', phone: 'state', cell: (row) => html`${readBadge(row)} ${problemBadge(row)}` },
    { title: 'Time', phone: 'detail', cell: ({ createdAt }) => ago(createdAt, visit.nowMs) },
    {
      title: 'Next step',
      phone: 'detail',
      cell: (row) => {
        const message = messageOf({ ...row, merchantId })
        const mark = row.isRead ? nothing : button(visit, `${path}/${row.id}/read`, 'Mark as read', { hidden })
        return html`${linksOf(message)}${mark} ${resolveButton(visit, row, hidden)}`
      },
    },
  ])
}

function readBadge({ isRead }: MemberNotification): Markup {
  return isRead ? badge('read', 'quiet') : badge('unread', 'active')
}

function problemBadge(row: MemberNotification): Markup {
  if (isProblemOpen(row)) return badge('open', 'waiting')
  return row.resolvedAt === null ? nothing : badge('resolved', 'quiet')
}

function resolveButton(visit: Visit, row: MemberNotification, hidden: Readonly<Record<string, string>>): Markup {
  if (!isProblemOpen(row) || !may(visit, resolvePermission)) return nothing
  return button(visit, resolvePath(row.id), 'Mark as resolved', { hidden })
}

function none({ state, cursor }: Query): Markup {
  if (cursor !== undefined) return empty('There are no older notifications.', link(path, 'First page'))
  if (state === 'unread') return empty('You have read all notifications.', link(path, 'Show all notifications'))
  if (state === 'open') return empty('There are no open problems.', link(path, 'Show all notifications'))
  return empty(
    'There are no notifications yet. Notifications report problems that a member must solve, with orders, payments, refunds, returns, shipments and webhook endpoints.',
  )
}
