import type { RefundDestination } from '../../../registry/refunds/refund-states.ts'

/** Texts that name the account or the person to which the money of a refund is paid. */
export const destinations: Readonly<Record<RefundDestination, string>> = {
  original_payment: 'the original payment method',
  bank_account: 'a bank account',
  manual: 'the customer, whom the shop pays directly',
}
