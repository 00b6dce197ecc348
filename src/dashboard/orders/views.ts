import { count } from '../../markup/parts.ts'
import {
  type OrderViewCounts,
  problemsMax,
  toPackMax,
  unpaidMax,
  viewCountMax,
} from '../../store/orders/order-views.ts'
import { isSameQuery, type Tab } from '../kit/tabs.ts'

/**
 * The saved views of the order list. Most views consist only of filters of the list. The views of orders to pack, of
 * unpaid orders and of orders with a problem have database queries of their own.
 */

interface View {
  readonly title: string
  readonly filters: Readonly<Record<string, string>>
  readonly countOf: (counts: OrderViewCounts) => number | undefined
  /**
   * Number of orders at which the count of the view stops. If the count reaches this number, the view may contain more
   * orders.
   */
  readonly countMax: number
}

const views: readonly View[] = [
  { title: 'All', filters: {}, countOf: () => undefined, countMax: viewCountMax },
  { title: 'To pack', filters: { view: 'to_pack' }, countOf: ({ toPack }) => toPack, countMax: toPackMax },
  {
    title: 'Unpaid',
    filters: { view: 'unpaid' },
    countOf: ({ unpaid }) => unpaid,
    countMax: unpaidMax,
  },
  {
    title: 'In delivery',
    filters: { status: 'shipped' },
    countOf: ({ inDelivery }) => inDelivery,
    countMax: viewCountMax,
  },
  { title: 'Problems', filters: { view: 'problems' }, countOf: ({ problems }) => problems, countMax: problemsMax },
]

export function viewTabs(query: Readonly<Record<string, string>>, counts: OrderViewCounts): readonly Tab[] {
  const { cursor: _cursor, ...filters } = query
  return views.map((view) => {
    const found = view.countOf(counts)
    const shown = found === undefined ? '' : found >= view.countMax ? `${count(found)}+` : count(found)
    return { title: view.title, query: view.filters, count: shown, isCurrent: isSameQuery(view.filters, filters) }
  })
}
