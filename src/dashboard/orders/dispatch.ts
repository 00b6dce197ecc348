import { z } from 'zod'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import { OfferId, QuoteId } from '../../../registry/values/vocabulary.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { findOfferPrice } from '../../store/logistics/quotes/quotes.ts'
import { nairaAmount } from '../kit/fields.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { dispatchedOrder, dispatchForm, offersForm } from './dispatch-form.ts'

/**
 * Ships an order in two steps. The first step requests offers from the carriers. The second step dispatches the
 * shipment: it requests the carriers that have made an offer, the chosen carrier first.
 */

const path = '/orders/{id}/dispatch'
const permission = 'logistics:dispatch'

export const dispatchPage = page({
  path,
  permission,
  show: async (visit, { id }) => dispatchForm(visit, await read(visit, 'getOrder', { params: { id } })),
})

/** The fields of both steps. */
export const stepFields = z.strictObject({
  /** The quote whose offers the form shows. */
  quoteId: QuoteId.optional(),
  offerId: OfferId.optional(),
  /** Maximum price. If left empty, the price of the chosen offer applies. */
  maxPrice: nairaAmount.optional(),
})

type StepFields = z.output<typeof stepFields>

export const dispatchAction = action({
  path,
  permission,
  done: 'The shipment was requested.',
  question: null,
  fields: stepFields.extend({
    /** Cash that the rider must collect. If left empty, the rider collects none. */
    cash: nairaAmount.optional(),
  }),
  form: async (visit, { id }, draft) => dispatchForm(visit, await read(visit, 'getOrder', { params: { id } }), draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    // The order is read first: both steps of a dispatch return 404 for an unknown order.
    const order = await read(visit, 'getOrder', { params: { id } })
    const { quoteId, cash } = given
    const of = { orderId: order.id, ...(cash === undefined ? {} : { codAmountKobo: cash }) }
    if (quoteId !== undefined) return dispatchOffer(visit, { of, number: order.number }, { ...given, quoteId })
    // If the form is submitted twice, offers are requested again and another quote is stored, which expires unused.
    const called = await visit.call('createQuote', { body: of })
    if (called.is === 'refused') return refusedStep(called.refusal)
    return { is: 'previewed', content: offersForm(visit, dispatchedOrder(order), called.reply) }
  },
})

interface QuotedRecord {
  /** The fields of both requests: the record, and the cash on delivery. */
  readonly of: { readonly orderId: string; readonly codAmountKobo?: number } | { readonly returnId: string }
  /** The number of the order, which is part of the reference of the shipment. */
  readonly number: string
}

/** Runs the second step: dispatches the quote, with the chosen carrier first. */
export async function dispatchOffer(
  visit: Visit,
  { of, number }: QuotedRecord,
  { quoteId, offerId, maxPrice }: StepFields & { readonly quoteId: QuoteId },
): Promise<Acted> {
  const key = { merchantId: visit.tenant.merchantId, id: quoteId }
  const chosenKobo = offerId && (await findOfferPrice(visit.context.database, key, offerId))
  const maxPriceKobo = maxPrice ?? chosenKobo
  const called = await visit.call('dispatchShipment', {
    body: {
      ...{ reference: referenceOf(number, quoteId), ...of, quoteId },
      ...(offerId === undefined ? {} : { offerId }),
      ...(maxPriceKobo === undefined ? {} : { failover: { maxPriceKobo } }),
    },
  })
  if (called.is === 'refused') return refusedStep(called.refusal)
  return { is: 'done', to: `/shipments/${called.reply.id}` }
}

/**
 * Returns the external reference of the shipment, which contains eight characters of the quote id. A quote is used
 * once, so a form that is submitted twice returns the same shipment instead of a second one.
 */
function referenceOf(number: string, quoteId: QuoteId): string {
  return `${number}-${quoteId.slice(-8)}`
}

const getNewOffers = 'The offers have expired or were already used. Get new offers.'

/** Messages for members, by error code. They replace API messages that name fields of a request. */
const messages = {
  pickup_missing: 'The merchant has no pickup address. Add one on the page Settings.',
  order_not_dispatchable:
    'The order cannot be shipped in its current status. If the order is pending, record its payment; if it is on hold, release it.',
  return_not_dispatchable:
    'The return cannot be shipped in its current status: it must be approved, and in no other shipment.',
  order_not_shippable: 'The order does not have a complete shipping address with a name and a phone number.',
  address_imprecise:
    'The shipping address is not precise enough for a rider. Use the API to dispatch the order with the coordinates of the address.',
  no_carrier_available:
    'No carrier accepted the shipment. Get new offers to try again. The page of the shipment shows each dispatch attempt.',
  cod_exceeds_due: 'The cash exceeds the amount that is left to collect for the order. Get new offers with less cash.',
  price_ceiling_too_low: 'Every offer costs more than the maximum price.',
  quote_not_found: getNewOffers,
  quote_expired: getNewOffers,
  quote_already_used: getNewOffers,
  quote_mismatch: getNewOffers,
  reference_conflict: getNewOffers,
} as const satisfies Partial<Record<ErrorCode, string>>

/** Returns the outcome of a rejected step, with a message for members. */
export function refusedStep(refusal: Refusal): Acted {
  const { code } = refusal
  return isExplained(code) ? { is: 'refused', message: messages[code] } : refusedBy(refusal)
}

function isExplained(code: ErrorCode): code is keyof typeof messages {
  return Object.hasOwn(messages, code)
}
