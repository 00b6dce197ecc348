import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, heading, table } from '../../markup/parts.ts'
import { exportLinks } from '../exports/files.ts'
import type { Called, ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { filterForm, hiddenField, textField } from '../kit/form.ts'
import { nextNote, restNote } from '../kit/next-note.ts'
import { link, mainLink, otherLink, pager, pick, withQuery } from '../kit/parts.ts'
import { filterDraft } from '../kit/refused.ts'
import { page } from '../kit/route.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import { may, type Visit } from '../kit/visit.ts'
import { stockBadge } from './state.ts'

const path = '/stock'
const title = 'Stock'

type Product = ReplyOf<'listProducts'>['data'][number]

interface Row {
  readonly product: Product
  readonly variant: Product['variants'][number]
}

/** Number of products on a page. A product may have many variants, and each variant is a row. */
const pageProducts = '10'

export const stockList = page({
  path,
  permission: 'products:read',
  show: async (visit): Promise<Content> => {
    const query = pick(visit.query, ['q', 'lowStock', 'cursor'])
    const { previous = '' } = visit.query
    const [called, low] = await Promise.all([
      visit.call('listProducts', { query: { ...query, limit: pageProducts } }),
      query.q === undefined ? firstLow(visit) : undefined,
    ])
    const refusal = called.is === 'refused' ? called.refusal : undefined
    // The filter for low stock selects products with a variant that is low in stock. Each selected product is shown
    // with only its low variants, because the shop must restock them.
    const shownOf = query.lowStock === 'true' ? lowRowsOf : rowsOf
    const shown = called.is === 'refused' ? [] : called.reply.data.flatMap(shownOf)
    const need = low && needOf([called, low], shown)
    const top = html`${heading(title, actionsOf(visit, need))}${need === undefined ? nothing : nextStep(visit, need)}
${tabs('Views of the stock', path, viewsOf(query))}${filtersOf(filterDraft(query, refusal))}`
    if (called.is === 'refused') return { title, main: html`${top}${empty(called.refusal.message)}` }
    const { pagination } = called.reply
    const list = shown.length === 0 ? none(visit) : variantTable(visit, shown)
    return { title, main: html`${top}${list}${pager(path, { ...query, previous }, pagination.cursor)}` }
  },
})

function rowsOf(product: Product): readonly Row[] {
  return product.variants.map((variant) => ({ product, variant }))
}

function lowRowsOf(product: Product): readonly Row[] {
  return rowsOf(product).filter(({ variant }) => variant.inventory.low)
}

function firstLow(visit: Visit): Promise<Called<'listProducts'>> {
  return visit.call('listProducts', { query: { lowStock: 'true', limit: '1' } })
}

/**
 * The variant that the shop should restock first. `none` if no variant needs to be restocked. `unknown` if no variant
 * was found and an API call was refused, because the refused call could have found a variant.
 */
type Need = Row | 'none' | 'unknown'

/**
 * Returns the variant that the shop should restock first: the first variant that is low in stock. If no variant is low
 * in stock, returns one of `shown` that is sold out and has no low-stock threshold.
 */
function needOf(
  calls: readonly [list: Called<'listProducts'>, low: Called<'listProducts'>],
  shown: readonly Row[],
): Need {
  const [, low] = calls
  const lowRows = low.is === 'answered' ? low.reply.data.flatMap(lowRowsOf) : []
  return [...lowRows, ...shown].find(isToRestock) ?? (calls.some(({ is }) => is === 'refused') ? 'unknown' : 'none')
}

function actionsOf(visit: Visit, need: Need | undefined): Markup {
  const main =
    typeof need === 'object' && may(visit, 'inventory:write') ? mainLink(adjustPath(need), restockLabel(need)) : nothing
  return html`${main}${link('/products', 'Products')}${importLink(visit)}${exportLinks(visit, ['exportProducts'])}`
}

function nextStep(visit: Visit, need: Need): Markup {
  if (!may(visit, 'inventory:write')) return nothing
  return html`${restockNote(need)}<p>Choose “Count” to correct the number of units of a variant.</p>`
}

function restockNote(need: Need): Markup {
  if (need === 'unknown') return nothing
  return need === 'none'
    ? restNote('Nothing to do: no variant is low in stock.')
    : nextNote('Restock the variants that are low or sold out.')
}

function viewsOf({ lowStock }: { readonly lowStock?: string }): readonly Tab[] {
  return [
    { title: 'All', query: {}, count: '', isCurrent: lowStock === undefined },
    { title: 'Low in stock', query: { lowStock: 'true' }, count: '', isCurrent: lowStock === 'true' },
  ]
}

const buttonTitleMax = 30

function restockLabel({ product }: Row): string {
  const letters = Array.from(product.title)
  return `Restock ${letters.length <= buttonTitleMax ? product.title : `${letters.slice(0, buttonTitleMax - 1).join('')}…`}`
}

function isToRestock({ variant: { inventory } }: Row): boolean {
  return inventory.tracked && (inventory.low || inventory.available <= 0)
}

/**
 * The form that adjusts the stock opens with the usual adjustment: a restock if the variant is low on stock or sold
 * out, and otherwise a stock count.
 */
function adjustPath(row: Row): string {
  const given = isToRestock(row) ? { method: 'change', reason: 'restock' } : { method: 'count', reason: 'count' }
  return withQuery(`${path}/${row.variant.id}/adjust`, given)
}

function importLink(visit: Visit): Markup {
  return may(visit, 'products:write') ? link('/imports', 'Import products') : nothing
}

function filtersOf(draft: Draft): Markup {
  const [lowStock] = draft.values.lowStock ?? []
  return filterForm(
    path,
    draft,
    html`${textField(draft, { name: 'q', label: 'Title, brand or SKU', type: 'search' })}${lowStock === undefined ? nothing : hiddenField('lowStock', lowStock)}`,
  )
}

/** On a phone, a variant is a card with its name, state, available units and next step. */
function variantTable(visit: Visit, rows: readonly Row[]): Markup {
  const units = (show: (inventory: Row['variant']['inventory']) => number) => (row: Row) =>
    row.variant.inventory.tracked ? count(show(row.variant.inventory)) : ''
  return table(title, rows, [
    {
      title: 'Variant',
      cell: ({ product, variant }) =>
        html`${link(`${path}/${variant.id}`, product.title)}<small>${variant.title} ${product.status === 'active' ? '' : badge(product.status, 'quiet')}</small>`,
      phone: 'title',
    },
    { title: 'SKU', cell: ({ variant }) => code(variant.sku), phone: 'detail' },
    { title: 'State', cell: ({ variant }) => stockBadge(variant.inventory), phone: 'state' },
    { title: 'Available', cell: units(({ available }) => available), isNumber: true, phone: 'labelled' },
    { title: 'Reserved', cell: units(({ reserved }) => reserved), isNumber: true, phone: 'hidden' },
    { title: 'On hand', cell: units(({ onHand }) => onHand), isNumber: true, phone: 'hidden' },
    ...(may(visit, 'inventory:write') ? [{ title: 'Next step', cell: nextOf, phone: 'detail' } as const] : []),
  ])
}

function nextOf(row: Row): Markup {
  const { tracked } = row.variant.inventory
  if (!tracked) return nothing
  return otherLink(adjustPath(row), isToRestock(row) ? 'Restock' : 'Count', row.variant.sku)
}

function none({ query, ...visit }: Visit): Markup {
  if (Object.keys(query).length > 0) return empty('No variant matches these filters.')
  const next = may(visit, 'products:write')
    ? html`<p>${link('/products/new', 'Create the first product')}, or ${link('/imports', 'import products from a file')}.</p>`
    : nothing
  return empty('There are no products yet.', next)
}
