import { z } from 'zod'
import { isReversible, type OrderStatus, orderStatuses } from '../../../registry/orders/order-states.ts'
import { nairaText } from '../../base/naira.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { chosenIds, version } from '../kit/fields.ts'
import { checkBoxes, form, hiddenField, optionsOf, select } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page, type Question } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { variantName } from '../kit/units.ts'
import { read, type Visit } from '../kit/visit.ts'
import { orderBadge } from './tone.ts'
import { isUnpaidBeforeDispatch, unpaidText } from './unpaid.ts'

const path = '/orders/{id}/transition'
const permission = 'orders:write'

/**
 * The reasons that a member can choose for a status change, with their texts. The API also accepts any other code as a
 * reason.
 */
const reasons = [
  ['handed_to_rider', 'The parcel was handed to a rider'],
  ['collected_in_shop', 'The customer collected the order in the shop'],
  ['received_by_customer', 'The customer confirmed the delivery'],
  ['waiting_for_customer', 'The customer must answer a question'],
  ['waiting_for_stock', 'Units are missing in the shop'],
  ['customer_request', 'The customer asked for the change'],
  ['entered_by_mistake', 'The earlier status was a mistake'],
] as const

const reasonCodes = reasons.map(([code]) => code)

export const transitionPage = page({
  path,
  permission,
  show: (visit, { id }) => formPage(visit, id, newDraft({ to: visit.query.to })),
})

interface Transition {
  /** The status that the order had when the form was shown. */
  readonly from: OrderStatus
  readonly to: OrderStatus
}

/**
 * Returns a confirmation question if the status change cannot be undone, or if the order is unpaid although its goods
 * are about to be prepared, sent or delivered.
 */
async function questionAbout({ from, to }: Transition, visit: Visit, id: string): Promise<Question | undefined> {
  const unpaid = await unpaidAt(visit, id, { from, to })
  const isFinal = !isReversible(from, to)
  if (!isFinal && unpaid === undefined) return undefined
  const status = to.replaceAll('_', ' ')
  const effect = `The order becomes ${status}${isFinal ? ', which cannot be undone' : ''}.`
  if (unpaid !== undefined) {
    const { warning, dueKobo } = unpaid
    return { text: `${warning} ${effect}`, submit: `Set to ${status} although ${nairaText(dueKobo)} is unpaid` }
  }
  return { text: effect, submit: to === 'returned' ? 'Record the return' : `Set to ${status}` }
}

/**
 * Returns the unpaid amount of an order and a warning, if the order should be paid before it gets the new status. Only
 * a status in which the goods are prepared, leave the shop or are delivered needs a warning. Returns undefined if no
 * warning is needed.
 */
async function unpaidAt(visit: Visit, id: string, { from, to }: Transition) {
  const isConcerned = to === 'shipped' || to === 'delivered' || (from === 'pending' && to === 'processing')
  if (!isConcerned) return undefined
  const { paymentMethod, balanceKobo: dueKobo } = await read(visit, 'getOrder', { params: { id } })
  const isExpected = isUnpaidBeforeDispatch({ paymentMethod, dueKobo })
  // An order that is paid on delivery needs no warning before its delivery.
  if (isExpected) return { dueKobo, warning: unpaidText({ paymentMethod, dueKobo }) }
  const isUncollected = to === 'delivered' && dueKobo > 0
  return isUncollected ? { dueKobo, warning: `No payment of ${nairaText(dueKobo)} is recorded.` } : undefined
}

export const transitionAction = action({
  path,
  permission,
  done: 'The status of the order was changed.',
  question: (fields, visit, { id }) => questionAbout(fields, visit, id),
  fields: z.strictObject({
    from: z.enum(orderStatuses),
    to: z.enum(orderStatuses, { error: 'Choose a status.' }),
    version,
    reason: z.enum(reasonCodes, { error: 'Choose a reason from the list.' }).optional(),
    restock: chosenIds,
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { to, version: expected, reason, restock }) => {
    const called = await visit.call('transitionOrder', {
      params: { id },
      version: expected,
      body: {
        to,
        ...(reason === undefined ? {} : { reason }),
        ...(restock.length === 0 ? {} : { restockItemIds: restock }),
      },
    })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    return refusedChange(called.refusal, 'order', { to: 'to', reason: 'reason', restockItemIds: 'restock' })
  },
})

/** A rejected form is shown with the current version of the order and not with the submitted one. */
async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const order = await read(visit, 'getOrder', { params: { id } })
  const { number, status, shipments, allowedTransitions } = order
  const title = `Change the status of ${number}`
  const fields = html`${hiddenField('from', status)}${hiddenField('version', String(order.version))}
${select(draft, { name: 'to', label: 'New status', choices: optionsOf(allowedTransitions.filter((to) => to !== 'cancelled')) })}
${select(draft, { name: 'reason', label: 'Reason', hint: 'Optional. The history of the order shows the reason.', choices: [['', 'No reason'], ...reasons] })}
${allowedTransitions.includes('returned') ? restockBoxes(order, draft) : nothing}`
  const main = html`${heading(title, orderBadge(status, shipments))}
${allowedTransitions.length === 0 ? html`<p>The status is final.</p>` : form(visit, `/orders/${id}/transition`, fields, { submit: 'Change status' })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}

function restockBoxes({ items }: ReplyOf<'getOrder'>, draft: Draft) {
  const choices = items.map((item) => [item.id, variantName(item)] as const)
  return checkBoxes(draft, {
    name: 'restock',
    label: 'Restock',
    hint: 'Only for a return: tick the items that can be sold again.',
    choices,
  })
}
