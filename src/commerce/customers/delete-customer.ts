import type { CustomerId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockCustomer, markCustomerDeleted } from '../../store/customers/customer-writes.ts'
import { noteChanges } from './customer-changes.ts'

export type DeleteCustomerOutcome = { readonly is: 'deleted' } | { readonly is: 'customer_unknown' }

/** Soft-deletes a customer. The row stays, because orders and discount redemptions refer to it. */
export async function deleteCustomer(work: Work<'customer.updated'>, id: CustomerId): Promise<DeleteCustomerOutcome> {
  const { trx, merchantId, now } = work
  const customer = await lockCustomer(trx, merchantId, id)
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  markCustomerDeleted(trx, { merchantId, id, now })
  noteChanges(work, { ...customer, version: customer.version + 1 }, { deleted: [false, true] })
  return { is: 'deleted' }
}
