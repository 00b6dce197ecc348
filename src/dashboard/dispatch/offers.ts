import type { QuoteId } from '../../../registry/values/vocabulary.ts'
import { showOpenQuotes } from '../../logistics/quotes/show-quotes.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Visit } from '../kit/visit.ts'
import { atMost, carrierCallsMax } from './at-most.ts'
import type { OrderChoice } from './form-fields.ts'

export type Quote = ReplyOf<'createQuote'>

export interface RequestedQuote {
  readonly order: ListedOrderToShip
  readonly cashKobo: number | undefined
  readonly result:
    | { readonly is: 'quoted'; readonly quoteId: QuoteId }
    | { readonly is: 'refused'; readonly refusal: Refusal }
}

/**
 * If the form is submitted twice, offers are requested twice. The second request stores further quotes, which do no
 * harm, because unused quotes expire.
 */
export function requestOffers(visit: Visit, choices: readonly OrderChoice[]): Promise<readonly RequestedQuote[]> {
  return atMost(carrierCallsMax, choices, async ({ order, cashKobo }): Promise<RequestedQuote> => {
    const body = { orderId: order.id, ...(cashKobo === undefined ? {} : { codAmountKobo: cashKobo }) }
    const called = await visit.call('createQuote', { body })
    if (called.is === 'answered') return { order, cashKobo, result: { is: 'quoted', quoteId: called.reply.id } }
    return { order, cashKobo, result: { is: 'refused', refusal: called.refusal } }
  })
}

/** The offers that the page shows for an order, or a message if the order has no valid quote. */
export interface OrderOffers {
  readonly order: ListedOrderToShip
  readonly cashKobo: number | undefined
  readonly result:
    | { readonly is: 'quoted'; readonly quote: Quote }
    | { readonly is: 'refused'; readonly message: string }
}

/** Returns the quotes of the member's choices, by quote id. Omits used, expired and unknown quotes. */
export async function readQuotes(
  { service, tenant }: Visit,
  choices: readonly Pick<OrderChoice, 'quoteId'>[],
): Promise<ReadonlyMap<string, Quote>> {
  if (service.logistics === undefined) return new Map()
  const ids = choices.flatMap(({ quoteId }) => quoteId ?? [])
  return showOpenQuotes(service.logistics, tenant, ids)
}
