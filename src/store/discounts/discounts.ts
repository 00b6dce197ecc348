import { sql } from 'kysely'
import type { DiscountRedemption } from '../../../registry/discounts/discount.ts'
import type {
  DiscountClass,
  DiscountScope,
  DiscountState,
  DiscountStatus,
  DiscountType,
} from '../../../registry/values/discount-terms.ts'
import type { CustomerId, DiscountId, Kobo, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord } from '../core/json.ts'
import {
  type CreatedRange,
  createdWithin,
  ifGiven,
  onPage,
  type PageArgs,
  type PageRequest,
  pageArgs,
} from '../core/page.ts'
import { build, reading } from '../core/statement.ts'

/** A discount as stored. Its state, such as `active`, is computed from the current time. */
export interface StoredDiscount {
  readonly id: DiscountId
  readonly title: string
  readonly code: string | null
  readonly type: DiscountType
  readonly percentageBps: number | null
  readonly amountKobo: Kobo | null
  readonly maxDiscountKobo: Kobo | null
  readonly scope: DiscountScope
  readonly appliesToIds: readonly string[]
  readonly minimumSubtotalKobo: Kobo | null
  readonly minimumQuantity: number | null
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp | null
  readonly usageLimit: number | null
  readonly usageLimitPerCustomer: number | null
  readonly firstOrderOnly: boolean
  readonly customerIds: readonly CustomerId[] | null
  readonly combinesWith: readonly DiscountClass[]
  readonly status: DiscountStatus
  /** Excludes released uses. */
  readonly redemptionCount: number
  readonly metadata: Record<string, string>
  readonly version: number
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** All columns of a discount except the redemption count, which callers select differently. */
export const discountColumns = [
  'id',
  'title',
  'code',
  'type',
  'percentageBps',
  'amountKobo',
  'maxDiscountKobo',
  'appliesToScope as scope',
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
  sql<Record<string, string>>`metadata`.as('metadata'),
  'version',
  'createdAt',
  'updatedAt',
] as const

/**
 * The number of uses of a discount. If the discount has a usage limit, its row contains this number. Otherwise, the
 * redemptions of the discount are counted.
 */
const redemptionCount = (merchantId: MerchantId) =>
  sql<number>`
  case
    when usage_limit is not null then redemption_count
    else (
      select count(*)::integer
      from discount_redemptions as use
      where use.merchant_id = ${merchantId} and use.discount_id = discounts.id and use.released_at is null
    )
  end`.as('redemptionCount')

const counted = (merchantId: MerchantId) =>
  build
    .selectFrom('discounts')
    .select(discountColumns)
    .select(redemptionCount(merchantId))
    .where('merchantId', '=', merchantId)

const find = reading<{ merchantId: MerchantId; id: DiscountId }>()('find_discount', (p) =>
  counted(p.merchantId).where('id', '=', p.id),
)

export async function findDiscount(
  db: ReadDb,
  merchantId: MerchantId,
  id: DiscountId,
): Promise<StoredDiscount | undefined> {
  return (await db.read(find, { merchantId, id }))[0]
}

export interface DiscountFilters extends CreatedRange {
  readonly state?: readonly DiscountState[] | undefined
  readonly type?: readonly DiscountType[] | undefined
  readonly code?: string | undefined
  readonly q?: string | undefined
}

/** The SQL form of the rule in discountStateOf() for a discount's state. A test checks that both agree. */
const stateAt = (now: Timestamp) => sql<DiscountState>`
  case
    when status <> 'active' then status
    when ${now}::timestamptz < starts_at then 'scheduled'
    when ${now}::timestamptz >= ends_at then 'expired'
    when redemption_count >= usage_limit then 'exhausted'
    else 'active'
  end`

/**
 * Lists discounts. A merchant has few discounts, so one statement serves all filters.
 */
const list = reading<DiscountFilters & PageArgs & { merchantId: MerchantId; now: Timestamp }>()('list_discounts', (p) =>
  counted(p.merchantId)
    .where(ifGiven(p.state, sql`${stateAt(p.now)} = any(${p.state}::text[])`))
    .where(ifGiven(p.type, sql`type = any(${p.type}::text[])`))
    .where(ifGiven(p.code, sql`code = upper(${p.code})`))
    .where(ifGiven(p.q, sql`search_key(title || e'\n' || coalesce(code, '')) like search_pattern(${p.q}::text)`))
    .where(createdWithin('discounts', p))
    .where(onPage('discounts', p))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

export function listDiscounts(
  db: ReadDb,
  at: { merchantId: MerchantId; now: Timestamp },
  filters: DiscountFilters,
  page: PageRequest,
): Promise<readonly StoredDiscount[]> {
  return db.read(list, { ...at, ...filters, ...pageArgs(page) })
}

const redemptions = reading<CreatedRange & PageArgs & { merchantId: MerchantId; discountId: DiscountId }>()(
  'list_discount_redemptions',
  (p) =>
    build
      .selectFrom('discount_redemptions as use')
      .innerJoin('orders', (join) =>
        join.onRef('orders.merchantId', '=', 'use.merchantId').onRef('orders.id', '=', 'use.orderId'),
      )
      .where('use.merchantId', '=', p.merchantId)
      .where('use.discountId', '=', p.discountId)
      .where(createdWithin('use', p))
      .where(onPage('use', p))
      .select([
        'use.id',
        'use.discountId',
        'use.orderId',
        'orders.number as orderNumber',
        'use.customerId',
        'use.amountKobo',
        'use.createdAt',
        'use.releasedAt',
      ])
      .orderBy('use.createdAt', 'desc')
      .orderBy('use.id', 'desc')
      .limit(p.limit),
)

/** Newest first. Empty when the discount does not exist. */
export async function listDiscountRedemptions(
  db: ReadDb,
  of: { merchantId: MerchantId; discountId: DiscountId },
  range: CreatedRange,
  page: PageRequest,
): Promise<DiscountRedemption[]> {
  const rows = await db.read(redemptions, { ...of, ...range, ...pageArgs(page) })
  return rows.map((row) => asRecord<DiscountRedemption>(row))
}
