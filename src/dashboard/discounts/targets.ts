import { CustomerId, ProductId } from '../../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { listTargetNames } from '../../store/discounts/target-names.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type Draft, fieldValue } from '../kit/draft.ts'
import { checkBoxes, hiddenField, textField } from '../kit/form.ts'
import type { Acted } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { limitKinds } from './fields.ts'
import { targetIdsOf } from './preview.ts'

/**
 * The part of the discount forms that limits a discount to products and customers. The form shows a check box for each
 * chosen record. A search adds a check box for each record that it finds.
 */

interface Chosen {
  readonly products: readonly string[]
  readonly customers: readonly string[]
  readonly productSearch?: string | undefined
  readonly customerSearch?: string | undefined
}

/**
 * Rejects a form in which the member searched for products or customers but chose none of the results. Otherwise, the
 * discount would apply to all products or customers, which the member did not intend.
 */
export function refusedSearch({ products, customers, productSearch, customerSearch }: Chosen): Acted | undefined {
  const message = 'Search, then choose from the results, or clear this field.'
  if (productSearch !== undefined && products.length === 0) return { is: 'refused', field: 'productSearch', message }
  if (customerSearch !== undefined && customers.length === 0) return { is: 'refused', field: 'customerSearch', message }
  return undefined
}

type Discount = ReplyOf<'getDiscount'>

interface Widening extends Chosen {
  readonly limited: readonly (typeof limitKinds)[number][]
  readonly wholeOrder: boolean
  readonly everyone: boolean
}

/**
 * Prevents a form from removing the limit of a discount to certain products by mistake. Rejects a form without
 * products, unless the member has explicitly removed the limit. Also rejects a form that has products although the
 * member has removed the limit. A discount stays limited even if all its products were deleted after the form was
 * shown. The same rules apply to customers.
 */
export function refusedWidening(form: Widening, discount?: Discount): Acted | undefined {
  const stored = discount === undefined ? noTargets : targetIdsOf(discount)
  const isLimited = (kind: (typeof limitKinds)[number], ids: readonly string[]) =>
    ids.length > 0 || form.limited.includes(kind)
  if (isLimited('products', stored.productIds) && form.wholeOrder !== (form.products.length === 0))
    return { is: 'refused', field: 'wholeOrder', message: 'Choose products, or the whole order, but not both.' }
  if (isLimited('customers', stored.customerIds) && form.everyone !== (form.customers.length === 0))
    return { is: 'refused', field: 'everyone', message: 'Choose customers, or everyone, but not both.' }
  return undefined
}

const foundMax = '10'

type Choices = readonly (readonly [id: string, name: string, more?: string])[]

/**
 * Returns the form fields in which a member chooses the products and customers of a discount. `discount` is the
 * discount that the form edits.
 */
export async function targetFields(visit: Visit, draft: Draft, discount?: Discount): Promise<Markup> {
  const stored = discount === undefined ? noTargets : targetIdsOf(discount)
  const productIds = [...new Set([...stored.productIds, ...idsIn(draft, 'products', ProductId)])]
  const customerIds = [...new Set([...stored.customerIds, ...idsIn(draft, 'customers', CustomerId)])]
  const { database } = visit.context
  const [names, products, customers] = await Promise.all([
    listTargetNames(database, visit.tenant.merchantId, { productIds, customerIds }),
    findProducts(visit, searchText(draft, 'productSearch')),
    findCustomers(visit, searchText(draft, 'customerSearch')),
  ])
  const deleted = new Map<string, string>([
    ...stored.productIds.map((id) => [id, 'Deleted product'] as const),
    ...stored.customerIds.map((id) => [id, 'Deleted customer'] as const),
  ])
  const chosen = (ids: readonly string[]): Choices =>
    ids.flatMap((id) => {
      const name = names.get(id) ?? deleted.get(id)
      return name === undefined ? [] : [[id, name] as const]
    })
  const limited = limitKinds.filter((kind) => wasLimited(draft, kind))
  const isLimited = (kind: (typeof limitKinds)[number], ids: readonly string[]) =>
    ids.length > 0 || limited.includes(kind)
  return html`${limited.map((kind) => hiddenField('limited', kind))}${searchField(draft, { name: 'productSearch', label: 'Search products', hint: 'Part of a title or an SKU. Without chosen products, the discount applies to the whole order.' })}
${boxes(draft, { name: 'products', label: 'Only these products', found: products, chosen: chosen(productIds) })}
${isLimited('products', stored.productIds) ? wholeOrderBox(draft) : nothing}
${searchField(draft, { name: 'customerSearch', label: 'Search customers', hint: 'Part of a name, an e-mail address or a phone number. Without chosen customers, everyone can use the discount.' })}
${boxes(draft, { name: 'customers', label: 'Only these customers', found: customers, chosen: chosen(customerIds) })}
${isLimited('customers', stored.customerIds) ? everyoneBox(draft) : nothing}`
}

