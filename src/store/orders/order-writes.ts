import { sql } from 'kysely'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderStatus, PaymentMethod, PaymentStatus } from '../../../registry/orders/order-states.ts'
import type { Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../core/audit.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf } from '../core/rows.ts'
import { build, locking, reading, writing } from '../core/statement.ts'
import { writeStatusChange } from './order-moves.ts'

/** The fields of a locked order that payments and refunds need. */
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
  readonly paymentMethod: PaymentMethod
  readonly paymentStatus: PaymentStatus
  readonly paidAt: Timestamp | null
  readonly createdAt: Timestamp
}

const lock = locking<{ merchantId: MerchantId; id: OrderId }>()('lock_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      'id',
      'number',
      'status',
      'held_from as heldFrom',
      'item_quantity as itemQuantity',
      'fulfilled_quantity as fulfilledQuantity',
      'returned_quantity as returnedQuantity',
      'version',
      'total_kobo as totalKobo',
      'tax_kobo as taxKobo',
      'paid_kobo as paidKobo',
      'refunded_kobo as refundedKobo',
      'refund_pending_kobo as refundPendingKobo',
      'refunded_tax_kobo as refundedTaxKobo',
      'provider_paid_kobo as providerPaidKobo',
      'payment_method as paymentMethod',
      'payment_status as paymentStatus',
      'paid_at as paidAt',
      'created_at as createdAt',
    ])
    // Not `for update`: inserts of payments and refunds that refer to the order do not wait for this lock.
    .forNoKeyUpdate(),
)

export async function lockOrder(trx: LockTrx, merchantId: MerchantId, id: OrderId): Promise<LockedOrder | undefined> {
  return (await trx.lock(lock, { merchantId, id }))[0]
}

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_order_by_reference', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('external_reference', '=', p.reference)
    .select('id'),
)

export async function findOrderIdByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<OrderId | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]?.id
}

const insertOrders = insertingRows(
  'orders',
  [
    'merchant_id',
    'id',
    'number',
    'status',
    'version',
    'customer_id',
    'customer_name',
    'customer_email',
    'customer_phone',
    'payment_method',
    'subtotal_kobo',
    'discount_kobo',
    'shipping_kobo',
    'tax_kobo',
    'total_kobo',
    'tax_inclusive',
    'tax_rate_bps',
    'item_quantity',
    'shipping_address',
    'billing_address',
    'note',
    'customer_note',
    'tags',
    'external_reference',
    'source',
    'metadata',
    'expires_at',
    'confirmed_at',
    'paid_at',
    'created_at',
    'updated_at',
  ],
  {
    withDefaults: [
      'held_from',
      'paid_kobo',
      'refunded_kobo',
      'refund_pending_kobo',
      'refunded_tax_kobo',
      'provider_paid_kobo',
      'fulfilled_quantity',
      'returned_quantity',
      'cancel_reason',
      'cancel_note',
      'shipped_at',
      'delivered_at',
      'cancelled_at',
      'returned_at',
    ],
  },
)

const insertItems = insertingRows(
  'order_items',
  [
    'merchant_id',
    'order_id',
    'id',
    'position',
    'product_id',
    'variant_id',
    'sku',
    'title',
    'variant_title',
    'option_values',
    'image_url',
    'quantity',
    'unit_price_kobo',
    'compare_at_price_kobo',
    'subtotal_kobo',
    'discount_kobo',
    'tax_rate_bps',
    'tax_kobo',
    'total_kobo',
  ],
  {
    withDefaults: [
      'fulfilled_quantity',
      'returned_quantity',
      'refunded_quantity',
      'cancelled_quantity',
      'lost_quantity',
    ],
  },
)

type OrderRow = RowOf<typeof insertOrders>
type ItemRow = RowOf<typeof insertItems>

export function insertOrder(trx: WriteTrx, order: OrderRow, items: readonly ItemRow[]): void {
  insertOrders.insert(trx, [order])
  insertItems.insert(trx, items)
}

