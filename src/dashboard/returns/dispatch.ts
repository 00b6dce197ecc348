import { html, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { dispatchOffer, refusedStep, stepFields } from '../orders/dispatch.ts'
import { type Dispatched, offersForm, stepOf } from '../orders/dispatch-form.ts'

/** Brings the units of a return back, in the same two steps as the dispatch of an order. */

const path = '/returns/{id}/dispatch'
const permission = 'logistics:dispatch'

type Return = ReplyOf<'getReturn'>

const readReturn = (visit: Visit, id: string) => read(visit, 'getReturn', { params: { id } })

export const dispatchReturnPage = page({
  path,
  permission,
  show: async (visit, { id }) => firstStep(visit, await readReturn(visit, id)),
})

export const dispatchReturnAction = action({
  path,
  permission,
  done: 'The return shipment was requested.',
  question: null,
  fields: stepFields,
  form: async (visit, { id }) => firstStep(visit, await readReturn(visit, id)),
  run: async (visit, { id }, given): Promise<Acted> => {
    const found = await readReturn(visit, id)
    const { quoteId } = given
    if (quoteId !== undefined) {
      return dispatchOffer(visit, { of: { returnId: found.id }, number: found.orderNumber }, { ...given, quoteId })
    }
    const called = await visit.call('createQuote', { body: { returnId: found.id } })
    if (called.is === 'refused') return refusedStep(called.refusal)
    return { is: 'previewed', content: offersForm(visit, dispatchedReturn(found), called.reply) }
  },
})

function dispatchedReturn({ id, orderNumber }: Return): Dispatched {
  return { page: `/returns/${id}`, title: `Bring back the return of ${orderNumber}`, back: 'Back to the return' }
}

function firstStep(visit: Visit, found: Return) {
  const intro = html`<p>The next step requests offers from the carriers for the units of the return. Pickup is at the delivery address of the order, and the dropoff at the default pickup address of the merchant.</p>`
  return stepOf(visit, dispatchedReturn(found), { intro, fields: nothing })
}
