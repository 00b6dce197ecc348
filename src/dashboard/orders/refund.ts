import { z } from 'zod'
import { suggestedRefundReasons } from '../../../registry/refunds/refund.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { counted } from '../../base/counted.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { chosenIds, nairaAmount, wholeNumber } from '../kit/fields.ts'
import { hasCode, refusedBy } from '../kit/refused.ts'
import { type Acted, type Asked, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { quantityField, refundForm } from './refund-form.ts'
import { refundQuestion } from './refund-question.ts'
import { refundedUnitsText } from './refund-units.ts'

const path = '/orders/{id}/refund'
const permission = 'refunds:write'

/** The quantity of each order item has a form field of its own, which is named after the item. */
const fields = z
  .object({
    amount: nairaAmount.optional(),
    reason: z.enum(suggestedRefundReasons, { error: 'Choose a reason.' }),
    note: z.string().optional(),
    restock: chosenIds,
    /**
     * The refundable amount that the form showed. The form is rejected if another refund has changed this amount since
     * the form was opened.
     */
    refundable: wholeNumber({ min: 0, max: amountMaxKobo }),
  })
  .catchall(z.union([z.string(), z.array(z.string())]))

type Fields = z.output<typeof fields>
type Items = readonly { readonly itemId: string; readonly quantity: number; readonly restock: boolean }[]

export const refundFormPage = page({
  path,
  permission,
  show: (visit, { id }): Promise<Content> => formPage(visit, id, newDraft()),
})

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  return refundForm(visit, await read(visit, 'getOrder', { params: { id } }), draft)
}

export const createRefundAction = action({
  path,
  permission,
  done: 'The refund was created.',
  question: async (given, visit, { id }): Promise<Asked> => {
    const tried = await tryRefund(visit, id, given)
    if (tried.is !== 'tried') return tried
    const order = await read(visit, 'getOrder', { params: { id } })
    const units = await refundedUnitsText(visit, order, tried.refund)
    return refundQuestion({ ...order, customerName: order.customer.name }, tried.refund, units)
  },
  fields,
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    const tried = await tryRefund(visit, id, given)
    if (tried.is !== 'tried') return tried
    const { body, items } = tried
    const called = await visit.call('createRefund', { body, idempotencyKey: visit.formId })
    return called.is === 'answered'
      ? { is: 'done', to: `/refunds/${called.reply.id}` }
      : refusedBy(called.refusal, fieldsOfPaths(items))
  },
})

/** Runs the refund as a dry run. Returns the refund, or the reason why it would be rejected. */
async function tryRefund(visit: Visit, orderId: string, given: Fields) {
  const items = itemsOf(given)
  const unreadable = items.filter(({ quantity }) => Number.isNaN(quantity))
  if (unreadable.length > 0) return invalid(unreadable, () => 'Enter a whole number.')
  if (given.amount === undefined && items.length === 0)
    return { is: 'refused', field: 'amount', message: 'Enter an amount, or quantities of items.' } as const
  if (given.restock.some((restocked) => !items.some(({ itemId }) => itemId === restocked)))
    return { is: 'refused', field: 'restock', message: 'Enter a quantity for each item to restock.' } as const
  const { amount, reason, note } = given
  const body = {
    ...{ orderId, reason, expectedRefundableKobo: given.refundable },
    ...(amount === undefined ? {} : { amountKobo: amount }),
    ...(note === undefined ? {} : { note }),
    ...(items.length === 0 ? {} : { items: [...items] }),
  }
  const called = await visit.call('createRefund', { body, isDryRun: true })
  if (called.is === 'refused') {
    const { refusal } = called
    if (hasCode(refusal, 'refund_quantity_exceeds'))
      return invalid(
        refusal.details.items,
        (item) => `At most ${counted(item.refundableQuantity, 'unit')} can be refunded.`,
      )
    const { code, message } = refusal
    const isTooMuch = code === 'refund_exceeds_refundable' && amount !== undefined
    return isTooMuch ? ({ is: 'refused', field: 'amount', message } as const) : refusedBy(refusal, fieldsOfPaths(items))
  }
  return { is: 'tried', refund: called.reply, body, items } as const
}

function invalid<Item extends { readonly itemId: string }>(items: readonly Item[], messageOf: (item: Item) => string) {
  const problems = items.map((item) => ({ field: quantityField(item.itemId), message: messageOf(item) }))
  return { is: 'invalid', problems } as const
}

/** The quantity is `NaN` if the text of its field is not a number. */
function itemsOf(given: Fields): Items {
  return Object.entries(given).flatMap(([name, text]) => {
    const itemId = name.startsWith(quantityField('')) ? name.slice(quantityField('').length) : undefined
    if (itemId === undefined || typeof text !== 'string' || text === '0') return []
    const quantity = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    return [{ itemId, quantity, restock: given.restock.includes(itemId) }]
  })
}

function fieldsOfPaths(items: Items): Readonly<Record<string, string>> {
  const quantities = items.map(({ itemId }, index) => [`items[${index}].quantity`, quantityField(itemId)])
  return { amountKobo: 'amount', reason: 'reason', note: 'note', ...Object.fromEntries(quantities) }
}
