import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, dateTime, facts, type RecordActions, recordHeading, section } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { button } from '../kit/form.ts'
import { link, mainLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { pictures } from './pictures.ts'
import { productBadge } from './state.ts'
import { variantGrid } from './variant-grid.ts'

type Product = ReplyOf<'getProduct'>

/** A member changes the prices and the stock of the product on this page itself. */
export const productPage = page({
  path: '/products/{id}',
  permission: 'products:read',
  show: (visit, { id }) => productContent(visit, id),
})

export async function productContent(visit: Visit, id: string, draft: Draft = newDraft()): Promise<Content> {
  const product = await read(visit, 'getProduct', { params: { id } })
  const { title, status, images, description } = product
  const main = html`${recordHeading(title, productBadge(status), actions(visit, product))}
${pictures(images)}${section('Variants', variantGrid(visit, product, draft))}
${section('Details', html`${description === '' ? nothing : html`<p class="text">${description}</p>`}${overview(product)}`)}
${changes(visit, product)}<p>${link('/products', 'All products')}</p>`
  return { title, main }
}

/**
 * Returns the actions for a product. The main action is adding a variant if the product has none, and activating the
 * product if it is not active. An active product needs no main action here, because the main action of its page is
 * saving prices and stock.
 */
function actions(visit: Visit, { id, status, version, variants }: Product): RecordActions {
  if (!may(visit, 'products:write')) return { more: [] }
  const edit = link(`/products/${id}/edit`, 'Edit product')
  const addition = `/products/${id}/variants/new`
  if (variants.length === 0) return { main: mainLink(addition, 'Add variant'), more: [edit] }
  const more = [link(addition, 'Add variant'), edit]
  if (status === 'active') return { more }
  const hidden = { version: String(version) }
  return { main: button(visit, `/products/${id}/activate`, 'Activate product', { hidden, isMain: true }), more }
}

function overview(product: Product): Markup {
  const { id, options, category, brand, tags, lowStockThreshold, taxExempt, createdAt, updatedAt } = product
  const given: readonly (readonly [name: string, value: Markup | string | null])[] = [
    ...options.map(({ name, values }) => [name, values.join(', ')] as const),
    ['Category', category],
    ['Brand', brand],
    ['Tags', tags.length === 0 ? null : tags.join(', ')],
    ['Low-stock threshold', lowStockThreshold === null ? null : count(lowStockThreshold)],
    ['VAT', taxExempt ? 'exempt' : null],
    ['Created', dateTime(createdAt)],
    ['Changed', dateTime(updatedAt)],
    ['Id', code(id)],
  ]
  return facts(given.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])))
}

function changes(visit: Visit, { id, status, version }: Product): Markup {
  if (!may(visit, 'products:write')) return nothing
  const hidden = { version: String(version) }
  const archive = button(visit, `/products/${id}/archive`, 'Archive product', { hidden, isDangerous: true })
  const remove = button(visit, `/products/${id}/delete`, 'Delete product', { hidden, isDangerous: true })
  const buttons = html`${archive} ${status === 'draft' ? remove : nothing}`
  if (status === 'archived') return nothing
  return section('Status', html`<div class="buttons">${buttons}</div>`)
}