/** The button of the search field shows the form again, with the records that the search found. */
function searchField(draft: Draft, field: { readonly name: string; readonly label: string; readonly hint: string }) {
  return html`<div class="find">${textField(draft, { ...field, type: 'search' })}<button name="intent" value="preview">${field.label}</button></div>`
}

/**
 * Whether the form limits the discount to records of this kind, or limited it to such records when the form was last
 * shown. The second case applies even if the records were deleted in the meantime.
 */
function wasLimited({ values }: Draft, kind: (typeof limitKinds)[number]): boolean {
  return values.limited?.includes(kind) === true || (values[kind] ?? []).length > 0
}

const noTargets = { productIds: [], customerIds: [] }

function wholeOrderBox(draft: Draft): Markup {
  const choice = ['yes', 'Apply the discount to the whole order', 'First untick all products.'] as const
  return checkBoxes(draft, { name: 'wholeOrder', label: 'Instead of these products', choices: [choice] })
}

function everyoneBox(draft: Draft): Markup {
  const choice = ['yes', 'Let everyone use the discount', 'First untick all customers.'] as const
  return checkBoxes(draft, { name: 'everyone', label: 'Instead of these customers', choices: [choice] })
}

/**
 * Returns those values of a form field that are well-formed ids. Other values belong to no record, so no check box is
 * shown for them.
 */
function idsIn(draft: Draft, field: string, schema: typeof ProductId | typeof CustomerId): readonly string[] {
  return (draft.values[field] ?? []).filter((id) => schema.safeParse(id).success)
}

function searchText(draft: Draft, field: string): string | undefined {
  const text = fieldValue(draft, field).trim()
  return text.length < searchMinLength ? undefined : text
}

/** Minimum length of a search text, the same as in the API. */
const searchMinLength = 2

type Found = Choices | undefined

async function findProducts(visit: Visit, q: string | undefined): Promise<Found> {
  if (q === undefined) return undefined
  const called = await visit.call('listProducts', { query: { q, limit: foundMax } })
  return called.is === 'refused' ? [] : called.reply.data.map(({ id, title }) => [id, title] as const)
}

async function findCustomers(visit: Visit, q: string | undefined): Promise<Found> {
  if (q === undefined) return undefined
  const called = await visit.call('listCustomers', { query: { q, limit: foundMax } })
  return called.is === 'refused' ? [] : called.reply.data.map(({ id, name, email }) => [id, name, email] as const)
}

interface Boxes {
  readonly name: string
  readonly label: string
  /** Undefined if the member has not searched. */
  readonly found: Found
  readonly chosen: Choices
}

function boxes(draft: Draft, { name, label, found, chosen }: Boxes): Markup {
  const chosenIds = new Set(chosen.map(([id]) => id))
  const choices = [...chosen, ...(found ?? []).filter(([id]) => !chosenIds.has(id))]
  const none = found?.length === 0 ? html`<p class="hint" role="status">The search found nothing.</p>` : nothing
  return html`${none}${choices.length === 0 ? nothing : checkBoxes(draft, { name, label, choices })}`
}
