import type { Customer } from '../../../registry/customers/customer.ts'
import type { CustomerId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { deleteAddresses } from '../../store/customers/addresses.ts'
import { lockCustomer, updateCustomer } from '../../store/customers/customer-writes.ts'
import {
  findStoredRecords,
  type HeldOrder,
  lockOrdersOf,
  redactOrdersOf,
  rewriteStoredRecords,
} from '../../store/customers/redact-customer.ts'
import {
  listOrdersBeingCarried,
  lockQuotesOf,
  redactShipmentsOf,
} from '../../store/logistics/shipments/redact-shipments.ts'
import { changesOf } from './customer-changes.ts'
import { noConsents } from './marketing.ts'
import {
  newRedactedEmail,
  redactedAccountNumber,
  redactedAddress,
  redactedName,
  redactedPlace,
  redactIn,
} from './redact-person.ts'

export type AnonymiseCustomerOutcome =
  | { readonly is: 'anonymised'; readonly customer: Customer }
  | { readonly is: 'customer_unknown' }
  | { readonly is: 'has_open_orders'; readonly orderIds: readonly OrderId[]; readonly count: number }

/** More would be read by nobody. */
const toldOrdersMax = 20

/**
 * Erases a person from their record and from everything that copied it. The customer is locked before the orders, as
 * whoever creates an order does: an order under way is waited for and then refuses this, one that comes later finds
 * nobody any more.
 */
export async function anonymiseCustomer(work: Work, id: CustomerId): Promise<AnonymiseCustomerOutcome> {
  const { trx, merchantId, now } = work
  const person = { merchantId, customerId: id }
  const [customer, , orders, carried] = await Promise.all([
    lockCustomer(trx, merchantId, id, 'deleted_too'),
    lockQuotesOf(trx, person),
    lockOrdersOf(trx, person),
    listOrdersBeingCarried(trx, person),
  ])
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  if (customer.status === 'anonymised') {
    return work.abort({ is: 'anonymised', customer })
  }
  const open = orders.filter((order) => isUnderWay(order) || carried.includes(order.id)).map((order) => order.id)
  if (open.length > 0) {
    return { is: 'has_open_orders', orderIds: open.slice(0, toldOrdersMax), count: open.length }
  }
  const kept = await findStoredRecords(trx, person)
  const forgotten = forgottenCustomer(customer, now)
  const { name, email } = forgotten
  updateCustomer(trx, merchantId, forgotten)
  const addressIds = customer.addresses.map((address) => address.id)
  deleteAddresses(trx, { ...person, now }, addressIds)
  const addressPatch = JSON.stringify(redactedAddress)
  redactOrdersOf(trx, { ...person, name, email, addressPatch, accountNumber: redactedAccountNumber, now })
  redactShipmentsOf(trx, { ...person, placePatch: JSON.stringify(redactedPlace), now })
  rewriteStoredRecords(trx, merchantId, {
    events: kept.events.map((event) => ({ ...event, body: redactIn(event.body, email) })),
    replies: kept.replies.map((reply) => ({ ...reply, body: redactIn(reply.body, email) })),
  })
  work.note({ ...changesOf(customer, forgotten), orders: [orders.length, orders.length] })
  return { is: 'anonymised', customer: forgotten }
}

/** Somebody still has to bring, take back or pay back something, and needs to know to whom. */
function isUnderWay({ status, refundPendingKobo }: HeldOrder): boolean {
  const isOver = status === 'delivered' || status === 'returned' || status === 'cancelled'
  return !isOver || refundPendingKobo > 0
}

function forgottenCustomer(customer: Customer, now: Customer['updatedAt']): Customer {
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
