import type { listSessions } from '../../access/members/sessions.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, table, time } from '../../markup/parts.ts'
import { button } from '../kit/form.ts'
import { address, ago } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { browserName } from './browser-name.ts'
import { accountPath } from './paths.ts'

export const sessionsPath = `${accountPath}/sessions` as const

type Sessions = Awaited<ReturnType<typeof listSessions>>

export function sessionSection(visit: Visit, sessions: Sessions): Markup {
  const { member, nowMs } = visit
  const rows = table('Signed-in browsers', sessions, [
    {
      title: 'Browser',
      cell: ({ id, userAgent, stage }) =>
        html`${browserName(userAgent)} ${id === member.id ? badge('this browser', 'good') : nothing}${stage === 'complete' ? nothing : badge('sign-in not completed', 'waiting')}`,
    },
    { title: 'Address', cell: ({ sourceIp }) => (sourceIp === null ? 'unknown' : address(sourceIp)) },
    { title: 'Last seen', cell: ({ id, lastSeenAt }) => (id === member.id ? 'now' : ago(lastSeenAt, nowMs)) },
    { title: 'Signed in', cell: ({ createdAt }) => time(createdAt) },
    {
      title: 'Action',
      cell: ({ id }) => (id === member.id ? nothing : button(visit, `${sessionsPath}/${id}/revoke`, 'Sign out')),
    },
  ])
  return html`${rows}${sessions.length < 2 ? nothing : button(visit, `${sessionsPath}/revoke-others`, 'Sign out all other browsers')}`
}
