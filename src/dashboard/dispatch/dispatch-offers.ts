import { z } from 'zod'
import type { QuoteId } from '../../../registry/values/vocabulary.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import { findOfferPrice } from '../../store/logistics/quotes/quotes.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { Called, CallInput } from '../kit/call.ts'
import type { Visit } from '../kit/visit.ts'
import { atMost, carrierCallsMax } from './at-most.ts'
import type { OrderChoice } from './form-fields.ts'
import type { Reason } from './refusals.ts'

/** The order or the return whose units a shipment transports, and the chosen offer. */
export interface ChosenOffer {
  readonly of: { readonly orderId: string; readonly codAmountKobo?: number } | { readonly returnId: string }
  /** The number of the order, which is part of the reference of the shipment. */
  readonly number: string
  readonly quoteId: QuoteId
  readonly offerId: OrderChoice['offerId']
}

/**
 * Dispatches a shipment. Requests the carriers of the quote, the chosen carrier first. The price of the chosen offer is
 * the maximum price.
 */
export async function dispatchOffer(
  visit: Visit,
  { of, number, quoteId, offerId }: ChosenOffer,
): Promise<Called<'dispatchShipment'>> {
  const key = { merchantId: visit.tenant.merchantId, id: quoteId }
  const maxPriceKobo = offerId && (await findOfferPrice(visit.context.database, key, offerId))
  const body: CallInput<'dispatchShipment'>['body'] = {
    ...{ reference: referenceOf(number, quoteId), ...of, quoteId },
    ...(offerId === undefined ? {} : { offerId }),
    ...(maxPriceKobo === undefined ? {} : { failover: { maxPriceKobo } }),
  }
  return visit.call('dispatchShipment', { body })
}

/**
 * Returns the external reference of the shipment to create. It contains eight characters of the quote id, and a quote
 * is used only once. If the form is submitted twice, both requests therefore have the same reference and get the same
 * shipment.
 */
function referenceOf(number: string, quoteId: QuoteId): string {
  return `${number}-${quoteId.slice(-8)}`
}

export interface DispatchOutcome {
  readonly order: ListedOrderToShip
  readonly cashKobo: number | undefined
  readonly result:
    | { readonly is: 'dispatched'; readonly shipmentId: string }
    /**
     * The order was not dispatched, so it has no active shipment. If a carrier was already requested, `shipmentId` is
     * the shipment that failed.
     */
    | { readonly is: 'refused'; readonly reason: Reason; readonly shipmentId: string | undefined }
    | { readonly is: 'unknown' }
}

/**
 * Time from the start of the request after which no further dispatch starts. A dispatch takes up to 25 seconds, and
 * common proxies end a request after 60 seconds.
 */
const startsWithinMs = 20_000

/** The outcome of one order does not affect another order. */
export function dispatchAll(visit: Visit, choices: readonly OrderChoice[]): Promise<readonly DispatchOutcome[]> {
  const { clock } = visit.context
  return atMost(carrierCallsMax, choices, async (choice): Promise<DispatchOutcome> => {
    const { order, cashKobo } = choice
    const isLate = clock.nowMs() > visit.nowMs + startsWithinMs
    return { order, cashKobo, result: isLate ? notStarted : await dispatchOne(visit, choice) }
  })
}

const notStarted = { is: 'refused', reason: 'not_started', shipmentId: undefined } as const

async function dispatchOne(
  visit: Visit,
  { order, cashKobo, quoteId, offerId }: OrderChoice,
): Promise<DispatchOutcome['result']> {
  if (quoteId === undefined || offerId === undefined)
    return { is: 'refused', reason: 'no_offer_chosen', shipmentId: undefined }
  const of = { orderId: order.id, ...(cashKobo === undefined ? {} : { codAmountKobo: cashKobo }) }
  try {
    const called = await dispatchOffer(visit, { of, number: order.number, quoteId, offerId })
    if (called.is === 'answered') return { is: 'dispatched', shipmentId: called.reply.id }
    const { shipmentId } = FailedShipment.safeParse(called.refusal.details).data ?? {}
    return { is: 'refused', reason: called.refusal.code, shipmentId }
  } catch (error) {
    // A failure is returned as an outcome and not thrown, because all orders of the form are dispatched and each
    // outcome must be shown.
    if (!(error instanceof Refusal)) visit.service.log.error({ err: error, orderId: order.id }, 'A dispatch failed.')
    return { is: 'unknown' }
  }
}

/** Schema of the error details of a rejected dispatch: the id of the shipment, if one was created and failed. */
const FailedShipment = z.object({ shipmentId: z.string().optional() })
