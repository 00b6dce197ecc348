import { sql } from 'kysely'
import type { CustomerAddress } from '../../../registry/customers/customer.ts'
import type { AddressId, CustomerId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows } from '../core/rows.ts'
import { writing } from '../core/statement.ts'

/** The customer to whom addresses belong. Writing addresses requires the customer's lock. */
export interface AddressOwner {
  readonly merchantId: MerchantId
  readonly customerId: CustomerId
  readonly now: Timestamp
}

const insert = insertingRows('customer_addresses')

export function insertAddresses(trx: WriteTrx, owner: AddressOwner, addresses: readonly CustomerAddress[]): void {
  const { merchantId, customerId, now } = owner
  const rows = addresses.map(({ isDefault, ...address }) => ({
    ...address,
    merchantId,
    customerId,
    createdAt: now,
    updatedAt: now,
  }))
  insert.insert(trx, rows)
}

const update = writing<AddressOwner & CustomerAddress>()(
  'update_address',
  (p) => sql`
    update customer_addresses
    set
      recipient_name = ${p.recipientName},
      phone = ${p.phone},
      line1 = ${p.line1},
      line2 = ${p.line2},
      landmark = ${p.landmark},
      area = ${p.area},
      city = ${p.city},
      state = ${p.state},
      postal_code = ${p.postalCode},
      instructions = ${p.instructions},
      latitude = ${p.latitude},
      longitude = ${p.longitude},
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and customer_id = ${p.customerId} and id = ${p.id}`,
)

export function updateAddress(trx: WriteTrx, owner: AddressOwner, address: CustomerAddress): void {
  trx.queue(update, { ...owner, ...address })
}

const remove = writing<AddressOwner & { addressIds: readonly AddressId[] }>()(
  'delete_addresses',
  (p) => sql`
    delete from customer_addresses
    where merchant_id = ${p.merchantId} and customer_id = ${p.customerId} and id = any(${p.addressIds}::text[])`,
)

export function deleteAddresses(trx: WriteTrx, owner: AddressOwner, addressIds: readonly AddressId[]): void {
  trx.queue(remove, { ...owner, addressIds })
}
