import { discountStates } from '../../../registry/values/discount-terms.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, heading, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { newDraft } from '../kit/draft.ts'
import { filterForm, select, textField } from '../kit/form.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { newDiscountPath } from './create.ts'
import { stateTone, termsOf } from './terms.ts'

const path = '/discounts'

export const discountList = page({
  path,
  permission: 'discounts:read',
  show: async (visit) => {
    const query = pick(visit.query, ['state', 'q', 'cursor'])
    const { data, pagination } = await read(visit, 'listDiscounts', { query })
    const main = html`${heading('Discounts', actions(visit))}${filters(query)}
${data.length === 0 ? none(visit) : html`${list(data)}${pager(path, query, pagination.cursor)}`}`
    return { title: 'Discounts', main }
  },
})

function actions(visit: Visit): Markup {
  return may(visit, 'discounts:write') ? mainLink(newDiscountPath, 'Create a discount') : nothing
}

function filters(query: { readonly state?: string; readonly q?: string }) {
  const draft = newDraft({ ...query })
  const states = discountStates.map((state) => [state, state] as const)
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Title or code', type: 'search' })}
${select(draft, { name: 'state', label: 'State', choices: [['', 'All states'], ...states] })}`,
  )
}

function list(discounts: ReplyOf<'listDiscounts'>['data']) {
  return table('Discounts', discounts, [
    { title: 'Discount', cell: ({ id, title }) => link(`${path}/${id}`, title), phone: 'title' },
    {
      title: 'Code',
      cell: (discount) => (discount.code === null ? 'automatic' : code(discount.code)),
      phone: 'detail',
    },
    { title: 'State', cell: ({ state }) => badge(state, stateTone[state]), phone: 'state' },
    { title: 'Terms', cell: (discount) => termsOf(discount), phone: 'detail' },
    { title: 'Used', cell: ({ redemptionCount }) => count(redemptionCount), isNumber: true, phone: 'labelled' },
  ])
}

function none({ query, ...visit }: Visit) {
  if (Object.keys(query).length > 0) return empty('No discount matches these filters.')
  const next = may(visit, 'discounts:write')
    ? html`<p>${link(newDiscountPath, 'Create the first discount')}.</p>`
    : nothing
  return empty('There are no discounts yet.', next)
}
