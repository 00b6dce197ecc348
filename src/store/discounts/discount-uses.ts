import { sql } from 'kysely'
import type { CustomerId, DiscountId, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { checking } from '../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import { discountColumns, type StoredDiscount } from './discounts.ts'

/**
 * Redeems and releases discounts. Orders first take a shared advisory lock on the discount's terms; a change of the
 * terms takes this lock exclusively. An order with a discount that has a usage limit then locks the discount's row,
 * which stores the count of uses, so such orders run one at a time. Other discounts take no row lock. The terms have an
 * advisory lock because its queue is fair: with shared row locks, a steady stream of orders could block a change of the
 * terms forever.
 */

interface Codes {
  readonly merchantId: MerchantId
  /** The discount codes in upper case. */
  readonly codes: readonly string[]
  /**
   * The ids of the discounts that the order has redeemed. Such a discount may have been archived after the redemption.
   */
  readonly redeemedIds: readonly DiscountId[]
}

const ofCodes = (p: Codes) =>
  build
    .selectFrom('discounts')
    .where('merchantId', '=', p.merchantId)
    .where(
      sql<boolean>`(
        (code = any(${p.codes}::text[]) and status <> 'archived') or id = any(${p.redeemedIds}::text[])
      )`,
    )

/** Takes the shared locks in the order of the discount ids, so that concurrent orders and changes cannot deadlock. */
const shareTerms = locking<Codes>()('share_discount_terms', (p) =>
  build
    .selectFrom(ofCodes(p).select(['merchantId', 'id']).orderBy('id').as('terms'))
    .select([
      'id',
      sql`pg_advisory_xact_lock_shared(hashtextextended('discount:' || merchant_id || ':' || id, 0))`.as('shared'),
    ]),
)

/** Requires the lock on the terms of the discounts, so that the usage limits cannot change. */
const lockCapped = locking<Codes>()('lock_capped_discounts', (p) =>
  ofCodes(p).where('usageLimit', 'is not', null).select('id').orderBy('id').forNoKeyUpdate(),
)

/**
 * Reads discounts with the stored number of their uses. The number is maintained and used only for discounts with a
 * usage limit.
 */
const find = reading<Codes>()('find_discounts_by_code', (p) =>
  ofCodes(p).select(discountColumns).select('redemptionCount'),
)

/** The discounts are not locked, so they may change before an order that uses them is placed. */
export function findDiscountsByCode(
  db: ReadDb,
  merchantId: MerchantId,
  codes: readonly string[],
): Promise<readonly StoredDiscount[]> {
  return db.read(find, { merchantId, codes, redeemedIds: [] })
}

/** Also locks and returns `redeemedIds`, the discounts that the order has redeemed. */
export async function lockDiscountsByCode(
  trx: WriteTrx,
  merchantId: MerchantId,
  codes: readonly string[],
  redeemedIds: readonly DiscountId[] = [],
): Promise<readonly StoredDiscount[]> {
  const of = { merchantId, codes, redeemedIds }
  const [shared, , found] = await Promise.all([trx.lock(shareTerms, of), trx.lock(lockCapped, of), trx.read(find, of)])
  const isHeld = found.every((discount) => shared.some(({ id }) => id === discount.id))
  // If one of the codes was moved to another discount between the lock and the search by code, the discounts are locked
  // again.
  return isHeld ? found : lockDiscountsByCode(trx, merchantId, codes, redeemedIds)
}

/** The identifiers of one customer. `mailbox` is the e-mail address in lower case without a +tag. */
export interface Person {
  readonly merchantId: MerchantId
  readonly customerId: CustomerId | null
  readonly email: string
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

/**
 * Takes locks, so that two order transactions with a common customer identifier and a common scope run one after the
 * other. The `scopes` are, for example, ids of discounts. The locks last until the transaction ends.
 */
export async function lockPerson(trx: LockTrx, person: Person, scopes: readonly string[]): Promise<void> {
  const identifiers = [person.customerId, person.mailbox, person.phone].filter((identifier) => identifier !== null)
  const names = scopes.flatMap((scope) =>
    identifiers.map((identifier) => `${person.merchantId}:${scope}:${identifier}`),
  )
  await trx.lock(lockNames, { names })
}

const count = reading<Person & { discountIds: readonly DiscountId[] }>()('count_discount_uses', (p) =>
  build
    .selectFrom('discount_redemptions')
    .where('merchantId', '=', p.merchantId)
    .where(sql<boolean>`discount_id = any(${p.discountIds}::text[])`)
    .where('releasedAt', 'is', null)
    .where(
      sql<boolean>`(
        customer_id = ${p.customerId}::text or customer_email = ${p.mailbox}::text or customer_phone = ${p.phone}::text
      )`,
    )
    .groupBy('discountId')
    .select(['discountId', sql<number>`count(*)::integer`.as('uses')]),
)

/** Omits discounts that the customer has not used. */
export async function countUsesBy(
  db: ReadDb,
  person: Person,
  discountIds: readonly DiscountId[],
): Promise<ReadonlyMap<DiscountId, number>> {
  const rows = await db.read(count, { ...person, discountIds })
  return new Map(rows.map(({ discountId, uses }) => [discountId, uses]))
}

interface EarlierOrder extends Person {
  readonly exceptOrderId: OrderId | null
}

const isEarlierOrder = (p: EarlierOrder) =>
  sql<boolean>`orders.status <> 'cancelled' and orders.id is distinct from ${p.exceptOrderId}::text`

/**
 * Reports whether the customer has an order that is not cancelled, other than the given one. Also finds the orders of
 * deleted customers, and orders with the e-mail address of a customer whose record has another address by now. The
 * index on the addresses of orders contains the +tag, so an order with another +tag is found only by its customer.
 */
export const hasOrdered = checking<EarlierOrder>()('find_order_by_person', (p) =>
  build
    .selectFrom('customers')
    .innerJoin('orders', (join) =>
      join.onRef('orders.merchantId', '=', 'customers.merchantId').onRef('orders.customerId', '=', 'customers.id'),
    )
    .where('customers.merchantId', '=', p.merchantId)
    .where(
      sql<boolean>`(
        customers.id = ${p.customerId}::text
        or regexp_replace(lower(customers.email), '\\+[^@]*@', '@') = ${p.mailbox}::text
        or customers.phone = ${p.phone}::text
      )`,
    )
    .where(isEarlierOrder(p))
    .select('orders.id')
    .unionAll(
      build
        .selectFrom('orders')
        .where('orders.merchantId', '=', p.merchantId)
        .where(sql<boolean>`lower(orders.customer_email) in (${p.mailbox}::text, lower(${p.email}::text))`)
        .where(isEarlierOrder(p))
        .select('orders.id'),
    )
    .limit(sql.lit(1)),
)

const insertOrderDiscounts = insertingRows('order_discounts')

/** An order that is edited may redeem a discount again after it has released its earlier use of this discount. */
const insertRedemptions = insertingRows(
  'discount_redemptions',
  sql`
    on conflict (merchant_id, order_id, discount_id)
    do update set
      amount_kobo = excluded.amount_kobo, customer_id = excluded.customer_id, customer_email = excluded.customer_email,
      customer_phone = excluded.customer_phone, created_at = excluded.created_at, released_at = null`,
)

const countUses = writing<{ merchantId: MerchantId; ids: readonly DiscountId[] }>()(
  'count_discount_redemptions',
  (p) => sql`
    update discounts
    set redemption_count = redemption_count + 1
    where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and usage_limit is not null`,
)

/**
 * Requires the locks of lockDiscountsByCode(). The check constraint discount_is_not_used_beyond_its_limit also enforces
 * the usage limits.
 */
export function insertUses(
  trx: WriteTrx,
  merchantId: MerchantId,
  orderDiscounts: readonly RowOf<typeof insertOrderDiscounts>[],
  uses: readonly RowOf<typeof insertRedemptions>[],
): void {
  insertOrderDiscounts.insert(trx, orderDiscounts)
  insertRedemptions.insert(trx, uses)
  trx.queue(countUses, { merchantId, ids: uses.map((use) => use.discountId) })
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
      join.onRef('use.merchantId', '=', 'discounts.merchantId').onRef('use.discountId', '=', 'discounts.id'),
    )
    .where('use.merchantId', '=', p.merchantId)
    .where('use.orderId', '=', p.orderId)
    .where('use.releasedAt', 'is', null)

const shareTermsOfOrder = locking<Released>()('share_discount_terms_of_order', (p) =>
  build
    .selectFrom(
      ofOrder(p).select(['discounts.merchantId', 'discounts.id as discountId']).orderBy('discounts.id').as('terms'),
    )
    .select(
      sql`pg_advisory_xact_lock_shared(hashtextextended('discount:' || merchant_id || ':' || discount_id, 0))`.as(
        'shared',
      ),
    ),
)

const lockCappedOfOrder = locking<Released>()('lock_capped_discounts_of_order', (p) =>
  ofOrder(p)
    .where('discounts.usageLimit', 'is not', null)
    .select('discounts.id')
    .orderBy('discounts.id')
    .forNoKeyUpdate('discounts'),
)

/**
 * Releases an order's discount uses. Returns the discounts for the audit row. The statement updates the discounts and
 * their redemptions; both updates see the redemptions as they were before the statement.
 */
const release = writing<Released>()(
  'release_discounts',
  (p) => sql<{ id: DiscountId }>`
    with counted as (
      update discounts
      set redemption_count = redemption_count - 1
      from discount_redemptions use
      where use.merchant_id = ${p.merchantId}
        and use.order_id = ${p.orderId}
        and use.released_at is null
        and discounts.merchant_id = use.merchant_id
        and discounts.id = use.discount_id
        and discounts.usage_limit is not null
    )
    update discount_redemptions
    set released_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and order_id = ${p.orderId} and released_at is null
    returning discount_id as id`,
)

/** Takes the same locks as the redemption of discounts. Does not wait for the results of its statements. */
export function releaseUses(trx: WriteTrx, of: Released): void {
  trx.queue(shareTermsOfOrder, of)
  trx.queue(lockCappedOfOrder, of)
  trx.queue(release, of)
}

const removeOfOrder = writing<Pick<Released, 'merchantId' | 'orderId'>>()('remove_order_discounts', (p) =>
  build.deleteFrom('order_discounts').where('merchantId', '=', p.merchantId).where('orderId', '=', p.orderId),
)

/** The caller must have released the redemptions of the discounts first. */
export function removeOrderDiscounts(trx: WriteTrx, of: Pick<Released, 'merchantId' | 'orderId'>): void {
  trx.queue(removeOfOrder, of)
}
