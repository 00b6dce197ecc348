import { sql } from 'kysely'
import type { DiscountId, MerchantId } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import { discountColumns, type StoredDiscount } from './discounts.ts'

const findByCode = reading<{ merchantId: MerchantId; code: string }>()('find_discount_by_code', (p) =>
  build
    .selectFrom('discounts')
    .where('merchant_id', '=', p.merchantId)
    .where('code', '=', p.code)
    .where('status', '<>', 'archived')
    .select('id'),
)

/** Returns the id of the discount with this code. Archived discounts do not keep their code. */
export async function findDiscountIdByCode(
  db: ReadDb,
  merchantId: MerchantId,
  code: string,
): Promise<DiscountId | undefined> {
  return (await db.read(findByCode, { merchantId, code }))[0]?.id
}

const columns = [
  'merchant_id',
  'id',
  'title',
  'code',
  'type',
  'percentage_bps',
  'amount_kobo',
  'max_discount_kobo',
  'applies_to_scope',
  'applies_to_ids',
  'minimum_subtotal_kobo',
  'minimum_quantity',
  'starts_at',
  'ends_at',
  'usage_limit',
  'usage_limit_per_customer',
  'first_order_only',
  'customer_ids',
  'combines_with',
  'status',
  'redemption_count',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const

const insertDiscounts = insertingRows('discounts', columns)

type DiscountRow = RowOf<typeof insertDiscounts>

export function insertDiscount(trx: WriteTrx, merchantId: MerchantId, discount: StoredDiscount): void {
  insertDiscounts.insert(trx, [rowOf(merchantId, discount)])
}

const named = sql.join(columns.map((column) => sql.ref(column)))

const update = writing<{ merchantId: MerchantId; id: DiscountId; row: string }>()(
  'update_discount',
  (p) => sql`
    update discounts
    set (${named}) = (select ${named} from json_populate_record(null::discounts, ${p.row}::json))
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

/** Writes all fields of a discount. Requires the locks that lockDiscount() takes. */
export function updateDiscount(trx: WriteTrx, merchantId: MerchantId, discount: StoredDiscount): void {
  trx.queue(update, { merchantId, id: discount.id, row: JSON.stringify(rowOf(merchantId, discount)) })
}

function rowOf(merchantId: MerchantId, discount: StoredDiscount): DiscountRow {
  return {
    merchant_id: merchantId,
    id: discount.id,
    title: discount.title,
    code: discount.code,
    type: discount.type,
    percentage_bps: discount.percentageBps,
    amount_kobo: discount.amountKobo,
    max_discount_kobo: discount.maxDiscountKobo,
    applies_to_scope: discount.scope,
    applies_to_ids: [...discount.appliesToIds],
    minimum_subtotal_kobo: discount.minimumSubtotalKobo,
    minimum_quantity: discount.minimumQuantity,
    starts_at: discount.startsAt,
    ends_at: discount.endsAt,
    usage_limit: discount.usageLimit,
    usage_limit_per_customer: discount.usageLimitPerCustomer,
    first_order_only: discount.firstOrderOnly,
    customer_ids: discount.customerIds === null ? null : [...discount.customerIds],
    combines_with: [...discount.combinesWith],
    status: discount.status,
    // The count of uses is not maintained for a discount without a limit, so an outdated count must not remain.
    redemption_count: discount.usageLimit === null ? 0 : discount.redemptionCount,
    metadata: discount.metadata,
    version: discount.version,
    created_at: discount.createdAt,
    updated_at: discount.updatedAt,
  }
}

const lock = locking<{ merchantId: MerchantId; id: DiscountId }>()('lock_discount', (p) =>
  build
    .selectFrom('discounts')
    .where('merchant_id', '=', p.merchantId)
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
    where use.merchant_id = discounts.merchant_id and use.discount_id = discounts.id`
  return build
    .selectFrom('discounts')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .select(discountColumns)
    .select([
      sql<number>`(select count(*)::integer ${uses} and use.released_at is null)`.as('redemptionCount'),
      sql<boolean>`exists (select ${uses})`.as('wasUsed'),
    ])
})

/** A discount whose row and terms are locked. Its uses are counted from the redemptions. */
export interface LockedDiscount extends StoredDiscount {
  /** Whether the discount was ever used, even if all uses were released. */
  readonly wasUsed: boolean
}

/**
 * Locks a discount, so that its terms and its uses cannot change. Orders share the lock on the terms; this lock is
 * exclusive. It waits for the orders in progress before the uses are counted, and blocks new orders until the end of
 * the transaction. Then the row is locked too, for writers that only take the row lock.
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
