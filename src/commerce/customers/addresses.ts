import type {
  CustomerAddressInput,
  CustomerAddressPatch,
  DeletedAddress,
  SavedAddress,
} from '../../../registry/customers/addresses.ts'
import type { Customer, CustomerAddress } from '../../../registry/customers/customer.ts'
import {
  type Contradiction,
  contradictionOf,
  stateOfCity,
  stateOfNames,
} from '../../../registry/values/gazetteer/state-of-names.ts'
import { customerAddressesMax } from '../../../registry/values/limits.ts'
import type { AddressId, CustomerId } from '../../../registry/values/vocabulary.ts'
import { newAddressId } from '../../base/records.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { Work } from '../../store/core/mutation.ts'
import { deleteAddresses, insertAddresses, updateAddress as storeAddress } from '../../store/customers/addresses.ts'
import { lockCustomer, updateCustomer } from '../../store/customers/customer-writes.ts'
import { fillAddress } from './address.ts'
import { emitUpdate, isSame } from './customer-changes.ts'

/** Addresses are part of their customer: each change locks the customer and increments the customer's version. */

export type AddressOutcome<Reply> =
  | { readonly is: 'done'; readonly reply: Reply }
  | { readonly is: 'customer_unknown' }
  | { readonly is: 'address_unknown' }

export type CreateAddressOutcome =
  | Exclude<AddressOutcome<SavedAddress>, { is: 'address_unknown' }>
  | { readonly is: 'customer_anonymised' }
  | { readonly is: 'too_many' }

export async function createAddress(
  work: Work<'customer.updated'>,
  customerId: CustomerId,
  input: CustomerAddressInput,
): Promise<CreateAddressOutcome> {
  const { trx, merchantId, now } = work
  const [customer, settings] = await Promise.all([
    lockCustomer(trx, merchantId, customerId),
    getMerchantSettings(trx, merchantId),
  ])
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  if (customer.status === 'anonymised') return { is: 'customer_anonymised' }
  if (customer.addresses.length >= customerAddressesMax) return { is: 'too_many' }
  const isDefault = input.isDefault ?? customer.defaultAddressId === null
  const address = { id: newAddressId(work.nowMs), isDefault, ...fillAddress(input, settings.defaultState) }
  insertAddresses(trx, { merchantId, customerId, now }, [address])
  const version = incrementVersion(work, customer, isDefault ? address.id : customer.defaultAddressId)
  work.note({ customerId: [null, customerId], address: [null, '[redacted]'], isDefault: [null, isDefault] })
  return { is: 'done', reply: { ...address, customerId, version } }
}

export type UpdateAddressOutcome =
  | AddressOutcome<SavedAddress>
  /** The patched address contradicts itself, for example because its city is not in its state. */
  | ({ readonly is: 'contradictory' } & Contradiction)

export async function updateAddress(
  work: Work<'customer.updated'>,
  place: { readonly id: CustomerId; readonly addressId: AddressId },
  patch: CustomerAddressPatch,
): Promise<UpdateAddressOutcome> {
  const { trx, merchantId, now } = work
  const customer = await lockCustomer(trx, merchantId, place.id)
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  const before = customer.addresses.find((address) => address.id === place.addressId)
  if (before === undefined) return { is: 'address_unknown' }
  const after = patched(before, patch)
  const contradiction = isMoved(patch) ? contradictionOf(after) : undefined
  if (contradiction !== undefined) return { is: 'contradictory', ...contradiction }
  const ofCustomer = { customerId: customer.id, version: customer.version }
  if (isSame(before, after)) {
    return work.abort({ is: 'done', reply: { ...before, ...ofCustomer } })
  }
  storeAddress(trx, { merchantId, customerId: customer.id, now }, after)
  const version = incrementVersion(work, customer, after.isDefault ? after.id : customer.defaultAddressId)
  work.note({ address: ['[redacted]', '[redacted]'], isDefault: [before.isDefault, after.isDefault] })
  return { is: 'done', reply: { ...after, ...ofCustomer, version } }
}

function patched(before: CustomerAddress, patch: CustomerAddressPatch): CustomerAddress {
  const sent = Object.entries(patch).filter(([, value]) => value !== undefined)
  // If the patch contains a new city, the state is derived as for a new address. If the patch contains only a new area,
  // the state stays unchanged, because several states may have an area of that name.
  const isMovedTo = patch.city !== undefined && patch.city !== before.city
  const state = patch.state ?? (isMovedTo ? stateOfNames(patch) : stateOfCity(patch.city)) ?? before.state
  return { ...before, ...Object.fromEntries(sent), state }
}

/**
 * Whether a patch changes the city or the state of an address. Only such a patch is checked for contradictions, so
 * other fields can change even if the stored address contradicts itself.
 */
function isMoved({ city, state }: CustomerAddressPatch): boolean {
  return city !== undefined || state !== undefined
}

export async function deleteAddress(
  work: Work<'customer.updated'>,
  place: { readonly id: CustomerId; readonly addressId: AddressId },
): Promise<AddressOutcome<DeletedAddress>> {
  const { trx, merchantId, now } = work
  const customer = await lockCustomer(trx, merchantId, place.id)
  if (customer === undefined) return { is: 'customer_unknown' }
  work.requireVersion(customer.version)
  const address = customer.addresses.find(({ id }) => id === place.addressId)
  if (address === undefined) return { is: 'address_unknown' }
  const [oldest] = customer.addresses.filter(({ id }) => id !== address.id)
  const defaultAddressId = address.isDefault ? (oldest?.id ?? null) : customer.defaultAddressId
  // If the default address is deleted, the oldest other address becomes the default first, because a foreign key of the
  // customer refers to the default address.
  const version = incrementVersion(work, customer, defaultAddressId)
  deleteAddresses(trx, { merchantId, customerId: customer.id, now }, [address.id])
  work.note({ customerId: [customer.id, null], address: ['[redacted]', null], isDefault: [address.isDefault, null] })
  return {
    is: 'done',
    reply: { id: address.id, deleted: true, defaultAddressId, customerId: customer.id, version },
  }
}

/** Sets the customer's default address, increments the customer's version and emits the event. Returns the new version. */
function incrementVersion(
  work: Work<'customer.updated'>,
  customer: Customer,
  defaultAddressId: AddressId | null,
): number {
  const { trx, merchantId, now } = work
  const version = customer.version + 1
  updateCustomer(trx, merchantId, { ...customer, defaultAddressId, version, updatedAt: now })
  const isDefaultMoved = defaultAddressId !== customer.defaultAddressId
  emitUpdate(work, { id: customer.id, version }, ['addresses', ...(isDefaultMoved ? ['defaultAddressId'] : [])])
  return version
}
