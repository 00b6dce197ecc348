import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, empty, heading, money, section, table, time } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { referencedBy, referencedList } from '../kit/external-references.ts'
import { textField } from '../kit/form.ts'
import { searchPath } from '../kit/navigation.ts'
import { link, mainLink, withQuery } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { page } from '../kit/route.ts'
import { may } from '../kit/visit.ts'
import { orderTone } from '../orders/tone.ts'
import { productBadge } from '../products/state.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { recordPathOf } from './record-path.ts'

/**
 * Maximum number of records of each kind on the search page. Each section links to the list with all matching records.
 */
const shownMax = '5'

/** Minimum length of a search text, the same as in the lists of the API. */
const minLength = 2

/** If the search text is the id of a record, the page links to this record. */
export const searchPage = page({
  path: searchPath,
  permission: 'orders:read',
  show: async (visit): Promise<Content> => {
    const q = (visit.query.q ?? '').trim()
    const title = 'Search'
    const contentOf = (result: Markup): Content => ({ title, main: html`${heading(title)}${result}` })
    if (q.length < minLength) return contentOf(searchForm(q))
    const path = recordPathOf(visit, q)
    if (path !== undefined)
      return contentOf(html`<p>The id ${code(q)} belongs to one record.</p><p>${mainLink(path, 'Open the record')}</p>`)
    const query = { q, limit: shownMax }
    const [referenced, orders, customers, products, shipments] = await Promise.all([
      referencedBy(visit, q),
      found(visit.call('listOrders', { query })),
      may(visit, 'customers:read') ? found(visit.call('listCustomers', { query })) : [],
      may(visit, 'products:read') ? found(visit.call('listProducts', { query })) : [],
      may(visit, 'logistics:read') ? found(visit.call('listShipments', { query })) : [],
    ])
    const sections = html`${referencedList(q, referenced)}${orderSection(orders, q)}${customerSection(customers, q)}${productSection(products, q)}${shipmentSection(shipments, q)}`
    return contentOf(String(sections) === '' ? html`${empty(`Nothing matches “${q}”.`)}${searchForm(q)}` : sections)
  },
})

/**
 * The search form that the results page shows if nothing matches. This form finds the same records as the search field
 * in the header of every page.
 */
function searchForm(q: string): Markup {
  const field = textField(newDraft({ q }), { name: 'q', label: 'Search text', type: 'search', hint })
  return html`<form method="get" action="${root}${searchPath}" class="form">${field}<div class="buttons"><button class="main">Search</button></div></form>`
}

const hint =
  'Enter an order number, a name, a phone number in any format, an e-mail address, a product, a SKU, the reference of a shipment, the tracking number of a carrier, the reference of a payment, or an id.'

/** Returns none if the list operation rejects the search text as malformed. */
async function found<Row>(called: Promise<CalledList<Row>>): Promise<readonly Row[]> {
  const outcome = await called
  if (outcome.is === 'answered') return outcome.reply.data
  if (outcome.refusal.code === 'validation_failed') return []
  throw outcome.refusal
}

type CalledList<Row> =
  | { readonly is: 'answered'; readonly reply: { readonly data: readonly Row[] } }
  | { readonly is: 'refused'; readonly refusal: Refusal }

type OrderRow = ReplyOf<'listOrders'>['data'][number]
type CustomerRow = ReplyOf<'listCustomers'>['data'][number]
type ProductRow = ReplyOf<'listProducts'>['data'][number]
type ShipmentRow = ReplyOf<'listShipments'>['data'][number]

function orderSection(orders: readonly OrderRow[], q: string): Markup {
  if (orders.length === 0) return nothing
  const rows = table('Orders', orders, [
    { title: 'Order', cell: ({ id, number }) => link(`/orders/${id}`, number), phone: 'title' },
    { title: 'Status', cell: ({ status }) => badge(status, orderTone[status]), phone: 'state' },
    { title: 'Customer', cell: ({ customer }) => customer.name, phone: 'detail' },
    { title: 'Total', cell: ({ totalKobo }) => money(totalKobo), isNumber: true, phone: 'detail' },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt), phone: 'detail' },
  ])
  return section('Orders', rows, link(withQuery('/orders', { q }), 'All matching orders'))
}

function customerSection(customers: readonly CustomerRow[], q: string): Markup {
  if (customers.length === 0) return nothing
  const rows = table('Customers', customers, [
    {
      title: 'Customer',
      cell: ({ id, name, email }) => link(`/customers/${id}`, name ?? email ?? id),
      phone: 'title',
    },
    { title: 'Phone', cell: ({ phone }) => phone ?? '', phone: 'detail' },
    { title: 'E-mail', cell: ({ email }) => email ?? '', phone: 'detail' },
  ])
  return section('Customers', rows, link(withQuery('/customers', { q }), 'All matching customers'))
}

function productSection(products: readonly ProductRow[], q: string): Markup {
  if (products.length === 0) return nothing
  const rows = table('Products', products, [
    { title: 'Product', cell: ({ id, title }) => link(`/products/${id}`, title), phone: 'title' },
    { title: 'Status', cell: ({ status }) => productBadge(status), phone: 'state' },
  ])
  return section('Products', rows, link(withQuery('/products', { q }), 'All matching products'))
}

function shipmentSection(shipments: readonly ShipmentRow[], q: string): Markup {
  if (shipments.length === 0) return nothing
  const rows = table('Shipments', shipments, [
    { title: 'Shipment', cell: ({ id, reference }) => link(`/shipments/${id}`, reference), phone: 'title' },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status), phone: 'state' },
    { title: 'Recipient', cell: ({ recipient }) => recipient.name ?? '', phone: 'detail' },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt), phone: 'detail' },
  ])
  return section('Shipments', rows, link(withQuery('/shipments', { q }), 'All matching shipments'))
}
