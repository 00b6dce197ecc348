import { sql } from 'kysely'
import type { CustomerId, DiscountId, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import { discountColumns, type StoredDiscount } from './discounts.ts'

/**
 * How an order uses discounts (design, commerce 4.3). All orders of a code share a lock on its terms, which only a change
 * of the terms takes alone, and which comes first. A capped code is then counted on its row, so its orders come one after
 * another; any other takes no row lock. The first is an advisory lock because those are given out in the order in
 * which they are asked for: behind row locks that orders share, the change of a busy code would never get its turn.
 */

interface Codes {
  readonly merchantId: MerchantId
  /** In capitals. */
  readonly codes: readonly string[]
}

const ofCodes = (p: Codes) =>
  build
    .selectFrom('discounts')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`code = any(${p.codes}::text[])`)
    .where('status', '<>', 'archived')

/** Given out in the order of the ids, so that two orders and two changes cannot wait for each other in a ring. */
const shareTerms = locking<Codes>()('share_discount_terms', (p) =>
  build
    .selectFrom(ofCodes(p).select(['merchant_id', 'id']).orderBy('id').as('terms'))
    .select([
      'id',
      sql`pg_advisory_xact_lock_shared(hashtextextended('discount:' || merchant_id || ':' || id, 0))`.as('shared'),
    ]),
)

/** Behind the lock on the terms, so that which of them are capped can no longer change. */
const lockCapped = locking<Codes>()('lock_capped_discounts', (p) =>
  ofCodes(p).where('usage_limit', 'is not', null).select('id').orderBy('id').forNoKeyUpdate(),
)

/** The count of the row, which says nothing where there is no limit, and is then not looked at. */
const find = reading<Codes>()('find_discounts_by_code', (p) =>
  ofCodes(p).select(discountColumns).select('redemption_count as redemptionCount'),
)

/** The discounts of some codes, for a look that promises nothing. */
export function findDiscountsByCode(
  db: ReadDb,
  merchantId: MerchantId,
  codes: readonly string[],
): Promise<readonly StoredDiscount[]> {
  return db.read(find, { merchantId, codes })
}

/** The discounts of some codes, held for an order until the end of the transaction. */
export async function lockDiscountsByCode(
  trx: WriteTrx,
  merchantId: MerchantId,
  codes: readonly string[],
): Promise<readonly StoredDiscount[]> {
  const of = { merchantId, codes }
  const [shared, , found] = await Promise.all([trx.lock(shareTerms, of), trx.lock(lockCapped, of), trx.read(find, of)])
  const isHeld = found.every((discount) => shared.some(({ id }) => id === discount.id))
  // Else a code was given to another discount between the statements.
  return isHeld ? found : lockDiscountsByCode(trx, merchantId, codes)
}

/** The signs by which one person is known; mailbox is their e-mail in lower case and without a +tag. */
export interface Person {
  readonly merchantId: MerchantId
  readonly customerId: CustomerId | null
  readonly mailbox: string
  readonly phone: string | null
}

const lockNames = locking<{ names: readonly string[] }>()(
  'lock_discount_customers',
  (p) => sql`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended(name, 0) as key
      from unnest(${p.names}::text[]) as name
      order by key
    ) as keys`,
)

/** Makes orders of one person, by any of their signs, for the same thing come one after another. */
export async function lockPerson(trx: LockTrx, person: Person, things: readonly string[]): Promise<void> {
  const signs = [person.customerId, person.mailbox, person.phone].filter((sign) => sign !== null)
  const names = things.flatMap((thing) => signs.map((sign) => `${person.merchantId}:${thing}:${sign}`))
  await trx.lock(lockNames, { names })
}

const count = reading<Person & { discountIds: readonly DiscountId[] }>()('count_discount_uses', (p) =>
  build
    .selectFrom('discount_redemptions')
    .where('merchant_id', '=', p.merchantId)
    .where(sql<boolean>`discount_id = any(${p.discountIds}::text[])`)
    .where('released_at', 'is', null)
    .where(
      sql<boolean>`(
        customer_id = ${p.customerId}::text or customer_email = ${p.mailbox}::text or customer_phone = ${p.phone}::text
      )`,
    )
    .groupBy('discount_id')
    .select(['discount_id as discountId', sql<number>`count(*)::integer`.as('uses')]),
)

