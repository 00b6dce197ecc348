import { createHash } from 'node:crypto'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { type ReceivedCallback, type ReceiveOutcome, storeVerified } from '../callbacks/receive-callback.ts'
import type { CallbackReport, PaymentIdentity } from '../partners/payments/provider.ts'
import { providerCallbacks } from '../store/callbacks/inboxes.ts'
import { openProviderKey, type PaymentContext } from './open-key.ts'

/** Verifies a callback from a payment provider and stores its raw body. */
export async function receivePaymentCallback(
  context: PaymentContext,
  { name, isSigned, readCallback }: PaymentIdentity,
  merchant: string,
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const merchantId = MerchantId.safeParse(merchant).data
  const key = merchantId && (await openProviderKey(context, merchantId, name))
  // For a merchant without a key, the service does the same work and returns the same response as for an invalid
  // signature. The sender therefore cannot detect whether the merchant has a key. A key that cannot be decrypted is
  // treated as missing, because the provider sends the callback again later.
  const isVerified = isSigned(received, key?.callbackSecret ?? '')
  if (merchantId === undefined || key === undefined || !isVerified) return { is: 'not_signed' }
  const { kind, report, paymentReference } = readCallback(received.body)
  const content = { kind, subject: subjectOf(report), paymentReference }
  const hash = createHash('sha256').update(received.body).digest()
  return storeVerified(context, providerCallbacks, { merchantId, sender: name, hash, content }, received)
}

/** All callbacks about the same record have the same key. */
function subjectOf(report: CallbackReport): string | null {
  switch (report.is) {
    case 'charged':
    case 'unmatched':
      return report.reference === null ? null : `charge ${report.reference}`
    case 'refund_moved':
      return report.reference === undefined ? null : `refund ${report.reference}`
    case 'dispute':
      return `dispute ${report.disputeId}`
    case 'other':
      return null
  }
}
