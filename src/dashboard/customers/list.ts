import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, dateTime, empty, heading, money, table } from '../../markup/parts.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import { phoneLink } from '../kit/contact.ts'
import type { Content } from '../kit/content.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, textField } from '../kit/form.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { customerPaths } from './paths.ts'

const path = customerPaths.list
const title = 'Customers'

export const customerList = page({
  path,
  permission: 'customers:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'tag', 'from', 'to', 'cursor'])
    const { from, to, ...filters } = query
    const called = await visit.call('listCustomers', {
      query: { ...filters, createdFrom: dayStart(from), createdTo: dayEnd(to) },
    })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const draft = filterDraft(query, refusal, { createdFrom: 'from', createdTo: 'to' })
    const top = html`${heading(title, actions(visit))}${filtersOf(draft)}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const list = data.length === 0 ? none(visit) : html`${totalsHint}${rows(data)}`
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function actions(visit: Visit): Markup {
  const create = may(visit, 'customers:write') ? mainLink(customerPaths.create, 'Create a customer') : nothing
  return html`${create} ${exportLinks(visit, ['exportCustomers'])}`
}

function filtersOf(draft: Draft): Markup {
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Name, e-mail or phone', type: 'search' })}
${textField(draft, { name: 'tag', label: 'Tag' })}
${textField(draft, { name: 'from', label: 'Created from', type: 'date' })}
${textField(draft, { name: 'to', label: 'Created until', type: 'date' })}`,
  )
}

/**
 * Explains the totals in the list of customers. They differ from the sales reports, which also deduct refunds that are
 * not paid yet.
 */
const totalsHint = html`<p class="hint">The number of orders excludes cancelled orders. The amount spent is the payments minus the refunds that were paid, also of cancelled orders.</p>`

function rows(customers: ReplyOf<'listCustomers'>['data']): Markup {
  return table(title, customers, [
    { title: 'Customer', cell: ({ id, name }) => link(`${path}/${id}`, name), phone: 'title' },
    {
      title: 'E-mail',
      cell: ({ email, status }) => (status === 'anonymised' ? badge('anonymised', 'quiet') : email),
      phone: 'hidden',
    },
    { title: 'Phone', cell: ({ phone }) => (phone === null ? '' : phoneLink(phone)), phone: 'detail' },
    {
      title: 'Orders',
      cell: ({ ordersCount }) => count(ordersCount),
      isNumber: true,
      phone: 'labelled',
    },
    {
      title: 'Spent',
      cell: ({ totalSpentKobo }) => (totalSpentKobo === 0 ? nothing : money(totalSpentKobo)),
      isNumber: true,
      phone: 'state',
    },
    {
      title: 'Last order',
      cell: ({ lastOrderAt }) => (lastOrderAt === null ? 'none' : dateTime(lastOrderAt)),
      phone: 'hidden',
    },
  ])
}

function none({ query }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No customer matches these filters.')
  return empty('There are no customers yet. An order creates the customer with its e-mail address.')
}
