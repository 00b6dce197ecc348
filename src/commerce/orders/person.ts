import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Person } from '../../store/discounts/discount-uses.ts'
import type { Buyer } from './price-order.ts'

/**
 * Returns the identifiers of a person. A person may have several customer records, so a limit per customer matches any
 * of these identifiers.
 */
export function personOf(merchantId: MerchantId, { id, email, phone }: Buyer): Person {
  return { merchantId, customerId: id, mailbox: mailboxOf(email), phone }
}

/**
 * Returns a form of an e-mail address that is equal for equal mailboxes: most providers ignore case and everything
 * after a plus sign.
 */
export function mailboxOf(email: string): string {
  const [name = '', ...hosts] = email.toLowerCase().split('@')
  const [mailbox = ''] = name.split('+', 1)
  return [mailbox, ...hosts].join('@')
}
