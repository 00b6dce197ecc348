import { adjustmentReasons } from '../../../registry/products/inventory.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, empty, money, table } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { form, hiddenField, optionsOf, select } from '../kit/form.ts'
import { koboText, link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { stockBadge } from '../stock/state.ts'
import { cellField } from './cell-field.ts'

/** The variants of a product as a table, in which a member corrects prices and stock in one form. */

type Product = ReplyOf<'getProduct'>
export type GridVariant = Product['variants'][number]

/**
 * The hidden field of a row contains the price and the stock that the form shows. Values that the member has not
 * changed are not sent to the API, so two members can change different rows at the same time.
 */
export function shownOf({ priceKobo, inventory }: GridVariant): string {
  return `${priceKobo} ${inventory.onHand}`
}

/**
 * Matches the value of the hidden field in a row of the variant table: the price and the quantity on hand, as shownOf()
 * returns them.
 */
export const shownForm = /^(?<price>\d{1,15}) (?<onHand>\d{1,15})$/

export function variantName({ title, sku }: Pick<GridVariant, 'title' | 'sku'>): string {
  return title === '' ? sku : title
}

/** Values in `draft`, such as those of a rejected form, replace the stored values. */
export function variantGrid(visit: Visit, product: Product, draft: Draft): Markup {
  const { id, variants } = product
  if (variants.length === 0) return empty('The product has no variant yet. Add one before you activate the product.')
  const mayPrice = may(visit, 'products:write')
  const list = variantTable(visit, product, withStored(variants, draft))
  if (!mayPrice) return list
  const reasons = { name: 'reason', label: 'Reason for changes of stock', choices: optionsOf(adjustmentReasons) }
  const isTracked = variants.some(({ inventory }) => inventory.tracked)
  const reason = isTracked && may(visit, 'inventory:write') ? select(withReason(draft), reasons) : nothing
  const shown = variants.map((variant) => hiddenField(`shown-${variant.id}`, shownOf(variant)))
  return form(visit, `/products/${id}`, html`${shown}${list}${reason}`, {
    ...{ submit: 'Save prices and stock', isSecondary: product.status !== 'active' },
  })
}

/**
 * The stored value replaces a submitted value that the member has not changed. Otherwise, the submitted value would
 * undo a change that another member has made in the meantime.
 */
function withStored(variants: readonly GridVariant[], draft: Draft): Draft {
  const values = variants.flatMap(({ id, priceKobo, inventory }) => {
    const shown = shownForm.exec(fieldValue(draft, `shown-${id}`))?.groups
    const entry = (field: string, stored: string, before: string | undefined) => {
      const sent = draft.values[field]?.[0]
      return [field, sent === undefined || sent === before ? stored : sent]
    }
    return [
      entry(`price-${id}`, koboText(priceKobo), shown?.price === undefined ? undefined : koboText(Number(shown.price))),
      entry(`onHand-${id}`, String(inventory.onHand), shown?.onHand),
    ]
  })
  return { ...draft, values: { ...draft.values, ...newDraft(Object.fromEntries(values)).values } }
}

/** Preselects the reason `correction` for stock changes, because most changes on this page correct a mistake. */
function withReason(draft: Draft): Draft {
  return { ...draft, values: { reason: ['correction'], ...draft.values } }
}

function variantTable(visit: Visit, { id: productId, variants }: Product, draft: Draft): Markup {
  const [mayPrice, mayStock] = [may(visit, 'products:write'), may(visit, 'inventory:write')]
  const price = (variant: GridVariant) =>
    mayPrice
      ? cellField(draft, {
          ...{ name: `price-${variant.id}`, inputMode: 'decimal' },
          label: `Price of ${variantName(variant)} in naira`,
        })
      : money(variant.priceKobo)
  const onHand = (variant: GridVariant) => {
    if (!variant.inventory.tracked) return ''
    const label = `Units of ${variantName(variant)} on hand`
    return mayPrice && mayStock
      ? cellField(draft, { name: `onHand-${variant.id}`, inputMode: 'numeric', label })
      : count(variant.inventory.onHand)
  }
  const name = (variant: GridVariant) => {
    const text = variantName(variant)
    const linked = mayPrice ? link(`/products/${productId}/variants/${variant.id}`, text) : text
    return html`${linked}${variant.title === '' ? nothing : html`<small>${code(variant.sku)}</small>`}`
  }
  // The column `Reserved` is shown only if at least one variant has reserved units, because most variants have none.
  const hasReserved = variants.some(({ inventory }) => inventory.reserved > 0)
  const reserved = { title: 'Reserved', cell: reservedOf, isNumber: true } as const
  return table('Variants', variants, [
    { title: 'Variant', cell: name },
    { title: mayPrice ? 'Price in naira' : 'Price', cell: price, isNumber: true },
    { title: 'On hand', cell: onHand, isNumber: true },
    ...(hasReserved ? [reserved] : []),
    { title: 'State', cell: ({ inventory }) => stockBadge(inventory) },
    { title: 'Stock', cell: ({ id }) => link(`/stock/${id}`, 'Movements') },
  ])
}

function reservedOf({ inventory }: GridVariant): string {
  return inventory.reserved === 0 ? '' : count(inventory.reserved)
}
