import { html, type Markup, nothing } from '../../../markup/markup.ts'
import { heading, money, section } from '../../../markup/parts.ts'
import type { Content } from '../../kit/content.ts'
import { type Draft, type FieldProblem, fieldValue } from '../../kit/draft.ts'
import { hiddenField, ownFields } from '../../kit/form.ts'
import { link } from '../../kit/parts.ts'
import { root } from '../../kit/root.ts'
import type { Visit } from '../../kit/visit.ts'
import { deliveryFields, discountField, noteField } from './fields.ts'
import { type FoundItems, findItems } from './find-items.ts'
import { type FormItem, itemFields, readVariants } from './items.ts'
import { fieldsOf } from './new-order.ts'
import { changeProblems, changesOf, type Order } from './order-changes.ts'
import { problemsOfRefusal } from './problems.ts'
import { totalFacts } from './totals.ts'
import { distinctProblems, typedItemsOf, withoutRemoved } from './values.ts'

/**
 * Shows the form that edits an order, with the effect of the changes: the new total, and the amount that is then due or
 * overpaid.
 */
export async function editForm(visit: Visit, order: Order, submitted: Draft): Promise<Content> {
  const draft = { ...submitted, values: withoutRemoved(submitted.values) }
  const [search, variants, previewed] = await Promise.all([
    findItems(visit, draft),
    readVariants(visit, draft),
    previewOf(visit, order, draft),
  ])
  const { edited } = previewed
  const problems = distinctProblems([...submitted.problems, ...search.problems, ...previewed.problems])
  const items = typedItemsOf(draft).map(({ variantId }): FormItem => {
    const variant = variants.get(variantId)
    const ofVariant = (item: Order['items'][number]) => item.variantId === variantId
    const unitPriceKobo = order.items.find(ofVariant)?.unitPriceKobo ?? variant?.priceKobo
    return { variantId, variant, unitPriceKobo, totalKobo: edited?.items.find(ofVariant)?.totalKobo }
  })
  const shown = { draft: { ...draft, problems }, items, found: search.found, edited }
  return { title: `Edit ${order.number}`, main: formOf(visit, order, shown), problems }
}

interface Previewed {
  /**
   * The order as it would be after the changes in the form. Undefined if the changes are invalid, or if the dry run of
   * the update rejects them.
   */
  readonly edited: Order | undefined
  readonly problems: readonly FieldProblem[]
}

/** Runs the update of the order as a dry run. */
async function previewOf(visit: Visit, order: Order, draft: Draft): Promise<Previewed> {
  const problems = changeProblems(draft)
  if (problems.length > 0) return { edited: undefined, problems }
  const body = changesOf(draft, order)
  if (Object.keys(body).length === 0) return { edited: order, problems: [] }
  const called = await visit.call('updateOrder', {
    ...{ params: { id: order.id }, body, version: versionOf(draft, order), isDryRun: true },
  })
  if (called.is === 'answered') return { edited: called.reply, problems: [] }
  return { edited: undefined, problems: problemsOfRefusal(called.refusal, fieldsOf(typedItemsOf(draft)), true) }
}

/** Returns the version that the order had when its form was first opened. */
export function versionOf(draft: Draft, order: Order): number {
  const text = fieldValue(draft, 'version')
  return text === '' ? order.version : Number(text)
}

interface Shown {
  readonly draft: Draft
  readonly items: readonly FormItem[]
  readonly found: FoundItems | undefined
  readonly edited: Order | undefined
}

/** The search button is the first button of the form, because the Enter key presses the first button. */
function formOf(visit: Visit, order: Order, { draft, items, found, edited }: Shown): Markup {
  const { id, number } = order
  return html`${heading(`Edit ${number}`)}${edited === undefined ? nothing : changeNote(order, edited)}
<p>The items, the discounts and the shipping price can change until a shipment contains units of the order or the order has a refund. The address can change until units are handed over.</p>
<form method="post" action="${root}/orders/${id}/edit" class="form wide">${ownFields(visit)}${hiddenField('version', String(versionOf(draft, order)))}
${section('Items', itemFields(draft, items, found))}
${section('Delivery', deliveryFields(draft))}
${section('Discounts and note', html`${discountField(draft)}${noteField(draft)}`)}
${section('Total', total(order, edited))}
<div class="buttons"><button name="intent" value="preview">Update the total</button><button class="main" name="intent" value="save">Save the order</button></div>
</form>
<p>${link(`/orders/${id}/edit`, 'Start again without the changes')}</p><p>${link(`/orders/${id}`, 'Back to the order')}</p>`
}

function total(order: Order, edited: Order | undefined): Markup {
  if (edited === undefined) return html`<p class="hint">The total is shown when the problems are corrected.</p>`
  const { totalKobo, balanceKobo, paidKobo } = edited
  const difference = totalKobo - order.totalKobo
  const more = [
    ...(difference === 0 ? [] : [['Total before', money(order.totalKobo)] as const]),
    ...(paidKobo === 0 ? [] : [['Paid', money(paidKobo)] as const]),
    ...(balanceKobo === 0 ? [] : [[balanceKobo > 0 ? 'Due' : 'Overpaid', money(Math.abs(balanceKobo))] as const]),
  ]
  return html`${hiddenField('shownTotal', String(totalKobo))}${totalFacts(edited, more)}`
}

/** If the edit changes the total of the order, states the new total, and how the member can settle the difference. */
function changeNote(order: Order, { totalKobo, balanceKobo }: Order): Markup {
  if (totalKobo === order.totalKobo) return nothing
  const next =
    balanceKobo < 0
      ? 'Refund the overpaid amount after you save the order.'
      : 'A payment link of the order becomes void, because the amount due changes.'
  return html`<p role="status">The total becomes ${money(totalKobo)}. Nothing has been changed yet: check the order, then save it. ${next}</p>`
}
