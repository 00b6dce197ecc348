import { paymentMethods } from '../../../../registry/orders/order-states.ts'
import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { heading, money, section } from '../../../markup/parts.ts'
import type { ReplyOf } from '../../kit/call.ts'
import type { Content } from '../../kit/content.ts'
import type { Draft, FieldProblem } from '../../kit/draft.ts'
import { hiddenField, optionsOf, ownFields, select } from '../../kit/form.ts'
import { link } from '../../kit/parts.ts'
import { root } from '../../kit/root.ts'
import type { Visit } from '../../kit/visit.ts'
import {
  type CustomerChoice,
  customerFields,
  readCustomer,
  withDefaultAddress,
  withoutChangedCustomer,
  withPreviewCustomer,
} from './customer.ts'
import { pricesButton, withUsedShipping } from './delivery-prices.ts'
import { deliveryFields, discountField, noteField } from './fields.ts'
import { type FoundItems, findItems } from './find-items.ts'
import { type FormItem, itemFields, readVariants } from './items.ts'
import { buildOrder } from './new-order.ts'
import { problemsOfRefusal, rejectionProblem, shortageProblem } from './problems.ts'
import { storeAddressBox } from './store-address.ts'
import { totalFacts } from './totals.ts'
import { distinctProblems, typedItemsOf, withoutRemoved } from './values.ts'

export const newOrderPath = '/orders/new'

type Preview = ReplyOf<'previewOrder'>

/**
 * Shows the form of a new order with the results of its current values: the found products and customers, prices, stock
 * and the total.
 */
export async function newOrderForm(visit: Visit, submitted: Draft, prices: Markup = nothing): Promise<Content> {
  const values = withoutRemoved(withoutChangedCustomer(withUsedShipping(submitted.values)))
  const [customer, search, variants] = await Promise.all([
    readCustomer(visit, { ...submitted, values }),
    findItems(visit, { ...submitted, values }),
    readVariants(visit, { ...submitted, values }),
  ])
  const draft = withDefaultAddress({ ...submitted, values }, customer.chosen)
  const { preview, problems } = await previewOf(visit, draft, customer)
  const all = distinctProblems([...submitted.problems, ...customer.problems, ...search.problems, ...problems])
  const items = typedItemsOf(draft).map(({ variantId }): FormItem => {
    const variant = variants.get(variantId)
    const totalKobo = preview?.items.find((item) => item.variantId === variantId)?.totalKobo
    return { variantId, variant, unitPriceKobo: variant?.priceKobo, totalKobo }
  })
  const shown = {
    draft: { values: draft.values, problems: all },
    items,
    found: search.found,
    customer,
    preview,
    prices,
  }
  return { title: 'New order', main: formOf(visit, shown), problems: all }
}

interface Previewed {
  /** Undefined if the form is incomplete or invalid. */
  readonly preview: Preview | undefined
  readonly problems: readonly FieldProblem[]
}

async function previewOf(visit: Visit, draft: Draft, { chosen }: CustomerChoice): Promise<Previewed> {
  const built = buildOrder(withPreviewCustomer(draft), defaultAddressOf(chosen))
  if (built.is === 'incomplete') return { preview: undefined, problems: [] }
  if (built.is === 'invalid') return { preview: undefined, problems: built.problems }
  const called = await visit.call('previewOrder', { body: built.body })
  if (called.is === 'refused') return { preview: undefined, problems: problemsOfRefusal(called.refusal, built.fields) }
  const { shortages, rejected } = called.reply
  return { preview: called.reply, problems: [...shortages.map(shortageProblem), ...rejected.map(rejectionProblem)] }
}

/** A new order for the default address also gets the coordinates of the address, for which the form has no fields. */
export function defaultAddressOf(customer: CustomerChoice['chosen']) {
  return customer?.addresses.find(({ id }) => id === customer.defaultAddressId) ?? null
}

interface Shown {
  readonly draft: Draft
  readonly items: readonly FormItem[]
  readonly found: FoundItems | undefined
  readonly customer: CustomerChoice
  readonly preview: Preview | undefined
  /** The delivery prices of the carriers, if the member requested them. */
  readonly prices: Markup
}

/** The first button of the form is a search, because the Enter key presses the first button. */
function formOf(visit: Visit, { draft, items, found, customer, preview, prices }: Shown): Markup {
  return html`${heading('New order')}${preview === undefined ? nothing : notCreated(preview)}
<form method="post" action="${root}${newOrderPath}" class="form wide">${ownFields(visit)}
${section('Items', itemFields(draft, items, found))}
${section('Customer', customerFields(draft, customer))}
${section('Delivery', html`${deliveryFields(draft)}${pricesButton(visit)}${prices}${storeAddressBox(visit, draft)}`)}
${section('Payment', paymentFields(draft))}
${section('Total', total(preview))}
<div class="buttons"><button name="intent" value="preview">Update the total</button><button name="intent" value="create">Create order</button><button class="main" name="intent" value="create-link">Create order and payment link</button></div>
</form>
<p>${link('/orders', 'Back to the orders')}</p>`
}

const sources = [
  ['whatsapp', 'WhatsApp'],
  ['instagram', 'Instagram'],
  ['dashboard', 'Phone'],
  ['pos', 'Shop'],
  ['other', 'Other'],
] as const

function paymentFields(draft: Draft): Markup {
  return html`${discountField(draft)}<div class="columns">
${select(draft, { name: 'paymentMethod', label: 'Payment method', choices: optionsOf(paymentMethods) })}
${select(draft, { name: 'source', label: 'Sales channel', choices: sources })}</div>${noteField(draft)}`
}

function notCreated({ totalKobo }: Preview): Markup {
  return html`<p role="status">The total is ${money(totalKobo)}. Nothing has been created yet: check the order, then create it.</p>`
}

function total(preview: Preview | undefined): Markup {
  if (preview === undefined) return html`<p class="hint">The total is shown when the order has items.</p>`
  return html`${hiddenField('shownTotal', String(preview.totalKobo))}${totalFacts(preview)}`
}
