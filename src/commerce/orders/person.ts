import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Person } from '../../store/discounts/discount-uses.ts'
import type { Buyer } from './price-order.ts'

/**
 * Returns the identifiers of a person. A person may have several customer records, so a limit per customer matches any
 * of these identifiers.
 */
export function personOf(merchantId: MerchantId, { id, email, phone }: Buyer): Person {
  return { merchantId, customerId: id, email, mailbox: mailboxOf(email), phone }
}

/**
 * Normalises an e-mail address, so that all addresses of one mailbox give the same result: most providers ignore case
 * and everything after a plus sign.
 */
export function mailboxOf(email: string): string {
  const [name = '', ...hosts] = email.toLowerCase().split('@')
  const [mailbox = ''] = name.split('+', 1)
  return [mailbox, ...hosts].join('@')
}
