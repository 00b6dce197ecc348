import type { RefundDestination } from '../../../registry/refunds/refund-states.ts'

/** Texts that say to where the money of a refund is paid. */
export const destinations: Readonly<Record<RefundDestination, string>> = {
  original_payment: 'the original payment method',
  bank_account: 'a bank account',
  manual: 'the customer, whom the merchant pays directly',
}
