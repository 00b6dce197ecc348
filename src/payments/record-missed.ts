import type { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import {
  type PaymentEvents,
  type ProviderPayment,
  paymentEvents,
  type RecordPaymentOutcome,
  recordProviderPayment,
} from '../commerce/orders/record-payment.ts'
import {
  type ProviderRefund,
  type ProviderRefundEvents,
  providerRefundEvents,
  type RecordProviderRefundOutcome,
  recordProviderRefund,
} from '../commerce/refunds/record-provider-refund.ts'
import { findMerchant } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { mutate, type Tenant } from '../store/core/mutation.ts'
import { notifyOnce } from './notify.ts'
import type { VerifyContext } from './verify-payment.ts'

/**
 * Records payments and refunds that the daily comparison finds at the provider and whose callback was lost or unclear,
 * as the callback would.
 */

/** A charge that names an order of the merchant and is not recorded yet. */
export interface UnrecordedCharge {
  readonly orderId: OrderId
  readonly charge: ProviderPayment
}

/** A refund that is not recorded yet: it was made in the provider's dashboard, for a payment that is recorded. */
export interface UnrecordedRefund extends ProviderRefund {
  readonly reference: string
}

const worker = systemActor('reconcile_payments')

/**
 * Records a charge at most once, because its reference is unique. A charge that cannot be recorded, for example because
 * its order is unknown, is still reported as a difference.
 */
export async function recordMissedCharge(
  context: VerifyContext,
  merchantId: MerchantId,
  { orderId, charge }: UnrecordedCharge,
): Promise<void> {
  const mutation = {
    ...{
      tenant: await tenantOf(context, merchantId),
      actor: worker,
      action: 'payment.record',
      resourceType: 'payment',
    },
    resourceId: (outcome: RecordPaymentOutcome) => (outcome.is === 'recorded' ? outcome.payment.id : undefined),
    emits: paymentEvents,
  } as const
  const outcome = await mutate<RecordPaymentOutcome, PaymentEvents>(context, mutation, async (work) => {
    const recorded = await recordProviderPayment(work, orderId, charge)
    return recorded.is === 'recorded' ? recorded : work.abort(recorded)
  })
  if (outcome.is === 'recorded') {
    context.log.warn(
      { merchantId, orderId, paymentId: outcome.payment.id },
      'A payment whose callback was lost was recorded.',
    )
  }
}

/** Records a refund from the provider's list, and notifies the merchant once if it cannot be recorded. */
export async function recordMissedRefund(
  context: VerifyContext,
  merchantId: MerchantId,
  refund: UnrecordedRefund,
): Promise<void> {
  const mutation = {
    tenant: await tenantOf(context, merchantId),
    actor: worker,
    action: 'refund.record',
    resourceType: 'refund',
    resourceId: (outcome: RecordProviderRefundOutcome) => (outcome.is === 'recorded' ? outcome.id : undefined),
    emits: providerRefundEvents,
  } as const
  const outcome = await mutate<RecordProviderRefundOutcome, ProviderRefundEvents>(context, mutation, async (work) => {
    const recorded = await recordProviderRefund(work, refund)
    return recorded.is === 'recorded' ? recorded : work.abort(recorded)
  })
  if (outcome.is !== 'exceeds_refundable') return
  const { transaction, amountKobo } = refund
  await notifyOnce(context, merchantId, {
    kind: 'refund.not_recorded',
    data: { orderId: outcome.orderId, transaction, amountKobo },
  })
}

async function tenantOf({ database }: VerifyContext, merchantId: MerchantId): Promise<Tenant> {
  const merchant = await findMerchant(database, merchantId)
  if (merchant === undefined) throw new Error(`Merchant ${merchantId} is gone.`)
  return { merchantId, mode: merchant.mode }
}
