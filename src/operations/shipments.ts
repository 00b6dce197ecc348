import { normaliseInstant } from '../base/clock.ts'
import { nairaText } from '../base/naira.ts'
import { cancelShipment as cancel } from '../logistics/cancellation/cancel-shipment.ts'
import { capabilitiesOf } from '../logistics/carriers/capabilities.ts'
import { carrierNameOf } from '../logistics/carriers/carrier-names.ts'
import { dispatchShipment as dispatch } from '../logistics/dispatch/dispatch-shipment.ts'
import { showShipment } from '../logistics/shipments/show-shipment.ts'
import { trackingRecord } from '../logistics/tracking/tracking-record.ts'
import { listShipments as listShipmentRows } from '../store/logistics/shipments/shipment-list.ts'
import { findShipment } from '../store/logistics/shipments/shipments.ts'
import { findTracked } from '../store/logistics/shipments/tracking.ts'
import { fingerprintOf } from './execute/idempotency.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'
import { refuseCash, refuseCreation } from './shipment-refusals.ts'

export const listShipments = implement('listShipments', async ({ db, caller, filters, page }) => {
  const { deliveredFrom, ...others } = filters
  const range = { ...timeRangeOf(filters), deliveredFrom: deliveredFrom && normaliseInstant(deliveredFrom) }
  return listShipmentSummaries(db, caller.merchantId, { ...others, ...range }, page)
})

export async function listShipmentSummaries(...request: Parameters<typeof listShipmentRows>) {
  const rows = await listShipmentRows(...request)
  return rows.map(({ statusCode: _, carrier: code, openExceptions, ...row }) => ({
    ...row,
    currency: 'NGN' as const,
    carrier: code === null ? null : { code, name: carrierNameOf(code) },
    openExceptions: [...openExceptions],
  }))
}

export const getShipment = implement('getShipment', async ({ db, caller, params, carriers, refuse }) => {
  const found = await findShipment(db, { merchantId: caller.merchantId, id: params.id })
  if (found === undefined) return refuse('shipment_not_found', `No shipment has the id ${params.id}.`)
  return showShipment({ carriers }, caller, found)
})

export const trackShipment = implement('trackShipment', async ({ db, caller, params, query, ...rest }) => {
  const { carriers, waiting, refuse } = rest
  const key = { merchantId: caller.merchantId, id: params.id }
  const { since, wait = 0 } = query
  const read = async () => {
    const tracked = await findTracked(db, key)
    if (tracked === undefined) return refuse('shipment_not_found', `No shipment has the id ${params.id}.`)
    return trackingRecord(tracked, capabilitiesOf(tracked.carrier, carriers), waiting.now())
  }
  const first = await read()
  const isUnmodified = since === first.version || waiting.isUnmodified(first)
  // A shipment with a final status does not change any more, so the long poll does not wait for it.
  if (wait === 0 || !isUnmodified || first.pollAfterSeconds === 0) return first
  await waiting.wait(key, first, wait * 1000)
  return read()
})

export const dispatchShipment = implement('dispatchShipment', async ({ call, body, refuse }) => {
  const outcome = await dispatch(call, body, fingerprintOf(call.rawBody).toString('hex'))
  switch (outcome.is) {
    case 'shipment':
      return { status: statusOf[outcome.how], reply: outcome.shipment }
    case 'no_carrier_accepted': {
      const { id: shipmentId } = outcome.shipment
      const attempts = outcome.attempts.map(({ carrier, state, outcomeCode }) => ({
        carrier,
        state,
        code: outcomeCode ?? state,
      }))
      if (outcome.isWalletInsufficient) {
        return refuse(
          'carrier_wallet_insufficient',
          'The account of the merchant has insufficient funds with every requested carrier.',
          {
            shipmentId,
            attempts,
          },
        )
      }
      const message = outcome.shipment.statusReason?.message ?? 'No carrier accepted the shipment.'
      return refuse('no_carrier_available', message, { shipmentId, attempts })
    }
    case 'quote_unknown':
      return refuse(
        'quote_not_found',
        `No quote has the id ${body.quoteId}, or the quote does not have the requested offer.`,
      )
    case 'quote_expired': {
      const { expiredAt } = outcome
      const { quoteId = null, offerId = null, priceKobo = null } = outcome.newQuote ?? {}
      const alternative =
        quoteId === null || priceKobo === null ? '' : ` The new quote ${quoteId} costs ${nairaText(priceKobo)}.`
      return refuse('quote_expired', `The offer expired at ${expiredAt}.${alternative}`, {
        expiredAt,
        quoteId,
        offerId,
        priceKobo,
      })
    }
    case 'quote_used': {
      const { shipmentId } = outcome
      return refuse('quote_already_used', `Shipment ${shipmentId} was created with the quote.`, { shipmentId })
    }
    case 'quote_mismatch': {
      const { field } = outcome
      return refuse('quote_mismatch', `${field} differs from the quote.`, { field })
    }
    case 'ceiling_too_low': {
      const { cheapestKobo } = outcome
      return refuse(
        'price_ceiling_too_low',
        `The cheapest offer costs ${nairaText(cheapestKobo)}, which is above the price ceiling.`,
        { cheapestKobo },
      )
    }
    case 'cod_exceeds_due':
      return refuseCash(refuse, outcome)
    case 'proof_not_offered': {
      const proof = [...outcome.proof]
      return refuse('proof_not_offered', `The offer does not support ${proof.join(' and ')} as proof of delivery.`, {
        proof,
      })
    }
    case 'window_missed': {
      const windows = [...outcome.windows]
      return refuse('window_missed', `No offer of the quote meets the ${windows.join(' and ')}.`, { windows })
    }
    default:
      return refuseCreation(refuse, body, outcome)
  }
})

const statusOf = { created: 201, in_progress: 202, existing: 200, dry_run: 200 } as const

export const cancelShipment = implement('cancelShipment', async ({ call, params, body, refuse }) => {
  const outcome = await cancel(call, params.id, body)
  switch (outcome.is) {
    case 'shipment':
      return { status: outcome.isConfirmed ? 200 : 202, reply: outcome.shipment }
    case 'shipment_unknown':
      return refuse('shipment_not_found', `No shipment has the id ${params.id}.`)
    case 'not_cancellable': {
      const { status } = outcome
      return refuse('shipment_not_cancellable', `Shipment ${params.id} is ${status} and cannot be cancelled.`, {
        status,
      })
    }
    case 'fee_required': {
      const { feeKobo } = outcome
      return refuse('cancellation_fee_required', `The carrier charges ${nairaText(feeKobo)} for the cancellation.`, {
        feeKobo,
      })
    }
  }
})