/** How often a person used each of the discounts; those never used are left out. */
export async function countUsesBy(
  db: ReadDb,
  person: Person,
  discountIds: readonly DiscountId[],
): Promise<ReadonlyMap<DiscountId, number>> {
  const rows = await db.read(count, { ...person, discountIds })
  return new Map(rows.map(({ discountId, uses }) => [discountId, uses]))
}

/** A cancelled order was no first one. Customers who were deleted have ordered all the same. */
const findOrder = reading<Person>()('find_order_by_person', (p) =>
  build
    .selectFrom('customers')
    .innerJoin('orders', (join) =>
      join.onRef('orders.merchant_id', '=', 'customers.merchant_id').onRef('orders.customer_id', '=', 'customers.id'),
    )
    .where('customers.merchant_id', '=', p.merchantId)
    .where(
      sql<boolean>`(
        customers.id = ${p.customerId}::text
        or regexp_replace(lower(customers.email), '\\+[^@]*@', '@') = ${p.mailbox}::text
        or customers.phone = ${p.phone}::text
      )`,
    )
    .where('orders.status', '<>', 'cancelled')
    .select('orders.id')
    .limit(sql.lit(1)),
)

export async function hasOrdered(db: ReadDb, person: Person): Promise<boolean> {
  return (await db.read(findOrder, person)).length > 0
}

const insertOrderDiscounts = insertingRows('order_discounts', [
  'merchant_id',
  'order_id',
  'discount_id',
  'position',
  'code',
  'type',
  'amount_kobo',
  'allocations',
])

const insertRedemptions = insertingRows('discount_redemptions', [
  'merchant_id',
  'id',
  'discount_id',
  'order_id',
  'amount_kobo',
  'customer_id',
  'customer_email',
  'customer_phone',
  'created_at',
])

const countUp = writing<{ merchantId: MerchantId; ids: readonly DiscountId[] }>()(
  'count_discounts_up',
  (p) => sql`
    update discounts
    set redemption_count = redemption_count + 1
    where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and usage_limit is not null`,
)

/**
 * Enters what an order was given. The rows of capped discounts are locked and were judged, and the database's own check
 * (discount_is_not_used_beyond_its_limit) stands behind that.
 */
export function insertUses(
  trx: WriteTrx,
  merchantId: MerchantId,
  given: readonly RowOf<typeof insertOrderDiscounts>[],
  uses: readonly RowOf<typeof insertRedemptions>[],
): void {
  insertOrderDiscounts.insert(trx, given)
  insertRedemptions.insert(trx, uses)
  trx.queue(countUp, { merchantId, ids: uses.map((use) => use.discount_id) })
}

interface Released {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly now: Timestamp
}

const ofOrder = (p: Released) =>
  build
    .selectFrom('discounts')
    .innerJoin('discount_redemptions as use', (join) =>
      join.onRef('use.merchant_id', '=', 'discounts.merchant_id').onRef('use.discount_id', '=', 'discounts.id'),
    )
    .where('use.merchant_id', '=', p.merchantId)
    .where('use.order_id', '=', p.orderId)
    .where('use.released_at', 'is', null)

const shareTermsOfOrder = locking<Released>()('share_discount_terms_of_order', (p) =>
  build
    .selectFrom(
      ofOrder(p)
        .select(['discounts.merchant_id as merchantId', 'discounts.id as discountId'])
        .orderBy('discounts.id')
        .as('terms'),
    )
    .select(
      sql`pg_advisory_xact_lock_shared(hashtextextended('discount:' || "merchantId" || ':' || "discountId", 0))`.as(
        'shared',
      ),
    ),
)

const lockCappedOfOrder = locking<Released>()('lock_capped_discounts_of_order', (p) =>
  ofOrder(p)
    .where('discounts.usage_limit', 'is not', null)
    .select('discounts.id')
    .orderBy('discounts.id')
    .forNoKeyUpdate('discounts'),
)

const release = writing<Released>()(
  'release_discounts',
  (p) => sql`
    with released as (
      update discount_redemptions
      set released_at = ${p.now}::timestamptz
      where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and released_at is null
      returning discount_id
    )
    update discounts
    set redemption_count = redemption_count - 1
    from released
    where discounts.merchant_id = ${p.merchantId}
      and discounts.id = released.discount_id
      and discounts.usage_limit is not null`,
)

/** Gives the uses of an order back, with the locks that taking them needed, and without waiting for any answer. */
export function releaseUses(trx: WriteTrx, of: Released): void {
  trx.queue(shareTermsOfOrder, of)
  trx.queue(lockCappedOfOrder, of)
  trx.queue(release, of)
}
