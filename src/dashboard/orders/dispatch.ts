import { z } from 'zod'
import { OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import type { Refusal } from '../../http/pipeline/refusal.ts'
import { newDraft } from '../kit/draft.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { dispatchForm, offersForm } from './dispatch-form.ts'

/**
 * Ships an order in two steps. The first one requests offers from the carriers; the second one requests the carriers of these
 * offers, the chosen one first.
 */

const path = '/orders/{id}/dispatch'
const permission = 'logistics:dispatch'

export const dispatchPage = page({
  path,
  permission,
  show: async (visit, { id }) => dispatchForm(visit, await read(visit, 'getOrder', { params: { id } }), newDraft()),
})

const fields = z.strictObject({
  /** The quote with the shown offers. */
  quoteId: QuoteId.optional(),
  offerId: OfferId.optional(),
})

type Fields = z.output<typeof fields>

export const dispatchAction = action({
  path,
  permission,
  done: 'The shipment was requested.',
  fields,
  form: async (visit, { id }, draft) => dispatchForm(visit, await read(visit, 'getOrder', { params: { id } }), draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    // First, so that an unknown order is not found in both steps.
    const order = await read(visit, 'getOrder', { params: { id } })
    if (given.quoteId !== undefined) return dispatch(visit, order, { ...given, quoteId: given.quoteId })
    const called = await visit.call('createQuote', { body: { orderId: order.id }, idempotencyKey: visit.formId })
    if (called.is === 'refused') return refused(called.refusal)
    return { is: 'previewed', content: offersForm(visit, order, called.reply) }
  },
})

interface Order {
  readonly id: string
  readonly number: string
}

async function dispatch(
  visit: Visit,
  { id, number }: Order,
  { quoteId, offerId }: Fields & { readonly quoteId: QuoteId },
): Promise<Acted> {
  const reference = referenceOf(number, quoteId)
  const chosen = offerId === undefined ? {} : { offerId }
  const called = await visit.call('dispatchShipment', { body: { reference, orderId: id, quoteId, ...chosen } })
  if (called.is === 'answered') return { is: 'done', to: `/shipments/${called.reply.id}` }
  return refused(called.refusal)
}

/**
 * Returns the reference of the shipment. A quote is used once, so a form that is submitted twice returns the same shipment.
 * Eight characters of the quote's id tell the shipments of one order apart.
 */
function referenceOf(number: string, quoteId: QuoteId): string {
  return `${number}-${quoteId.slice(-8)}`
}

function refused(refusal: Refusal): Acted {
  if (refusal.code === 'pickup_missing')
    return { is: 'refused', message: 'The merchant has no pickup address. Add one on the page Settings.' }
  return refusedBy(refusal)
}
