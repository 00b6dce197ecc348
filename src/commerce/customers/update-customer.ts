import type { Customer } from '../../../registry/customers/customer.ts'
import type { CustomerPatch } from '../../../registry/customers/customers.ts'
import type { AddressId, CustomerId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import {
  findCustomerIdByEmail,
  findCustomerIdByReference,
  lockCustomer,
  updateCustomer as storeCustomer,
} from '../../store/customers/customer-writes.ts'
import { changesOf, noteChanges } from './customer-changes.ts'
import { consentsOf } from './marketing.ts'

export type UpdateCustomerOutcome =
  | { readonly is: 'updated'; readonly customer: Customer }
  | { readonly is: 'customer_unknown' }
  | { readonly is: 'customer_anonymised' }
  | { readonly is: 'address_unknown'; readonly addressId: AddressId }
  | { readonly is: 'exists'; readonly existingId: CustomerId }
  | { readonly is: 'reference_in_use'; readonly existingId: CustomerId }

/** A patch that changes nothing does not increment the version. */
export async function updateCustomer(
  work: Work<'customer.updated'>,
  id: CustomerId,
  patch: CustomerPatch,
): Promise<UpdateCustomerOutcome> {
  const { trx, merchantId } = work
  const { email, externalReference } = patch
  const [before, sameEmail = id, sameReference = id] = await Promise.all([
    lockCustomer(trx, merchantId, id),
    email === undefined ? undefined : findCustomerIdByEmail(trx, merchantId, email),
    typeof externalReference === 'string' ? findCustomerIdByReference(trx, merchantId, externalReference) : undefined,
  ])
  if (before === undefined) return { is: 'customer_unknown' }
  work.requireVersion(before.version)
  if (before.status === 'anonymised') return { is: 'customer_anonymised' }
  const addressId = patch.defaultAddressId
  if (addressId !== undefined && !before.addresses.some((address) => address.id === addressId)) {
    return { is: 'address_unknown', addressId }
  }
  if (sameEmail !== id) return { is: 'exists', existingId: sameEmail }
  if (sameReference !== id) return { is: 'reference_in_use', existingId: sameReference }
  const after = patched(before, patch, work.now)
  const changes = changesOf(before, after)
  if (Object.keys(changes).length === 0) {
    return work.abort({ is: 'updated', customer: before })
  }
  const customer = { ...after, version: before.version + 1, updatedAt: work.now }
  storeCustomer(trx, merchantId, customer)
  noteChanges(work, customer, changes)
  return { is: 'updated', customer }
}

function patched(before: Customer, patch: CustomerPatch, now: Timestamp): Customer {
  const defaultAddressId = patch.defaultAddressId ?? before.defaultAddressId
  return {
    ...before,
    name: patch.name ?? before.name,
    email: patch.email ?? before.email,
    phone: patch.phone === undefined ? before.phone : patch.phone,
    addresses: before.addresses.map((address) => ({ ...address, isDefault: address.id === defaultAddressId })),
    defaultAddressId,
    tags: patch.tags ?? before.tags,
    note: patch.note === undefined ? before.note : patch.note,
    marketing: consentsOf(before.marketing, patch.marketing, now),
    externalReference: patch.externalReference === undefined ? before.externalReference : patch.externalReference,
    metadata: patch.metadata ?? before.metadata,
  }
}
