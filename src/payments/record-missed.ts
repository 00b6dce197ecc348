import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { toKobo } from '../commerce/money.ts'
import {
  type ProviderRefund,
  type ProviderRefundEvents,
  providerRefundEvents,
  type RecordProviderRefundOutcome,
  recordProviderRefund,
} from '../commerce/refunds/record-provider-refund.ts'
import { chargeOf } from '../partners/payments/charge.ts'
import { getTenant } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import { mutate, type Tenant } from '../store/core/mutation.ts'
import { reportUnrecordedRefund } from '../store/notifications/resolution.ts'
import type { Connection } from '../store/payments/provider-keys.ts'
import { type UnmatchedPayment, unmatchedPaymentOf } from './callback-outcome.ts'
import { openProviderKey, type PaymentContext } from './open-key.ts'
import { reportUnmatched } from './report-unmatched.ts'
import { recordCharge } from './verify-payment.ts'

/**
 * Records payments and refunds that the daily comparison finds at the provider, because their callback was lost or
 * unclear. The effects are the same as those of the callback.
 */

/**
 * A charge of the provider for which no payment is recorded. The charge either names no order (`unmatched`), or names
 * an order, which may not exist.
 */
export type UnrecordedCharge = ReturnType<typeof chargeOf>

/** A refund that is not recorded yet: it was made in the provider's dashboard, for a payment that is recorded. */
export interface UnrecordedRefund extends Omit<ProviderRefund, 'provider'> {
  readonly reference: string
}

export type RecordMissedChargeOutcome =
  | 'recorded'
  /** The merchant was notified of the charge, now or earlier. */
  | 'unmatched'
  /** A payment with the reference of the charge is already recorded. A member may have recorded it manually. */
  | 'reference_in_use'
  /** The provider did not confirm the charge when the service asked the provider for it. */
  | 'not_confirmed'

const worker = systemActor('reconcile_payments')

/**
 * Records a charge at most once, because its reference is unique. If the charge matches no order, notifies the merchant
 * of it only once.
 */
export async function recordMissedCharge(
  context: PaymentContext,
  connection: Connection,
  listed: UnrecordedCharge,
): Promise<RecordMissedChargeOutcome> {
  const { merchantId, provider } = connection
  const charge = await chargeWithOrder(context, connection, listed)
  if (charge === undefined) return 'not_confirmed'
  const tenant = await getTenant(context.database, merchantId)
  if (charge.is === 'unmatched') return reportMissed(context, { tenant, provider }, unmatchedPaymentOf(charge))
  const { orderId, reference, providerId, paidAt = null } = charge
  const amountKobo = toKobo(charge.amountKobo)
  const outcome = await recordCharge(context, { tenant, actor: worker }, { ...charge, provider, amountKobo })
  switch (outcome.is) {
    case 'recorded':
      context.log.warn(
        { merchantId, orderId, paymentId: outcome.payment.id },
        'A payment whose callback was lost was recorded.',
      )
      return outcome.is
    case 'reference_in_use':
    case 'order_unknown':
    case 'too_large':
      if (outcome.is === 'reference_in_use' && !outcome.isOtherPayment) return outcome.is
      return reportMissed(
        context,
        { tenant, provider },
        { reference, providerId, reason: outcome.is, orderId, amountKobo, paidAt },
      )
  }
}

/**
 * Looks up the order of a charge if the provider lists charges without the ids of their orders. Returns undefined if
 * the provider does not confirm the charge.
 */
async function chargeWithOrder(
  context: PaymentContext,
  { merchantId, provider }: Connection,
  charge: UnrecordedCharge,
): Promise<UnrecordedCharge | undefined> {
  const { reference } = charge
  if (context.providers.get(provider)?.listsOrderIds !== false) return charge
  if (charge.is === 'charged' || charge.reason !== 'no_order' || reference === null) return charge
  const key = await openProviderKey(context, merchantId, provider)
  if (key === undefined) return undefined
  const { findPayment, findPaymentById } = key.provider
  // A reference can have several payments, so the payment is read by the provider's id, if the provider's API supports
  // it.
  const found =
    charge.providerId === null || findPaymentById === undefined
      ? await findPayment(key.secretKey, reference)
      : await findPaymentById(key.secretKey, charge.providerId)
  const isConfirmed = found.is === 'found' && found.report.isPaid && found.report.reference === reference
  return isConfirmed ? chargeOf(found.report) : undefined
}

async function reportMissed(
  context: PaymentContext,
  { tenant, provider }: Pick<Connection, 'provider'> & { readonly tenant: Tenant },
  payment: UnmatchedPayment,
): Promise<RecordMissedChargeOutcome> {
  const outcome = await reportUnmatched(context, { tenant, provider, actor: worker }, payment)
  const { merchantId } = tenant
  const { reason, reference } = payment
  if (outcome === 'reported') {
    context.log.warn(
      { merchantId, reason, reference },
      'The comparison with a payment provider found a payment that cannot be recorded.',
    )
  }
  return outcome === 'reference_in_use' ? outcome : 'unmatched'
}

/** Records a refund from the provider's list, and notifies the merchant once if it cannot be recorded. */
export async function recordMissedRefund(
  context: PaymentContext,
  { merchantId, provider }: Connection,
  refund: UnrecordedRefund,
): Promise<void> {
  const mutation = {
    tenant: await getTenant(context.database, merchantId),
    actor: worker,
    action: 'refund.record',
    resourceType: 'refund',
    resourceId: (outcome: RecordProviderRefundOutcome) => ('id' in outcome ? outcome.id : undefined),
    emits: providerRefundEvents,
  } as const
  const outcome = await mutate<RecordProviderRefundOutcome, ProviderRefundEvents>(context, mutation, async (work) => {
    const recorded = await recordProviderRefund(work, { ...refund, provider })
    return 'id' in recorded ? recorded : work.abort(recorded)
  })
  if (outcome.is !== 'exceeds_refundable') return
  const { transaction, reference, amountKobo } = refund
  const nowMs = context.clock.nowMs()
  const data = JSON.stringify({ orderId: outcome.orderId, transaction, amountKobo })
  const report = { merchantId, id: newId('ntf', nowMs), data, reference, now: toTimestamp(nowMs) }
  await bookkeep(context.database, async (trx) => {
    reportUnrecordedRefund(trx, report)
  })
}
