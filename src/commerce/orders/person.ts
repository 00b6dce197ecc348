import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Person } from '../../store/discounts/discount-uses.ts'
import type { Buyer } from './price-order.ts'

/** A person may have several records; a limit per customer knows them by any of these signs. */
export function personOf(merchantId: MerchantId, { id, email, phone }: Buyer): Person {
  return { merchantId, customerId: id, mailbox: mailboxOf(email), phone }
}

/** The mailbox an address is delivered to: most providers ignore case, and what follows a plus. */
export function mailboxOf(email: string): string {
  const [name = '', ...hosts] = email.toLowerCase().split('@')
  const [mailbox = ''] = name.split('+', 1)
  return [mailbox, ...hosts].join('@')
}
