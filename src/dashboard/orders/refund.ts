import { z } from 'zod'
import { amountMaxKobo, refundReasonMaxLength } from '../../../registry/values/limits.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { chosenIds, line, nairaAmount, wholeNumber } from '../kit/fields.ts'
import { koboText } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read } from '../kit/visit.ts'
import { quantityField, refundForm } from './refund-form.ts'
import { refundPreview } from './refund-preview.ts'

const path = '/orders/{id}/refund'
const permission = 'refunds:write'

/** The quantity of each order item has a form field of its own, which is named after the item. */
const fields = z
  .object({
    intent: z.literal('preview').optional(),
    amount: nairaAmount.optional(),
    reason: line(refundReasonMaxLength),
    note: z.string().optional(),
    restock: chosenIds,
    /** The refundable amount that the form showed, so that a form opened before another refund is rejected. */
    refundable: wholeNumber({ min: 0, max: amountMaxKobo }),
  })
  .catchall(z.union([z.string(), z.array(z.string())]))

type Fields = z.output<typeof fields>
type Items = readonly { readonly itemId: string; readonly quantity: number; readonly restock: boolean }[]

export const refundFormPage = page({
  path,
  permission,
  show: async (visit, { id }): Promise<Content> => {
    const order = await read(visit, 'getOrder', { params: { id } })
    return refundForm(visit, order, newDraft())
  },
})

export const createRefundAction = action({
  path,
  permission,
  done: 'The refund was created.',
  question: ({ intent }) =>
    intent === 'preview'
      ? undefined
      : { text: 'The customer gets the money back, which cannot be undone once the money is sent.', submit: 'Refund' },
  fields,
  form: async (visit, { id }, draft) => refundForm(visit, await read(visit, 'getOrder', { params: { id } }), draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    const items = itemsOf(given)
    if (items === undefined) return { is: 'refused', message: 'Enter whole numbers as quantities.' }
    if (given.amount === undefined && items.length === 0)
      return { is: 'refused', field: 'amount', message: 'Enter an amount, or quantities of items.' }
    if (given.restock.some((restocked) => !items.some(({ itemId }) => itemId === restocked)))
      return { is: 'refused', field: 'restock', message: 'Enter a quantity for each item to restock.' }
    const order = await read(visit, 'getOrder', { params: { id } })
    const { amount, reason, note } = given
    const body = {
      ...{ orderId: id, reason, expectedRefundableKobo: given.refundable },
      ...(amount === undefined ? {} : { amountKobo: amount }),
      ...(note === undefined ? {} : { note }),
      ...(items.length === 0 ? {} : { items: [...items] }),
    }
    const isPreview = given.intent === 'preview'
    const how = isPreview ? { isDryRun: true } : { idempotencyKey: visit.formId }
    const called = await visit.call('createRefund', { body, ...how })
    if (called.is === 'refused') return refusedBy(called.refusal, fieldsOfPaths(items))
    const refund = called.reply
    if (!isPreview) return { is: 'done', to: `/refunds/${refund.id}` }
    return { is: 'previewed', content: refundPreview(visit, order, { refund, draft: draftOf(given, items) }) }
  },
})

/** Returns the order items for which the form has a quantity. Undefined if a quantity is not a number. */
function itemsOf(given: Fields): Items | undefined {
  const chosen = Object.entries(given).flatMap(([name, text]) => {
    const itemId = name.startsWith(quantityField('')) ? name.slice(quantityField('').length) : undefined
    return itemId === undefined || typeof text !== 'string' || text === '0' ? [] : [{ itemId, text }]
  })
  if (chosen.some(({ text }) => !/^\d{1,6}$/.test(text))) return undefined
  return chosen.map(({ itemId, text }) => ({ itemId, quantity: Number(text), restock: given.restock.includes(itemId) }))
}

/** Returns the name of the form field for each path in the body of the refund request. */
function fieldsOfPaths(items: Items): Readonly<Record<string, string>> {
  const quantities = items.map(({ itemId }, index) => [`items[${index}].quantity`, quantityField(itemId)])
  return { amountKobo: 'amount', reason: 'reason', note: 'note', ...Object.fromEntries(quantities) }
}

/**
 * If the member entered no amount, the field stays empty, so that the refund amount is computed again when the
 * quantities change.
 */
function draftOf({ amount, reason, note, restock }: Fields, items: Items) {
  const quantities = items.map(({ itemId, quantity }) => [quantityField(itemId), String(quantity)])
  const amountText = amount === undefined ? undefined : koboText(amount)
  return newDraft({ amount: amountText, reason, note, restock, ...Object.fromEntries(quantities) })
}
