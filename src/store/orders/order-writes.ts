import { sql } from 'kysely'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderStatus, PaymentMethod, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { Kobo, MerchantId, OrderId, ReturnId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../core/audit.ts'
import { queueing } from '../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { build, locking, reading, shortReading, writing } from '../core/statement.ts'
import { writeStatusChange } from './order-moves.ts'

export interface LockedOrder {
  readonly id: OrderId
  readonly number: string
  readonly status: OrderStatus
  readonly heldFrom: OrderStatus | null
  readonly itemQuantity: number
  readonly fulfilledQuantity: number
  readonly returnedQuantity: number
  readonly version: number
  readonly totalKobo: Kobo
  readonly taxKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
  /** The part of the order's `paidKobo` that payment providers received. */
  readonly providerPaidKobo: Kobo
  /**
   * The return whose units this order replaces. The exchange moved a credit from the returned order to this order. A
   * dispute about a payment of the returned order may withhold this credit.
   */
  readonly exchangeOfReturnId: ReturnId | null
  readonly paymentMethod: PaymentMethod
  readonly paymentStatus: PaymentStatus
  readonly paidAt: Timestamp | null
  readonly createdAt: Timestamp
}

const balances = (p: { merchantId: MerchantId; id: OrderId }) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      'id',
      'number',
      'status',
      'heldFrom',
      'itemQuantity',
      'fulfilledQuantity',
      'returnedQuantity',
      'version',
      'totalKobo',
      'taxKobo',
      'paidKobo',
      'refundedKobo',
      'refundPendingKobo',
      'refundedTaxKobo',
      'providerPaidKobo',
      'exchangeOfReturnId',
      'paymentMethod',
      'paymentStatus',
      'paidAt',
      'createdAt',
    ])

const find = shortReading<{ merchantId: MerchantId; id: OrderId }>()('find_order_balances', balances)

/** Reads, without locking the order, the fields that payments and refunds need. */
export async function findOrderBalances(
  db: ReadDb,
  merchantId: MerchantId,
  id: OrderId,
): Promise<LockedOrder | undefined> {
  return (await db.read(find, { merchantId, id }))[0]
}

const lock = locking<{ merchantId: MerchantId; id: OrderId }>()('lock_order', (p) =>
  // The order is locked with `for no key update` and not with `for update`. Inserts of payments and refunds that refer
  // to the order therefore do not wait for the lock.
  balances(p).forNoKeyUpdate(),
)

export async function lockOrder(trx: LockTrx, merchantId: MerchantId, id: OrderId): Promise<LockedOrder | undefined> {
  return (await trx.lock(lock, { merchantId, id }))[0]
}

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_order_by_reference', (p) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where('externalReference', '=', p.reference)
    .select('id'),
)

export async function findOrderIdByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<OrderId | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]?.id
}

const insertOrders = insertingRows('orders')

const insertItems = insertingRows('order_items')

type OrderRow = RowOf<typeof insertOrders>
type ItemRow = RowOf<typeof insertItems>

export function insertOrder(trx: WriteTrx, order: OrderRow, items: readonly ItemRow[]): void {
  insertOrders.insert(trx, [order])
  insertItems.insert(trx, items)
}

