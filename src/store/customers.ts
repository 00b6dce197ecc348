import { sql } from 'kysely'
import type { CustomerId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb, WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

/** What an order copies of its customer. */
export interface CustomerSnapshot {
  readonly id: CustomerId
  readonly name: string
  readonly email: string
  readonly phone: string | null
}

const find = reading<{ merchantId: MerchantId; id: CustomerId }>()('find_customer', (p) =>
  build
    .selectFrom('customers')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'email', 'phone']),
)

export async function findCustomer(
  db: ReadDb,
  merchantId: MerchantId,
  id: CustomerId,
): Promise<CustomerSnapshot | undefined> {
  return (await db.read(find, { merchantId, id }))[0]
}

const findByEmail = reading<{ merchantId: MerchantId; email: string }>()('find_customer_id_by_email', (p) =>
  build
    .selectFrom('customers')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`lower(email) = lower(${p.email}::text)`)
    .where('deleted_at', 'is', null)
    .select('id'),
)

export async function findCustomerIdByEmail(
  db: ReadDb,
  merchantId: MerchantId,
  email: string,
): Promise<CustomerId | undefined> {
  return (await db.read(findByEmail, { merchantId, email }))[0]?.id
}

interface NewCustomer {
  readonly merchantId: MerchantId
  readonly id: CustomerId
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly now: Timestamp
}

/** An e-mail address names a customer, whatever its case. What is known of them stays, but for a missing phone. */
const upsert = writing<NewCustomer>()(
  'upsert_customer',
  (p) => sql<{ id: CustomerId }>`
    insert into customers (merchant_id, id, name, email, phone, created_at, updated_at)
    values (
      ${p.merchantId}, ${p.id}, ${p.name}, ${p.email}, ${p.phone}, ${p.now}::timestamptz, ${p.now}::timestamptz
    )
    on conflict (merchant_id, lower(email)) where deleted_at is null
    do update set phone = coalesce(customers.phone, excluded.phone)
    returning id`,
)

export async function upsertCustomer(trx: WriteTrx, customer: NewCustomer): Promise<CustomerId> {
  const [row] = await trx.write(upsert, customer)
  if (row === undefined) throw new Error('An upsert returns its row.')
  return row.id
}
