import type { Charge, PaymentReport, UnmatchedCharge } from './provider.ts'

/**
 * Callbacks and the daily comparison with the provider both use this function, so a charge whose callback was lost is
 * recorded by the same rules.
 */
export function chargeOf(report: PaymentReport): Charge | UnmatchedCharge {
  const { reference, providerId, amountKobo, currency, method, paidAt, orderId } = report
  const names = { reference, providerId, orderId: orderId ?? null }
  const unmatched = { is: 'unmatched', ...names, amountKobo: null, paidAt: paidAt ?? null } as const
  if (currency === undefined) return { ...unmatched, reason: 'unreadable' }
  // A payment in another currency than naira is not recorded, because its amount is not in kobo.
  if (currency !== 'NGN') return { ...unmatched, reason: 'currency' }
  if (amountKobo === undefined || amountKobo <= 0) return { ...unmatched, reason: 'unreadable' }
  // A payment without a reference is not recorded, because repeated reports of it could not be recognised.
  if (reference === null) return { ...unmatched, reason: 'unreadable', amountKobo }
  if (orderId === undefined) return { ...unmatched, reason: 'no_order', amountKobo }
  return { is: 'charged', orderId, reference, providerId, amountKobo, method, paidAt }
}
