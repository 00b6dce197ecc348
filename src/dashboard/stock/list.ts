import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, heading, table } from '../../markup/parts.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { mainFilterForm, select, textField } from '../kit/form.ts'
import { link, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { stockBadge } from './state.ts'

const path = '/stock'
const title = 'Stock'

type Product = ReplyOf<'listProducts'>['data'][number]

interface Row {
  readonly product: Product
  readonly variant: Product['variants'][number]
}

/** The stock list: variants of products, newest product first. */
export const stockList = page({
  path,
  permission: 'products:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'lowStock', 'cursor'])
    const called = await visit.call('listProducts', { query })
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const top = html`${heading(title, html`${link('/products', 'Products')}${importLink(visit)}${exportLinks(visit, ['exportProducts'])}`)}${filtersOf(filterDraft(query, refusal))}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const rows = data.flatMap((product) => product.variants.map((variant) => ({ product, variant })))
    // The filter for low stock selects products with a variant that is low in stock. Each selected product is shown
    // with only its low variants, because the merchant must restock them.
    const shown = query.lowStock === 'true' ? rows.filter(({ variant }) => variant.inventory.low) : rows
    const list = shown.length === 0 ? none(visit) : variantTable(shown)
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}` }
  },
})

function importLink(visit: Visit): Markup {
  return may(visit, 'products:write') ? link('/imports', 'Import products') : nothing
}

function filtersOf(draft: Draft): Markup {
  const choices = [
    ['', 'All stock'],
    ['true', 'Low stock only'],
  ] as const
  return mainFilterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Title, brand or SKU', type: 'search' })}
${select(draft, { name: 'lowStock', label: 'Stock', choices })}`,
  )
}

function variantTable(rows: readonly Row[]): Markup {
  const units = (show: (inventory: Row['variant']['inventory']) => number) => (row: Row) =>
    row.variant.inventory.tracked ? count(show(row.variant.inventory)) : ''
  return table(title, rows, [
    {
      title: 'Variant',
      cell: ({ product, variant }) =>
        html`${link(`${path}/${variant.id}`, product.title)}<small>${variant.title} ${product.status === 'active' ? '' : badge(product.status, 'quiet')}</small>`,
    },
    { title: 'SKU', cell: ({ variant }) => code(variant.sku) },
    { title: 'State', cell: ({ variant }) => stockBadge(variant.inventory) },
    { title: 'Available', cell: units(({ available }) => available), isNumber: true },
    { title: 'Reserved', cell: units(({ reserved }) => reserved), isNumber: true },
    { title: 'On hand', cell: units(({ onHand }) => onHand), isNumber: true },
  ])
}

function none({ query, ...visit }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No variant matches these filters.')
  const next = may(visit, 'products:write')
    ? html`<p>${link('/products/new', 'Create the first product')}, or ${link('/imports', 'import products from a file')}.</p>`
    : nothing
  return empty('There are no products yet.', next)
}
