import type { BankDetails } from '../../../registry/refunds/bank-account.ts'
import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import { scheduleRefundCheck } from '../../store/refunds/refund-checks.ts'
import { isRefundLost } from '../../store/refunds/refund-claims.ts'
import { lockRefund, setRefundAccount } from '../../store/refunds/refund-writes.ts'
import { findRefund } from '../../store/refunds/refunds.ts'

export type SetBankDetailsOutcome =
  | { readonly is: 'taken'; readonly refund: Refund }
  | { readonly is: 'refund_unknown' }
  | { readonly is: 'not_awaited'; readonly status: Refund['status'] }
  /** A lost dispute already returned the money of the payment to the payer. */
  | { readonly is: 'lost' }

/**
 * Stores the bank account for a refund whose provider could not return the money to the original payment method. A job
 * sends the account to the provider, and the refund continues.
 */
export async function setBankDetails(
  work: Work<'refund.updated'>,
  id: RefundId,
  account: BankDetails,
): Promise<SetBankDetailsOutcome> {
  const { trx, merchantId } = work
  const found = await findRefund(trx, merchantId, id)
  if (found === undefined) return { is: 'refund_unknown' }
  const [, refund] = await Promise.all([lockOrder(trx, merchantId, found.orderId), lockRefund(trx, merchantId, id)])
  if (refund === undefined) return { is: 'refund_unknown' }
  // A second bank account must not replace an account that is being submitted to the provider.
  const isAwaited = refund.status === 'needs_attention' && refund.destination !== 'bank_account'
  if (!isAwaited) return { is: 'not_awaited', status: refund.status }
  if (await isRefundLost(trx, merchantId, id)) return { is: 'lost' }
  setRefundAccount(trx, { merchantId, id }, account)
  scheduleRefundCheck(trx, { merchantId, id }, work.now)
  work.note({ destination: [refund.destination, 'bank_account'], account: [null, '[redacted]'] })
  const updated = await findRefund(trx, merchantId, id)
  if (updated === undefined) throw new Error(`Refund ${id} is locked but was not found.`)
  work.emit('refund.updated', id, { refund: updated, previousStatus: refund.status })
  return { is: 'taken', refund: updated }
}
