import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Visit } from '../kit/visit.ts'
import { atMost, carrierCallsMax } from './at-most.ts'
import type { OrderChoice } from './form-fields.ts'
import { dispatchMessage } from './refusals.ts'

export type Quote = ReplyOf<'createQuote'>

/** The offers for an order, or the reason why there are none. */
export interface OrderOffers {
  readonly order: ListedOrderToShip
  readonly cashKobo: number | undefined
  readonly result:
    | { readonly is: 'quoted'; readonly quote: Quote }
    | { readonly is: 'refused'; readonly code: ErrorCode; readonly message: string }
}

/**
 * Requests offers for the orders. If the form is submitted twice, offers are requested again and other quotes are stored,
 * which expire unused.
 */
export function requestOffers(visit: Visit, choices: readonly OrderChoice[]): Promise<readonly OrderOffers[]> {
  return atMost(carrierCallsMax, choices, async ({ order, cashKobo }): Promise<OrderOffers> => {
    const body = { orderId: order.id, ...(cashKobo === undefined ? {} : { codAmountKobo: cashKobo }) }
    const called = await visit.call('createQuote', { body })
    if (called.is === 'answered') return { order, cashKobo, result: { is: 'quoted', quote: called.reply } }
    const { code } = called.refusal
    return { order, cashKobo, result: { is: 'refused', code, message: dispatchMessage(called.refusal) } }
  })
}
