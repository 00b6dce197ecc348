import { type AliasedExpression, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Customer, Marketing } from '../../../registry/customers/customer.ts'
import { marketingChannels } from '../../../registry/customers/customer.ts'
import type { CustomerId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord, jsonArrayFrom } from '../core/json.ts'
import { build, reading } from '../core/statement.ts'
import type { Tables } from '../tables/tables.ts'

/** The order totals are computed at every read, so they are never outdated. */

type CustomerRows = AliasedExpression<Selectable<Tables['customers']>, 'customer'>

/**
 * Adds addresses and order totals to customers of a merchant. `rows` is already filtered and limited, so only the
 * orders of these customers are aggregated. The number of orders excludes cancelled orders. The total spent includes
 * the payments of cancelled orders until these payments are refunded.
 */
export function withDetails(merchantId: MerchantId, rows: CustomerRows) {
  return build
    .selectFrom(rows)
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('orders')
          .where('orders.merchantId', '=', merchantId)
          .whereRef('orders.customerId', '=', 'customer.id')
          .select([
            sql<number>`count(*) filter (where orders.status <> 'cancelled')`.as('ordersCount'),
            sql<number>`coalesce(sum(orders.paid_kobo - orders.refunded_kobo), 0)::bigint`.as('totalSpentKobo'),
            sql<Timestamp | null>`max(orders.created_at) filter (where orders.status <> 'cancelled')`.as('lastOrderAt'),
          ])
          .as('order_totals'),
      (join) => join.onTrue(),
    )
    .selectAll()
    .select((customer) =>
      jsonArrayFrom(
        customer
          .selectFrom('customer_addresses as address')
          .where('address.merchantId', '=', merchantId)
          .whereRef('address.customerId', '=', 'customer.id')
          .orderBy('address.id')
          .select([
            'address.id',
            sql<boolean>`address.id is not distinct from customer.default_address_id`.as('isDefault'),
            'address.recipientName',
            'address.phone',
            'address.line1',
            'address.line2',
            'address.landmark',
            'address.area',
            'address.city',
            'address.state',
            'address.country',
            'address.postalCode',
            'address.instructions',
            'address.latitude',
            'address.longitude',
          ]),
      ).as('addresses'),
    )
    .orderBy('customer.createdAt', 'desc')
    .orderBy('customer.id', 'desc')
}

type CustomerRow = ReturnType<typeof withDetails> extends SelectQueryBuilder<never, never, infer Row> ? Row : never

export function customerOf(row: CustomerRow): Customer {
  return asRecord<Customer>({ ...row, marketing: marketingOf(row.marketing) })
}

/** Without a stored consent for a channel, consent for the channel is treated as not granted. */
function marketingOf(stored: unknown): Marketing {
  const consents = Object(stored)
  const [email, sms, whatsapp] = marketingChannels.map((channel) => consents[channel] ?? { granted: false, at: null })
  return { email, sms, whatsapp }
}

const find = reading<{ merchantId: MerchantId; id: CustomerId }>()('find_customer', (p) =>
  withDetails(
    p.merchantId,
    build
      .selectFrom('customers')
      .selectAll()
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id)
      .as('customer'),
  ),
)

/** Deleted customers are excluded by default. */
export async function findCustomer(
  db: ReadDb,
  merchantId: MerchantId,
  id: CustomerId,
  which: 'not_deleted' | 'including_deleted' = 'not_deleted',
): Promise<Customer | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  if (row === undefined || (which === 'not_deleted' && row.deletedAt !== null)) return undefined
  return customerOf(row)
}
