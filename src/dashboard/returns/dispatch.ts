import { z } from 'zod'
import { OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import { html, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import { dispatchOffer } from '../dispatch/dispatch-offers.ts'
import { offerChoice } from '../dispatch/offer-parts.ts'
import type { Quote } from '../dispatch/offers.ts'
import { hasPickup, noPickup } from '../dispatch/pickup.ts'
import { dispatchMessage } from '../dispatch/refusals.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { form, hiddenField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'

/**
 * Brings the units of a return back in two steps. The first step requests offers from the carriers, and the second step
 * dispatches the shipment with the chosen offer.
 */

const path = '/returns/{id}/dispatch'
const permission = 'logistics:dispatch'

type Return = ReplyOf<'getReturn'>

const readReturn = (visit: Visit, id: string) => read(visit, 'getReturn', { params: { id } })

export const dispatchReturnPage = page({
  path,
  permission,
  show: (visit, { id }) => firstPage(visit, id),
})

export const dispatchReturnAction = action({
  path,
  permission,
  done: 'The return shipment was requested.',
  question: null,
  fields: z.strictObject({
    /** The quote whose offers the form shows. Undefined in the first step, before offers are requested. */
    quoteId: QuoteId.optional(),
    offerId: OfferId.optional(),
  }),
  form: (visit, { id }) => firstPage(visit, id),
  run: async (visit, { id }, { quoteId, offerId }): Promise<Acted> => {
    const found = await readReturn(visit, id)
    const of = { returnId: found.id }
    if (quoteId === undefined) {
      const called = await visit.call('createQuote', { body: of })
      if (called.is === 'refused') return { is: 'refused', message: dispatchMessage(called.refusal) }
      return { is: 'previewed', content: formPage(visit, found, called.reply) }
    }
    const called = await dispatchOffer(visit, { of, number: found.orderNumber, quoteId, offerId })
    if (called.is === 'refused') return { is: 'refused', message: dispatchMessage(called.refusal) }
    return { is: 'done', to: `/shipments/${called.reply.id}` }
  },
})

/**
 * Shows a message instead of the form if the merchant has no default pickup address, because the shipment of a return
 * would have no destination.
 */
async function firstPage(visit: Visit, id: string): Promise<Content> {
  const [found, isReady] = await Promise.all([readReturn(visit, id), hasPickup(visit)])
  if (isReady) return formPage(visit, found)
  const title = titleOf(found)
  return {
    title,
    main: html`${heading(title)}${noPickup(visit)}<p>${link(`/returns/${id}`, 'Back to the return')}</p>`,
  }
}

const titleOf = ({ orderNumber }: Return) => `Dispatch the return of ${orderNumber}`

/** Shows a step of the dispatch of a return: first the form that requests offers, and then the offers of the quote. */
function formPage(visit: Visit, found: Return, quote?: Quote): Content {
  const { id } = found
  const title = titleOf(found)
  const own = `/returns/${id}/dispatch`
  const intro = html`<p>A rider collects the units at the delivery address of the order, and brings them to the pickup address of the shop. The next step shows the offers of the carriers.</p>`
  const offers =
    quote === undefined
      ? nothing
      : html`<p>${placeOf(quote.pickup)} → ${placeOf(quote.dropoff)}</p>${offerChoice(quote, 'offerId')}`
  const hasOffers = quote !== undefined && quote.offers.length > 0
  const fields = html`${hasOffers ? hiddenField('quoteId', quote.id) : nothing}${offers}`
  const submit = quote === undefined ? 'Get offers' : hasOffers ? 'Dispatch' : 'Get new offers'
  const main = html`${heading(title)}${intro}${form(visit, own, fields, { submit })}<p>${link(`/returns/${id}`, 'Back to the return')}</p>`
  return { title, main }
}

function placeOf({ line1, area, state }: Quote['pickup']): string {
  return [line1, area, state].filter((part) => part !== null).join(', ')
}
