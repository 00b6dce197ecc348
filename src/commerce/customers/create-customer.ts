import type { Customer, CustomerAddress } from '../../../registry/customers/customer.ts'
import type { CustomerInput } from '../../../registry/customers/customers.ts'
import type { State } from '../../../registry/values/states.ts'
import type { CustomerId } from '../../../registry/values/vocabulary.ts'
import { newAddressId, newCustomerId } from '../../base/records.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { insertAddresses } from '../../store/customers/addresses.ts'
import {
  findCustomerIdByEmail,
  findCustomerIdByReference,
  insertCustomer,
  updateCustomer,
} from '../../store/customers/customer-writes.ts'
import { fillAddress } from './address.ts'
import { changesOf } from './customer-changes.ts'
import { consentsOf, noConsents } from './marketing.ts'

export type CreateCustomerOutcome =
  | { readonly is: 'created'; readonly customer: Customer }
  | { readonly is: 'exists'; readonly existingId: CustomerId }
  | { readonly is: 'reference_in_use'; readonly existingId: CustomerId }

/**
 * Creates a customer whose e-mail address is not in use. If two concurrent calls have the same e-mail address, the
 * unique index rejects one of them. The rejected call is retried and then finds the customer that the other call
 * created.
 */
export async function createCustomer(work: Work, request: CustomerInput): Promise<CreateCustomerOutcome> {
  const { trx, merchantId, now } = work
  const { externalReference } = request
  const [settings, sameEmail, sameReference] = await Promise.all([
    getMerchantSettings(trx, merchantId),
    findCustomerIdByEmail(trx, merchantId, request.email),
    externalReference === undefined ? undefined : findCustomerIdByReference(trx, merchantId, externalReference),
  ])
  if (sameEmail !== undefined) return { is: 'exists', existingId: sameEmail }
  if (sameReference !== undefined) return { is: 'reference_in_use', existingId: sameReference }
  const customer = newCustomer(work, request, settings.defaultState)
  insertCustomer(trx, merchantId, customer)
  if (customer.addresses.length > 0) {
    insertAddresses(trx, { merchantId, customerId: customer.id, now }, customer.addresses)
    updateCustomer(trx, merchantId, customer)
  }
  work.note(changesOf(undefined, customer))
  return { is: 'created', customer }
}

function newCustomer(work: Work, request: CustomerInput, defaultState: State): Customer {
  const { now, nowMs } = work
  const addresses = newAddresses(nowMs, request, defaultState)
  return {
    id: newCustomerId(nowMs),
    name: request.name,
    email: request.email,
    phone: request.phone ?? null,
    addresses,
    defaultAddressId: addresses[0]?.id ?? null,
    tags: request.tags ?? [],
    note: request.note ?? null,
    marketing: consentsOf(noConsents, request.marketing, now),
    ordersCount: 0,
    totalSpentKobo: 0,
    lastOrderAt: null,
    externalReference: request.externalReference ?? null,
    status: 'active',
    metadata: request.metadata ?? {},
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Assigns sorted ids to the addresses of a request. Addresses are read in the order of their ids, and ids of the same
 * millisecond sort randomly, so only sorted ids preserve the order of the request.
 */
function newAddresses(nowMs: number, { addresses = [] }: CustomerInput, defaultState: State): CustomerAddress[] {
  const ids = addresses.map(() => newAddressId(nowMs)).sort()
  return addresses.flatMap((address, index) => {
    const id = ids[index]
    return id === undefined ? [] : [{ id, isDefault: index === 0, ...fillAddress(address, defaultState) }]
  })
}
