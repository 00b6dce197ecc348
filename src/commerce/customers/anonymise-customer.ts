import type { Customer } from '../../../registry/customers/customer.ts'
import type { CustomerId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { deleteAddresses } from '../../store/customers/addresses.ts'
import { lockCustomer, updateCustomer } from '../../store/customers/customer-writes.ts'
import {
  findStoredRecords,
  lockOrdersOf,
  redactOrdersOf,
  rewriteStoredRecords,
} from '../../store/customers/redact-customer.ts'
import {
  listOrdersWithActiveShipments,
  lockQuotesOf,
  redactShipmentsOf,
} from '../../store/logistics/shipments/redact-shipments.ts'
import { type BlockingOrders, blockingOf } from './blocking-orders.ts'
import { changesOf, noteChanges } from './customer-changes.ts'
import { noConsents } from './marketing.ts'
import {
  newRedactedEmail,
  redactedAccountNumber,
  redactedAddress,
  redactedName,
  redactedPlace,
  redactedText,
  redactIn,
} from './redact-person.ts'

export type AnonymiseCustomerOutcome =
  | { readonly is: 'anonymised'; readonly customer: Customer }
  | { readonly is: 'customer_unknown' }
  | ({ readonly is: 'has_open_orders' } & BlockingOrders)

/**
 * Anonymises the personal data of a customer, in the customer record and in every copy. Locks the customer before the
 * orders, in the same sequence as order creation. An anonymisation therefore waits for an order that is being created,
 * and is then rejected because of this order. An order creation that starts later finds the customer already
 * anonymised.
 */
export async function anonymiseCustomer(
  work: Work<'customer.updated'>,
  id: CustomerId,
): Promise<AnonymiseCustomerOutcome> {
  const { trx, merchantId, now } = work
  const person = { merchantId, customerId: id }
  const [customer, , orders, inShipment] = await Promise.all([
    lockCustomer(trx, merchantId, id, 'including_deleted'),
    lockQuotesOf(trx, person),
    lockOrdersOf(trx, person),
    listOrdersWithActiveShipments(trx, person),
  ])
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  if (customer.status === 'anonymised') {
    return work.abort({ is: 'anonymised', customer })
  }
  const blocking = blockingOf(orders, inShipment)
  if (blocking.count > 0) return { is: 'has_open_orders', ...blocking }
  const stored = await findStoredRecords(trx, person)
  const anonymised = anonymisedCustomer(customer, now)
  const { name, email } = anonymised
  updateCustomer(trx, merchantId, anonymised)
  const addressIds = customer.addresses.map((address) => address.id)
  deleteAddresses(trx, { ...person, now }, addressIds)
  const addressPatch = JSON.stringify(redactedAddress)
  const placeholders = { name, email, addressPatch, accountNumber: redactedAccountNumber, text: redactedText }
  redactOrdersOf(trx, { ...person, ...placeholders, now })
  redactShipmentsOf(trx, { ...person, placePatch: JSON.stringify(redactedPlace), now })
  rewriteStoredRecords(trx, merchantId, {
    events: stored.events.map((event) => ({ ...event, body: redactIn(event.body, email) })),
    responses: stored.responses.map((response) => ({ ...response, body: redactIn(response.body, email) })),
  })
  noteChanges(work, anonymised, changesOf(customer, anonymised))
  work.note({ orders: [orders.length, orders.length] })
  return { is: 'anonymised', customer: anonymised }
}

function anonymisedCustomer(customer: Customer, now: Customer['updatedAt']): Customer {
  return {
    ...customer,
    name: redactedName,
    email: newRedactedEmail(),
    phone: null,
    addresses: [],
    defaultAddressId: null,
    tags: [],
    note: null,
    marketing: noConsents,
    externalReference: null,
    status: 'anonymised',
    metadata: {},
    version: customer.version + 1,
    updatedAt: now,
  }
}
