import { productStatuses } from '../../../registry/products/product-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, heading, money, table } from '../../markup/parts.ts'
import { exportLinks } from '../exports/files.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, select, textField } from '../kit/form.ts'
import { link, mainLink, pager, pick } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'
import { stockBadge } from '../stock/state.ts'
import { mainPicture } from './pictures.ts'
import { productBadge } from './state.ts'

const path = '/products'
const title = 'Products'

type Product = ReplyOf<'listProducts'>['data'][number]

export const productList = page({
  path,
  permission: 'products:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'status', 'stock', 'category', 'tag', 'cursor'])
    const { stock, ...filters } = query
    const asked = { ...filters, ...stockFilters.get(stock) }
    const [called, scanned] = await Promise.all([
      visit.call('listProducts', { query: asked }),
      withBarcode(visit, asked),
    ])
    const refusal = called.is === 'refused' ? called.refusal : undefined
    const top = html`${heading(title, actions(visit))}${filtersOf(filterDraft(query, refusal))}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { data, pagination } = called.reply
    const known = new Set(scanned.map(({ id }) => id))
    const products = [...scanned, ...data.filter(({ id }) => !known.has(id))]
    const list = products.length === 0 ? none(visit) : productTable(products)
    return { title, main: html`${top}${list}${pager(path, query, pagination.cursor)}` }
  },
})

/** The query parameters of the API for each value of the stock filter on the page. */
const stockFilters: ReadonlyMap<string | undefined, { readonly lowStock?: string; readonly inStock?: string }> =
  new Map([
    ['low', { lowStock: 'true' }],
    ['out', { inStock: 'false' }],
  ])

/** Maximum length of a barcode that the API accepts. */
const barcodeMaxLength = 64

/**
 * Returns the products that have the search text as a barcode, for example from a scanner. The first page of the list
 * shows them before other products that match the text.
 */
async function withBarcode(
  visit: Visit,
  { q, cursor, ...filters }: { readonly q?: string; readonly cursor?: string },
): Promise<readonly Product[]> {
  if (q === undefined || cursor !== undefined || q.length > barcodeMaxLength) return []
  const called = await visit.call('listProducts', { query: { ...filters, barcode: q } })
  return called.is === 'refused' ? [] : called.reply.data
}

function actions(visit: Visit): Markup {
  const own = may(visit, 'products:write')
    ? html`${mainLink(`${path}/new`, 'Create product')} ${link('/imports', 'Import products')}`
    : nothing
  return html`${own} ${link('/stock', 'Stock')} ${exportLinks(visit, ['exportProducts'])}`
}

function filtersOf(draft: Draft): Markup {
  const statuses = productStatuses.map((status) => [status, status] as const)
  const stock = [
    ['', 'All stock'],
    ['low', 'Low in stock'],
    ['out', 'Sold out'],
  ] as const
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Title, SKU or barcode', type: 'search' })}
${select(draft, { name: 'status', label: 'Status', choices: [['', 'Active and drafts'], ...statuses] })}
${select(draft, { name: 'stock', label: 'Stock', choices: stock })}
${textField(draft, { name: 'category', label: 'Category' })}
${textField(draft, { name: 'tag', label: 'Tag' })}`,
  )
}

function productTable(products: readonly Product[]): Markup {
  return table(title, products, [
    {
      title: 'Product',
      phone: 'title',
      cell: (product) =>
        html`<span class="with-picture">${mainPicture(product.images)}<span>${link(`${path}/${product.id}`, product.title)}<small>${skusOf(product)}</small></span></span>`,
    },
    { title: 'Price', cell: priceOf, isNumber: true, phone: 'detail' },
    { title: 'Available', cell: availableOf, isNumber: true, phone: 'labelled' },
    { title: 'State', cell: (product) => html`${productBadge(product.status)} ${stockOf(product)}`, phone: 'state' },
  ])
}

function skusOf({ variants }: Product): Markup | string {
  const [first] = variants
  if (first === undefined) return 'no variants'
  return variants.length === 1 ? code(first.sku) : `${count(variants.length)} variants`
}

function priceOf({ priceRange }: Product): Markup {
  if (priceRange === null) return nothing
  const { minKobo, maxKobo } = priceRange
  return minKobo === maxKobo ? money(minKobo) : html`${money(minKobo)} – ${money(maxKobo)}`
}

function availableOf({ variants, totalAvailable }: Product): string {
  if (variants.length === 0) return ''
  return variants.some(({ inventory }) => inventory.tracked) ? count(totalAvailable) : 'not tracked'
}

/**
 * Shows the stock state of the first sold-out variant of a product. If no variant is sold out, shows that of the first
 * variant with low stock.
 */
function stockOf({ variants }: Product): Markup {
  const tracked = variants.map(({ inventory }) => inventory).filter((inventory) => inventory.tracked)
  const found = tracked.find(({ available }) => available <= 0) ?? tracked.find(({ low }) => low)
  return found === undefined ? nothing : stockBadge(found)
}

function none({ query, ...visit }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No product matches these filters.')
  if (!may(visit, 'products:write')) return empty('There are no products yet.')
  return empty(
    'There are no products yet.',
    html`<p>${link(`${path}/new`, 'Create the first product')}, or ${link('/imports', 'import products from a file')}.</p>`,
  )
}
