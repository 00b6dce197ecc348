import { sql } from 'kysely'
import type { CustomerStatus } from '../../../registry/customers/customer.ts'
import type { CustomerId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { lockingFirst } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'

/** The fields of a customer that a new order needs. */
export interface CustomerSnapshot {
  readonly id: CustomerId
  readonly name: string
  readonly email: string
  readonly phone: string | null
}

/**
 * Locks a customer for a new order. Orders share the lock. A transaction that anonymises or deletes the customer waits
 * for the lock: otherwise an order could be stored with a name that was read before the customer was anonymised.
 */
export const lockCustomerSnapshot = lockingFirst<{ merchantId: MerchantId; id: CustomerId }>()(
  'lock_customer_snapshot',
  (p) =>
    build
      .selectFrom('customers')
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id)
      .where('deletedAt', 'is', null)
      .select(['id', 'name', 'email', 'phone', 'status'])
      .forKeyShare(),
)

const findSnapshot = reading<{ merchantId: MerchantId; id: CustomerId }>()('find_customer_snapshot', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('deletedAt', 'is', null)
    .select(['id', 'name', 'email', 'phone', 'status']),
)

const findByEmail = reading<{ merchantId: MerchantId; email: string }>()('find_customer_snapshot_by_email', (p) =>
  build
    .selectFrom('customers')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`lower(email) = lower(${p.email}::text)`)
    .where('deletedAt', 'is', null)
    .select(['id', 'name', 'email', 'phone', 'status']),
)

/** Returns a customer without a lock, for reads that store nothing. */
export async function findCustomerSnapshot(
  db: ReadDb,
  merchantId: MerchantId,
  by: { readonly id: CustomerId } | { readonly email: string },
): Promise<(CustomerSnapshot & { readonly status: CustomerStatus }) | undefined> {
  const rows =
    'id' in by
      ? await db.read(findSnapshot, { merchantId, id: by.id })
      : await db.read(findByEmail, { merchantId, email: by.email })
  return rows[0]
}

interface UpsertedCustomer {
  readonly merchantId: MerchantId
  readonly id: CustomerId
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly now: Timestamp
}

const hasNewPhone = sql`customers.status = 'active' and customers.phone is null and excluded.phone is not null`

/**
 * Finds a customer by e-mail address (case-insensitive) or inserts a customer. An existing customer changes only if it
 * has no phone number and the order contains one: the phone number is added, and the version is incremented. The
 * statement also locks the row, so that the customer is not anonymised before the transaction ends.
 */
const upsert = writing<UpsertedCustomer>()(
  'upsert_customer',
  (p) => sql<{ id: CustomerId; status: CustomerStatus }>`
    insert into customers (merchant_id, id, name, email, phone, created_at, updated_at)
    values (
      ${p.merchantId}, ${p.id}, ${p.name}, ${p.email}, ${p.phone}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict (merchant_id, lower(email)) where deleted_at is null
    do update set
      phone = case when ${hasNewPhone} then excluded.phone else customers.phone end,
      version = customers.version + (${hasNewPhone})::integer,
      updated_at = case when ${hasNewPhone} then excluded.updated_at else customers.updated_at end
    returning id, status`,
)

export async function upsertCustomer(
  trx: WriteTrx,
  customer: UpsertedCustomer,
): Promise<{ readonly id: CustomerId; readonly status: CustomerStatus }> {
  const [row] = await trx.write(upsert, customer)
  if (row === undefined) throw new Error('upsert_customer returned no row.')
  return row
}
