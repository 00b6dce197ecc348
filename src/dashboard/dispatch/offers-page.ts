import { counted } from '../../base/counted.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Content } from '../kit/content.ts'
import { form, hiddenField } from '../kit/form.ts'
import { koboText } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { chosenOrders } from './chosen-orders.ts'
import { choiceOf, fieldOf, usualCashOf } from './form-fields.ts'
import { cashDraft, contentOf, numberPage, numberProblem, orderBlock } from './form-page.ts'
import { liveTotal, offerChoice } from './offer-parts.ts'
import { type OrderOffers, readQuotes } from './offers.ts'
import { getNewOffers, reasonMessage } from './refusals.ts'
import { dispatchPath, fieldsIn, parameterIn } from './step-paths.ts'

/**
 * Shows the offers of the quotes whose ids are in the URL. The member chooses one offer for each order, and dispatches
 * all orders at once.
 */
export async function offersPage(visit: Visit): Promise<Content> {
  const problem = numberProblem(visit.chosenIds)
  if (problem !== undefined) return numberPage(problem)
  const offered = await offersIn(visit)
  const draft = cashDraft(offered)
  const blocks = offered.map((each) => orderBlock(each.order, draft, resultOf(each)))
  const ready = offered.filter(({ result }) => result.is === 'quoted' && result.quote.offers.length > 0).length
  const submit = `Dispatch ${counted(ready, 'order')}`
  const again = { label: 'Get new offers', intent: 'offers' }
  const next =
    ready === 0
      ? form(visit, dispatchPath, html`${blocks}`, { submit: 'Get new offers' })
      : form(visit, dispatchPath, html`${blocks}${liveTotal}${priceHint}`, { submit, other: again })
  const note = visit.query.requoted === undefined ? nothing : html`<p role="status">${requoted}</p>`
  const orders = offered.map(({ order }) => order)
  return contentOf(orders, html`${note}${next}`)
}

const requoted = 'The cash amount was changed, so these are new offers. Nothing has been dispatched yet.'

const priceHint = html`<p class="hint">The price of the chosen offer is the maximum at which a carrier is requested. If the carrier does not accept, up to two other carriers are requested, but only if their offers are not more expensive. Where the price can change, the carrier may charge another amount afterwards; the shipment then shows a problem.</p>`

/**
 * Returns the offers of each order, from the quotes whose ids are in the URL. An order without a valid quote has a
 * message instead of offers.
 */
async function offersIn(visit: Visit): Promise<readonly OrderOffers[]> {
  const fields = fieldsIn(visit)
  const orders = await chosenOrders(visit, fields.id)
  const choices = orders.map((order) => {
    const choice = choiceOf(fields, order)
    return 'order' in choice ? choice : { order, cashKobo: usualCashOf(order), quoteId: undefined }
  })
  const quotes = await readQuotes(visit, choices)
  return choices.map(({ order, cashKobo, quoteId }): OrderOffers => {
    const quote = quoteId === undefined ? undefined : quotes.get(quoteId)
    if (quote?.orderId === order.id) return { order, cashKobo, result: { is: 'quoted', quote } }
    const message = reasonMessage(parameterIn(visit, 'reason', order.id) ?? '') ?? getNewOffers
    return { order, cashKobo, result: { is: 'refused', message } }
  })
}

function resultOf({ order: { id }, result }: OrderOffers): Markup {
  if (result.is === 'refused') return html`<p class="problem">${result.message}</p>`
  const { quote } = result
  const quoted =
    quote.codAmountKobo === null ? nothing : hiddenField(fieldOf('quoted', id), koboText(quote.codAmountKobo))
  return html`${hiddenField(fieldOf('quote', id), quote.id)}${quoted}${offerChoice(quote, fieldOf('offer', id))}`
}
