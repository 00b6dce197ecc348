import type { Payment } from '../../registry/orders/payments.ts'
import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import type { OrderId } from '../../registry/values/vocabulary.ts'
import { toKobo } from '../commerce/money.ts'
import {
  type PaymentEvents,
  type ProviderPayment,
  paymentEvents,
  type RecordPaymentOutcome,
  recordProviderPayment,
} from '../commerce/orders/record-payment.ts'
import type { PaymentReport } from '../partners/payments/provider.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Mutation, mutate, type Tenant } from '../store/core/mutation.ts'
import { findOrder } from '../store/orders/orders.ts'
import { openProviderKey, type PaymentContext } from './open-key.ts'

export interface PaymentToVerify {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly provider: PaymentProviderName
  /** The provider's reference of the payment. */
  readonly reference: string
  /** The order of the payment; undefined to use the order named in the payment's metadata. */
  readonly orderId?: OrderId | undefined
  /** The expected amount of the payment in kobo; undefined accepts any amount. */
  readonly amountKobo?: number | undefined
  readonly isDryRun?: boolean
}

export type NotVerifiedReason =
  | 'not_found'
  | 'not_paid'
  | 'other_amount'
  | 'other_order'
  | 'other_currency'
  | 'no_order'

export type VerifyPaymentOutcome =
  | { readonly is: 'recorded'; readonly payment: Payment }
  | Extract<RecordPaymentOutcome, { is: 'reference_in_use' }>
  | { readonly is: 'order_unknown' | 'too_large' }
  /** The merchant has no payment provider key. */
  | { readonly is: 'not_connected' }
  | { readonly is: 'unavailable'; readonly reason: string }
  | { readonly is: 'not_verified'; readonly reason: NotVerifiedReason; readonly report: PaymentReport | undefined }

/**
 * Records a payment that the provider confirms, at most once: a payment reference is unique, whether it comes from a
 * callback or a request. The provider is queried before the transaction begins.
 */
export async function recordVerifiedPayment(
  context: PaymentContext,
  payment: PaymentToVerify,
): Promise<VerifyPaymentOutcome> {
  const { tenant, actor, provider, reference, isDryRun = false } = payment
  const key = await openProviderKey(context, tenant.merchantId, provider)
  if (key === undefined) return { is: 'not_connected' }
  const found = await key.provider.findPayment(key.secretKey, reference)
  if (found.is === 'unavailable') return found
  if (found.is === 'missing') return { is: 'not_verified', reason: 'not_found', report: undefined }
  // If the provider's payment names no order, or an unknown order, the payment is recorded for the order that the
  // request names.
  const named = found.report.orderId
  const isKnown = named === undefined || (await findOrder(context.database, tenant.merchantId, named)) !== undefined
  const checked = check(isKnown ? found.report : { ...found.report, orderId: undefined }, payment)
  if (checked.is !== 'verified') return checked
  const { method, paidAt, providerId } = found.report
  const charge = { provider, amountKobo: toKobo(checked.amountKobo), method, reference, providerId, paidAt }
  return recordCharge(context, { tenant, actor, isDryRun }, { ...charge, orderId: checked.orderId })
}

/** Records a payment that its provider received, in a transaction of its own. */
export function recordCharge(
  context: PaymentContext,
  by: Pick<Mutation<unknown>, 'tenant' | 'actor' | 'isDryRun'>,
  { orderId, ...charge }: ProviderPayment & { readonly orderId: OrderId },
): Promise<RecordPaymentOutcome> {
  const mutation = {
    ...{ ...by, action: 'payment.record' as const, resourceType: 'payment' },
    resourceId: (outcome: RecordPaymentOutcome) => (outcome.is === 'recorded' ? outcome.payment.id : undefined),
    emits: paymentEvents,
  } as const
  return mutate<RecordPaymentOutcome, PaymentEvents>(context, mutation, async (work) => {
    const outcome = await recordProviderPayment(work, orderId, charge)
    return outcome.is === 'recorded' ? outcome : work.abort(outcome)
  })
}

type CheckedPayment =
  | { readonly is: 'verified'; readonly orderId: OrderId; readonly amountKobo: number }
  | Extract<VerifyPaymentOutcome, { is: 'not_verified' }>

function check(report: PaymentReport, { orderId, amountKobo, reference }: PaymentToVerify): CheckedPayment {
  const refuse = (reason: NotVerifiedReason): CheckedPayment => ({ is: 'not_verified', reason, report })
  if (report.reference !== reference) return refuse('not_found')
  const received = report.amountKobo
  if (!report.isPaid || received === undefined || received <= 0) return refuse('not_paid')
  if (report.currency !== 'NGN') return refuse('other_currency')
  if (amountKobo !== undefined && amountKobo !== received) return refuse('other_amount')
  if (orderId !== undefined && report.orderId !== undefined && orderId !== report.orderId) return refuse('other_order')
  const ofOrder = orderId ?? report.orderId
  return ofOrder === undefined ? refuse('no_order') : { is: 'verified', orderId: ofOrder, amountKobo: received }
}