/** Increments the version of the order. */
export const addPaymentToOrder = queueing<{
  merchantId: MerchantId
  id: OrderId
  amountKobo: Kobo
  providerKobo: Kobo
  now: Timestamp
}>()('add_payment_to_order', (p) =>
  build
    .updateTable('orders')
    .set({
      paidKobo: sql<Kobo>`paid_kobo + ${p.amountKobo}::bigint`,
      providerPaidKobo: sql<Kobo>`provider_paid_kobo + ${p.providerKobo}::bigint`,
      paidAt: sql<Timestamp | null>`case
        when paid_kobo + ${p.amountKobo}::bigint >= total_kobo then coalesce(paid_at, ${p.now}::timestamptz)
        else paid_at
      end`,
      // A partly paid order retains its expiry time. When this time has passed, the merchant is notified that the order
      // was only partly paid. An order on hold that is now fully paid gets `processing` as its `heldFrom`, the status
      // to which it moves when its hold ends.
      expiresAt: sql<Timestamp | null>`case when paid_kobo + ${p.amountKobo}::bigint < total_kobo then expires_at end`,
      heldFrom: sql<OrderStatus | null>`case
        when held_from is not null and paid_kobo + ${p.amountKobo}::bigint >= total_kobo then 'processing'
        else held_from
      end`,
      version: sql<number>`version + 1`,
      updatedAt: p.now,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Increments the version of the order. */
export const removePaymentFromOrder = queueing<{
  merchantId: MerchantId
  id: OrderId
  amountKobo: Kobo
  now: Timestamp
}>()('remove_payment_from_order', (p) =>
  build
    .updateTable('orders')
    .set({
      paidKobo: sql<Kobo>`paid_kobo - ${p.amountKobo}::bigint`,
      paidAt: sql<Timestamp | null>`case when paid_kobo - ${p.amountKobo}::bigint >= total_kobo then paid_at end`,
      version: sql<number>`version + 1`,
      updatedAt: p.now,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

/**
 * Removes the expiry of an expired order that must not be cancelled, because it is partly paid. Increments the order's
 * version.
 */
export const clearOrderExpiry = queueing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()(
  'clear_order_expiry',
  (p) =>
    build
      .updateTable('orders')
      .set({ expiresAt: null, version: sql<number>`version + 1`, updatedAt: p.now })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)

const confirm = writing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()('confirm_order', (p) =>
  build
    .updateTable('orders')
    .set({ status: 'processing', confirmedAt: p.now, expiresAt: null })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

/**
 * Moves a pending order to `processing` after a payment, and records the status change. The version of the order is not
 * incremented, because the payment has already incremented it.
 */
export function confirmOrder(
  trx: WriteTrx,
  change: { merchantId: MerchantId; id: OrderId; version: number; reason: string; actor: Actor; now: Timestamp },
): void {
  trx.queue(confirm, { merchantId: change.merchantId, id: change.id, now: change.now })
  writeStatusChange(trx, { ...change, orderId: change.id, from: 'pending', to: 'processing' })
}

/**
 * Confirms an order on hold that was pending before its hold: the order becomes `processing`, instead of `pending`,
 * when the hold ends. Increments the version of the order.
 */
export const confirmHeldOrder = queueing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()(
  'confirm_held_order',
  (p) =>
    build
      .updateTable('orders')
      .set({ heldFrom: 'processing', expiresAt: null, version: sql<number>`version + 1`, updatedAt: p.now })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)

interface OrderDetails {
  readonly merchantId: MerchantId
  readonly id: OrderId
  readonly version: number
  readonly note: string | null
  readonly tags: readonly string[]
  readonly metadata: string
  readonly customerName: string
  readonly customerEmail: string
  readonly customerPhone: string | null
  readonly shippingAddress: string | null
  readonly now: Timestamp
}

const writeDetails = writing<OrderDetails>()(
  'write_order_details',
  (p) => sql`
    update orders
    set
      version = ${p.version},
      note = ${p.note},
      tags = ${p.tags}::text[],
      metadata = ${p.metadata}::jsonb,
      customer_name = ${p.customerName},
      customer_email = ${p.customerEmail},
      customer_phone = ${p.customerPhone},
      shipping_address = ${p.shippingAddress}::jsonb,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

export function writeOrderDetails(trx: WriteTrx, merchantId: MerchantId, order: Order): void {
  const { id, version, note, tags, metadata, customer, shippingAddress } = order
  trx.queue(writeDetails, {
    merchantId,
    id,
    version,
    note,
    tags,
    metadata: JSON.stringify(metadata),
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    shippingAddress: shippingAddress === null ? null : JSON.stringify(shippingAddress),
    now: order.updatedAt,
  })
}