const addPayment = writing<{
  merchantId: MerchantId
  id: OrderId
  amountKobo: Kobo
  providerKobo: Kobo
  now: Timestamp
}>()('add_payment_to_order', (p) =>
  build
    .updateTable('orders')
    .set({
      paid_kobo: sql<Kobo>`paid_kobo + ${p.amountKobo}::bigint`,
      provider_paid_kobo: sql<Kobo>`provider_paid_kobo + ${p.providerKobo}::bigint`,
      paid_at: sql<Timestamp | null>`case
        when paid_kobo + ${p.amountKobo}::bigint >= total_kobo then coalesce(paid_at, ${p.now}::timestamptz)
        else paid_at
      end`,
      // A partial payment does not end the expiry: when the order expires, the merchant is notified that it was only
      // partly paid. An order on hold that is now fully paid will be released to `processing`.
      expires_at: sql<Timestamp | null>`case when paid_kobo + ${p.amountKobo}::bigint < total_kobo then expires_at end`,
      held_from: sql<OrderStatus | null>`case
        when held_from is not null and paid_kobo + ${p.amountKobo}::bigint >= total_kobo then 'processing'
        else held_from
      end`,
      version: sql<number>`version + 1`,
      updated_at: p.now,
    })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Adds a payment to the order and increments its version. */
export function addPaymentToOrder(
  trx: WriteTrx,
  payment: { merchantId: MerchantId; id: OrderId; amountKobo: Kobo; providerKobo: Kobo; now: Timestamp },
): void {
  trx.queue(addPayment, payment)
}

const removePayment = writing<{ merchantId: MerchantId; id: OrderId; amountKobo: Kobo; now: Timestamp }>()(
  'remove_payment_from_order',
  (p) =>
    build
      .updateTable('orders')
      .set({
        paid_kobo: sql<Kobo>`paid_kobo - ${p.amountKobo}::bigint`,
        paid_at: sql<Timestamp | null>`case when paid_kobo - ${p.amountKobo}::bigint >= total_kobo then paid_at end`,
        version: sql<number>`version + 1`,
        updated_at: p.now,
      })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id),
)

/** Subtracts a voided payment from the order and increments its version. */
export function removePaymentFromOrder(
  trx: WriteTrx,
  payment: { merchantId: MerchantId; id: OrderId; amountKobo: Kobo; now: Timestamp },
): void {
  trx.queue(removePayment, payment)
}

const clearExpiry = writing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()('clear_order_expiry', (p) =>
  build
    .updateTable('orders')
    .set({ expires_at: null, version: sql<number>`version + 1`, updated_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Removes the expiry of an order that has expired, so that the order remains. Increments the order's version. */
export function clearOrderExpiry(
  trx: WriteTrx,
  order: { readonly merchantId: MerchantId; readonly id: OrderId; readonly now: Timestamp },
): void {
  trx.queue(clearExpiry, order)
}

const confirm = writing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()('confirm_order', (p) =>
  build
    .updateTable('orders')
    .set({ status: 'processing', confirmed_at: p.now, expires_at: null })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** Moves a pending order to `processing` and records the change. The payment has already incremented the version. */
export function confirmOrder(
  trx: WriteTrx,
  change: { merchantId: MerchantId; id: OrderId; version: number; reason: string; actor: Actor; now: Timestamp },
): void {
  trx.queue(confirm, { merchantId: change.merchantId, id: change.id, now: change.now })
  writeStatusChange(trx, { ...change, orderId: change.id, from: 'pending', to: 'processing' })
}

const confirmHeld = writing<{ merchantId: MerchantId; id: OrderId; now: Timestamp }>()('confirm_held_order', (p) =>
  build
    .updateTable('orders')
    .set({ held_from: 'processing', expires_at: null, version: sql<number>`version + 1`, updated_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/**
 * Makes sure that an order that was put on hold while pending moves to `processing` on its release. Increments the
 * version.
 */
export function confirmHeldOrder(
  trx: WriteTrx,
  order: { readonly merchantId: MerchantId; readonly id: OrderId; readonly now: Timestamp },
): void {
  trx.queue(confirmHeld, order)
}

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

/** Writes the editable fields of an order, such as its note and its tags. */
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
