import { sql } from 'kysely'
import type { Customer } from '../../../registry/customers/customer.ts'
import type { CustomerId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import { findCustomer } from './customer-records.ts'

const lock = locking<{ merchantId: MerchantId; id: CustomerId }>()('lock_customer', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select('id')
    // This lock conflicts with the `for key share` lock of a transaction that creates an order of this customer, so one
    // of the two transactions waits for the other.
    .forUpdate(),
)

/**
 * Locks a customer and returns it. The lock and the read are two statements, which are sent together. A single
 * statement that waits for the lock would read the other tables as they were before the wait.
 */
export async function lockCustomer(
  trx: WriteTrx,
  merchantId: MerchantId,
  id: CustomerId,
  which: 'not_deleted' | 'including_deleted' = 'not_deleted',
): Promise<Customer | undefined> {
  const [, customer] = await Promise.all([trx.lock(lock, { merchantId, id }), findCustomer(trx, merchantId, id, which)])
  return customer
}

const findByEmail = reading<{ merchantId: MerchantId; email: string }>()('find_customer_by_email', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`lower(email) = lower(${p.email}::text)`)
    .where('deletedAt', 'is', null)
    .select('id'),
)

export async function findCustomerIdByEmail(
  db: ReadDb,
  merchantId: MerchantId,
  email: string,
): Promise<CustomerId | undefined> {
  return (await db.read(findByEmail, { merchantId, email }))[0]?.id
}

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_customer_by_reference', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where('externalReference', '=', p.reference)
    .where('deletedAt', 'is', null)
    .select('id'),
)

export async function findCustomerIdByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<CustomerId | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]?.id
}

const insert = insertingRows('customers')

/** Inserts a customer without its default address, which references an address that does not exist yet. */
export function insertCustomer(trx: WriteTrx, merchantId: MerchantId, customer: Customer): void {
  insert.insert(trx, [
    {
      merchantId,
      id: customer.id,
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      tags: customer.tags,
      note: customer.note,
      marketing: storedMarketing(customer),
      externalReference: customer.externalReference,
      status: customer.status,
      metadata: customer.metadata,
      version: customer.version,
      createdAt: customer.createdAt,
      updatedAt: customer.updatedAt,
    },
  ])
}

/** A channel for which the customer has neither given nor refused consent is not stored. */
function storedMarketing({ marketing }: Customer): object {
  return Object.fromEntries(Object.entries(marketing).filter(([, consent]) => consent.at !== null))
}

interface Rewritten {
  readonly merchantId: MerchantId
  readonly id: CustomerId
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly defaultAddressId: string | null
  readonly tags: readonly string[]
  readonly note: string | null
  readonly storedMarketing: string
  readonly externalReference: string | null
  readonly status: string
  readonly storedMetadata: string
  readonly version: number
  readonly updatedAt: Timestamp
}

const update = writing<Rewritten>()(
  'update_customer',
  (p) => sql`
    update customers
    set
      name = ${p.name},
      email = ${p.email},
      phone = ${p.phone},
      default_address_id = ${p.defaultAddressId},
      tags = ${p.tags}::text[],
      note = ${p.note},
      marketing = ${p.storedMarketing}::jsonb,
      external_reference = ${p.externalReference},
      status = ${p.status},
      metadata = ${p.storedMetadata}::jsonb,
      version = ${p.version},
      updated_at = ${p.updatedAt}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/** Requires the lock of the customer. */
export function updateCustomer(trx: WriteTrx, merchantId: MerchantId, customer: Customer): void {
  trx.queue(update, {
    ...customer,
    merchantId,
    storedMarketing: JSON.stringify(storedMarketing(customer)),
    storedMetadata: JSON.stringify(customer.metadata),
  })
}

export const markCustomerDeleted = queueing<{ merchantId: MerchantId; id: CustomerId; now: Timestamp }>()(
  'mark_customer_deleted',
  (p) => sql`
    update customers
    set deleted_at = ${p.now}::timestamptz, version = version + 1, updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)
