import { chargeOf } from '../partners/payments/charge.ts'
import type { CallbackReport, ReportedDispute } from '../partners/payments/provider.ts'
import type { Connection } from '../store/payments/provider-keys.ts'
import { disputableSince } from './disputable-since.ts'
import { type OpenedKey, openProviderKey, type PaymentContext } from './open-key.ts'

/**
 * Reads the payment, refund or dispute that an unsigned callback names from the provider's API. Only the API's response
 * has an effect. Throws if the provider does not respond, so that the callback is applied later.
 */
export async function confirmReport(
  context: PaymentContext,
  { merchantId, provider: name }: Connection,
  report: CallbackReport,
): Promise<CallbackReport> {
  if (report.is === 'other') return report
  const key = await openProviderKey(context, merchantId, name)
  if (key === undefined) throw new Error(`The merchant has no key for ${name}, so the callback cannot be confirmed.`)
  switch (report.is) {
    case 'charged':
    case 'unmatched':
      return confirmCharge(key, report)
    case 'refund_moved':
      return confirmRefund(key, report)
    case 'dispute':
      return confirmDispute(context, key, report)
  }
}

type Of<Is extends CallbackReport['is']> = Extract<CallbackReport, { is: Is }>

const unreadable: CallbackReport = { is: 'other', reason: 'unreadable' }

async function confirmCharge(
  { provider, secretKey }: OpenedKey,
  { reference }: Of<'charged'> | Of<'unmatched'>,
): Promise<CallbackReport> {
  if (reference === null) return unreadable
  const found = await provider.findPayment(secretKey, reference)
  if (found.is === 'unavailable') throw notConfirmed(found.reason)
  if (found.is === 'missing' || found.report.reference !== reference) return { is: 'other', reason: 'not_found' }
  return found.report.isPaid ? chargeOf(found.report) : { is: 'other', reason: 'not_paid' }
}

/** The provider's id of the refund is the only fact of the callback that counts. */
async function confirmRefund(
  { provider, secretKey }: OpenedKey,
  { reference }: Of<'refund_moved'>,
): Promise<CallbackReport> {
  if (reference === undefined) return unreadable
  const found = await provider.findRefund(secretKey, reference)
  if (found.is === 'unavailable') throw notConfirmed(found.reason)
  if (found.is === 'missing' || found.report.reference !== reference) return { is: 'other', reason: 'not_found' }
  const { status, amountKobo } = found.report
  const names = { refundId: undefined, isForeign: false, transaction: undefined }
  return { is: 'refund_moved', status, reference, amountKobo, ...names }
}

async function confirmDispute(
  context: PaymentContext,
  { provider, secretKey }: OpenedKey,
  { disputeId }: ReportedDispute,
): Promise<CallbackReport> {
  const listed = await provider.listDisputes?.(secretKey, disputableSince(context))
  if (listed?.is !== 'listed') throw notConfirmed(listed?.reason ?? 'unsupported')
  return listed.items.find((each) => each.disputeId === disputeId) ?? { is: 'other', reason: 'not_found' }
}

function notConfirmed(reason: string): Error {
  return new Error(`The payment provider did not confirm a callback: ${reason}.`)
}
