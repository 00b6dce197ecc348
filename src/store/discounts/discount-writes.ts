import { sql } from 'kysely'
import type { DiscountId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type NewRow, updatingRows } from '../core/rows.ts'
import { build, locking, reading } from '../core/statement.ts'
import { discountColumns, type StoredDiscount } from './discounts.ts'

const findByCode = reading<{ merchantId: MerchantId; code: string }>()('find_discount_by_code', (p) =>
  build
    .selectFrom('discounts')
    .where('merchantId', '=', p.merchantId)
    .where('code', '=', p.code)
    .where('status', '<>', 'archived')
    .select('id'),
)

/** The code of an archived discount is free for another discount. */
export async function findDiscountIdByCode(
  db: ReadDb,
  merchantId: MerchantId,
  code: string,
): Promise<DiscountId | undefined> {
  return (await db.read(findByCode, { merchantId, code }))[0]?.id
}

const changing = [
  'title',
  'code',
  'type',
  'percentageBps',
  'amountKobo',
  'maxDiscountKobo',
  'appliesToScope',
  'appliesToIds',
  'minimumSubtotalKobo',
  'minimumQuantity',
  'startsAt',
  'endsAt',
  'usageLimit',
  'usageLimitPerCustomer',
  'firstOrderOnly',
  'customerIds',
  'combinesWith',
  'status',
  'redemptionCount',
  'metadata',
  'version',
  'updatedAt',
] as const

const inserted = insertingRows('discounts')
const updated = updatingRows('discounts', ['merchantId', 'id'], changing)

export function insertDiscount(trx: WriteTrx, merchantId: MerchantId, discount: StoredDiscount): void {
  inserted.insert(trx, [rowOf(merchantId, discount)])
}

/** Requires the locks that lockDiscount() takes. */
export function updateDiscount(trx: WriteTrx, merchantId: MerchantId, discount: StoredDiscount): void {
  updated.update(trx, [rowOf(merchantId, discount)], [discount.id])
}

function rowOf(merchantId: MerchantId, discount: StoredDiscount) {
  return {
    merchantId,
    id: discount.id,
    title: discount.title,
    code: discount.code,
    type: discount.type,
    percentageBps: discount.percentageBps,
    amountKobo: discount.amountKobo,
    maxDiscountKobo: discount.maxDiscountKobo,
    appliesToScope: discount.scope,
    appliesToIds: [...discount.appliesToIds],
    minimumSubtotalKobo: discount.minimumSubtotalKobo,
    minimumQuantity: discount.minimumQuantity,
    startsAt: discount.startsAt,
    endsAt: discount.endsAt,
    usageLimit: discount.usageLimit,
    usageLimitPerCustomer: discount.usageLimitPerCustomer,
    firstOrderOnly: discount.firstOrderOnly,
    customerIds: discount.customerIds === null ? null : [...discount.customerIds],
    combinesWith: [...discount.combinesWith],
    status: discount.status,
    // For a discount without a limit, the count of uses is not maintained. The row of such a discount stores 0 instead
    // of an outdated count.
    redemptionCount: discount.usageLimit === null ? 0 : discount.redemptionCount,
    metadata: discount.metadata,
    version: discount.version,
    createdAt: discount.createdAt,
    updatedAt: discount.updatedAt,
  } satisfies NewRow<'discounts'>
}

const lock = locking<{ merchantId: MerchantId; id: DiscountId }>()('lock_discount', (p) =>
  build
    .selectFrom('discounts')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select('id')
    .forNoKeyUpdate(),
)

const lockTerms = locking<{ merchantId: MerchantId; id: DiscountId }>()(
  'lock_discount_terms',
  (p) => sql`select pg_advisory_xact_lock(hashtextextended('discount:' || ${p.merchantId} || ':' || ${p.id}, 0))`,
)

const findWithUses = reading<{ merchantId: MerchantId; id: DiscountId }>()('find_discount_with_uses', (p) => {
  const uses = sql`
    from discount_redemptions as use
    where use.merchant_id = ${p.merchantId} and use.discount_id = discounts.id`
  return build
    .selectFrom('discounts')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(discountColumns)
    .select([
      sql<number>`(select count(*)::integer ${uses} and use.released_at is null)`.as('redemptionCount'),
      sql<boolean>`exists (select 1 ${uses})`.as('wasUsed'),
    ])
})

/** A discount whose row and terms are locked. The number of its uses is counted from the redemptions. */
export interface LockedDiscount extends StoredDiscount {
  /** Whether the discount was ever used, even if all uses were released. */
  readonly wasUsed: boolean
}

/**
 * Locks a discount, so that its terms and its uses cannot change. The lock on the terms is an exclusive lock;
 * transactions that create orders take the same lock as a shared lock. This function therefore waits for the orders in
 * progress before the uses are counted, and new orders wait until this transaction ends. The row of the discount is
 * locked too, because some writers take only the row lock.
 */
export async function lockDiscount(
  trx: LockTrx,
  merchantId: MerchantId,
  id: DiscountId,
): Promise<LockedDiscount | undefined> {
  const of = { merchantId, id }
  const [, , [discount]] = await Promise.all([trx.lock(lockTerms, of), trx.lock(lock, of), trx.read(findWithUses, of)])
  return discount
}
