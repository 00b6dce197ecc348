import type { RefundDestination } from '../../../registry/refunds/refund-states.ts'

/** Where the money of a refund goes. */
export const destinations: Readonly<Record<RefundDestination, string>> = {
  original_payment: 'the original payment method',
  bank_account: 'a bank account',
  manual: 'the customer, by the shop itself',
}
