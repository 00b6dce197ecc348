import { VariantId } from '../../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { code, count, empty, money, table } from '../../../markup/parts.ts'
import { findVariants, type SellableVariant } from '../../../store/products/variants.ts'
import { type Draft, fieldValue } from '../../kit/draft.ts'
import { described, problemList, textField } from '../../kit/form.ts'
import { variantName } from '../../kit/units.ts'
import type { Visit } from '../../kit/visit.ts'
import type { FoundItems, FoundVariant } from './find-items.ts'
import { quantityField, typedItemsOf } from './values.ts'

/** The variant is undefined if it no longer exists. */
export interface FormItem {
  readonly variantId: string
  readonly variant: SellableVariant | undefined
  /** The price of one unit. Undefined if neither the stored order nor the catalogue has the variant. */
  readonly unitPriceKobo: number | undefined
  /** The total of the item with its discounts. Undefined until the order is previewed. */
  readonly totalKobo: number | undefined
}

export async function readVariants(visit: Visit, draft: Draft): Promise<ReadonlyMap<string, SellableVariant>> {
  const ids = typedItemsOf(draft).flatMap(({ variantId }) => VariantId.safeParse(variantId).data ?? [])
  if (ids.length === 0) return new Map()
  const { merchantId } = visit.tenant
  const variants = await findVariants(visit.context.database, { merchantId, ids })
  return new Map(variants.map((variant) => [variant.variantId, variant]))
}

export function itemFields(draft: Draft, items: readonly FormItem[], found: FoundItems | undefined): Markup {
  const search = textField(draft, {
    ...{ name: 'findItems', label: 'Find a product', type: 'search' },
    hint: 'Title, brand, SKU or barcode. Enter a quantity for each product of the order.',
  })
  return html`<div class="find">${search}<button name="intent" value="preview" aria-label="Search products">Search</button></div>
${items.length === 0 ? nothing : itemTable(draft, items)}${found === undefined ? nothing : foundTable(draft, items, found)}`
}

function itemTable(draft: Draft, items: readonly FormItem[]): Markup {
  return table('Items of the order', items, [
    { title: 'Item', cell: ({ variant, variantId }) => (variant === undefined ? code(variantId) : nameOf(variant)) },
    { title: 'Price', cell: (item) => amountOf(item.unitPriceKobo), isNumber: true },
    { title: 'Available', cell: ({ variant }) => (variant === undefined ? '' : unitsOf(variant)), isNumber: true },
    {
      title: 'Quantity',
      cell: (item) => html`${quantityInput(draft, item.variantId, titleOf(item))}${removeButton(item)}`,
    },
    { title: 'Total', cell: (item) => amountOf(item.totalKobo), isNumber: true },
  ])
}

function foundTable(draft: Draft, items: readonly FormItem[], { variants, isCut }: FoundItems): Markup {
  const chosen = new Set(items.map(({ variantId }) => variantId))
  const left = variants.filter(({ variantId }) => !chosen.has(variantId))
  if (variants.length === 0) return empty('No product for sale matches the search.')
  if (left.length === 0) return nothing
  const more = isCut ? html`<p class="hint">More products match. Type more of the title, or the SKU.</p>` : nothing
  return html`${table('Products found', left, [
    { title: 'Product', cell: nameOf },
    { title: 'Price', cell: ({ priceKobo }) => money(priceKobo), isNumber: true },
    { title: 'Available', cell: unitsOf, isNumber: true },
    { title: 'Quantity', cell: (variant) => quantityInput(draft, variant.variantId, variantName(variant)) },
  ])}${more}`
}

function nameOf({ title, variantTitle, sku }: FoundVariant): Markup {
  return html`${title}<small>${variantTitle} ${code(sku)}</small>`
}

function titleOf({ variant, variantId }: FormItem): string {
  return variant === undefined ? variantId : variantName(variant)
}

function unitsOf(variant: FoundVariant): string {
  if (!variant.isTracked) return 'not tracked'
  const available = count(Math.max(0, variant.available))
  return variant.allowsBackorder ? `${available}, then backorder` : available
}

function amountOf(kobo: number | undefined): Markup {
  return kobo === undefined ? nothing : money(kobo)
}

function quantityInput(draft: Draft, variantId: string, title: string): Markup {
  const name = quantityField(variantId)
  return html`${problemList(draft, name)}<input class="quantity" id="f-${name}" name="${name}" type="text" inputmode="numeric" autocomplete="off" value="${fieldValue(draft, name)}" aria-label="Quantity of ${title}"${described(draft, { name })}>`
}

function removeButton(item: FormItem): Markup {
  return html` <button name="remove" value="${item.variantId}" aria-label="Remove ${titleOf(item)}">Remove</button>`
}
