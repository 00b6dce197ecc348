import type { RefundDestination } from '../../../registry/refunds/refund-states.ts'

export const destinations: Readonly<Record<RefundDestination, string>> = {
  original_payment: 'the original payment method',
  bank_account: 'a bank account',
  manual: 'the customer, whom the shop pays directly',
}
