import { isDeepStrictEqual } from 'node:util'
import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import { holdsItems } from '../../../registry/logistics/shipment-states.ts'
import type { Order } from '../../../registry/orders/order.ts'
import { allowedTransitionsOf, type OrderStatus } from '../../../registry/orders/order-states.ts'
import type { OrderUpdate } from '../../../registry/orders/orders.ts'
import type { Kobo, OrderItemId, VariantId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockDiscountsByCode, removeOrderDiscounts } from '../../store/discounts/discount-uses.ts'
import { listShipmentsOfOrder, type ShipmentOfLockedOrder } from '../../store/logistics/shipments/tracking.ts'
import { findKeptKobo } from '../../store/orders/kept-payments.ts'
import { listReferencedItemIds, writeOrderContent } from '../../store/orders/order-content.ts'
import { confirmOrder, type LockedOrder } from '../../store/orders/order-writes.ts'
import { lockVariants, type SellableVariant } from '../../store/products/variants.ts'
import { normaliseCode, type RejectedCode } from '../discounts/discount-choice.ts'
import { releaseDiscounts } from '../discounts/release-discounts.ts'
import { toKobo } from '../money.ts'
import { returnStock, type Shortage, type StockMove, shortagesOf, takeStock } from '../products/stock.ts'
import { emitStatusChange } from './emit-status-change.ts'
import { newItem } from './new-order.ts'
import { reportEditedTotal, resolvePaymentProblems } from './payment-problems.ts'
import { paymentStatusOf } from './payment-status.ts'
import {
  type AppliedDiscount,
  codedDiscount,
  historyOf,
  type PricingRefusal,
  priceLines,
  type RequestedLine,
} from './price-order.ts'
import { withReceipt } from './receipt.ts'
import { orderDiscountsOf, redeemDiscounts } from './redeem-discounts.ts'
import { lockedHistory } from './use-history.ts'

/**
 * Edits the content of an order: its items, discounts and shipping price. The prices and the tax rules of the time when
 * the order was created still apply; only added items have the current catalogue price.
 */

export type ContentUpdate = Pick<OrderUpdate, 'items' | 'discountCodes' | 'shippingKobo' | 'expectedTotalKobo'>

export type ContentBlock = 'ended' | 'handed_over' | 'in_shipment' | 'refunded' | 'item_in_use'

export type EditRefusal =
  | { readonly is: 'content_not_editable'; readonly status: OrderStatus; readonly reason: ContentBlock }
  | Exclude<PricingRefusal, { is: 'customer_unknown' | 'customer_anonymised' }>
  | { readonly is: 'short'; readonly items: readonly Shortage[] }
  | { readonly is: 'code_rejected'; readonly rejected: RejectedCode }
  | { readonly is: 'total_differs'; readonly expectedKobo: Kobo; readonly actualKobo: Kobo }

export type EditOutcome =
  | {
      readonly is: 'edited'
      readonly order: Order
      /**
       * Stores the edited content. Must be called after the order's new version was written. Returns the order with its
       * receipt; the receipt is issued now if the lower total makes the order fully paid.
       */
      readonly store: () => Promise<Order>
    }
  | EditRefusal

type EditWork = Work<'order.edited' | OrderMoveEvents | 'inventory.low_stock'>

/**
 * An order whose content is edited: the locked order, and its record. The record already has the other changes of the
 * request, such as a new address.
 */
export interface OrderToEdit {
  readonly locked: LockedOrder
  readonly record: Order
}

export function changesContent({ items, discountCodes, shippingKobo }: ContentUpdate): boolean {
  return [items, discountCodes, shippingKobo].some((field) => field !== undefined)
}

/** Computes the edited content of an order. Requires the lock of the order. Locks the stock, then the discounts. */
export async function editContent(work: EditWork, order: OrderToEdit, request: ContentUpdate): Promise<EditOutcome> {
  const { trx, merchantId } = work
  const { locked, record } = order
  const items = request.items ?? record.items.flatMap(keptItem)
  const codes = request.discountCodes?.map(normaliseCode) ?? record.discounts.map(({ code }) => code)
  const added = codes.filter((code) => record.discounts.every((discount) => discount.code !== code))
  const variantIds = [...new Set([...items, ...record.items.flatMap(keptItem)].map(({ variantId }) => variantId))]
  const redeemedIds = record.discounts.map(({ discountId }) => discountId)
  const [shipments, referencedIds, variants, discounts, keptKobo] = await Promise.all([
    listShipmentsOfOrder(trx, merchantId, record.id),
    listReferencedItemIds(trx, { merchantId, orderId: record.id }),
    lockVariants(trx, { merchantId, ids: variantIds }),
    codes.length === 0 && redeemedIds.length === 0 ? [] : lockDiscountsByCode(trx, merchantId, added, redeemedIds),
    findKeptKobo(trx, { merchantId, orderId: record.id }),
  ])
  const redeemed = discounts.filter(({ id }) => redeemedIds.includes(id))
  const found = discounts.filter(({ id }) => !redeemedIds.includes(id))
  const checked = checkItems(record, items, variants)
  if (checked.is !== 'fine') return checked
  const { lines } = checked
  const reason = blockOf(order, lines, { shipments, referencedIds })
  if (reason !== undefined) return { is: 'content_not_editable', status: locked.status, reason }
  const history = await historyOf({ history: lockedHistory(work, record.id) }, record.customer, found)
  const priced = priceLines({
    lines: lines.map(({ stock, quantity, unitPriceKobo, item }) => ({
      productId: stock.productId,
      variantId: stock.variantId,
      quantity,
      unitPriceKobo,
      isTaxExempt: item === undefined ? stock.isTaxExempt : item.taxRateBps === 0,
    })),
    shippingKobo: toKobo(request.shippingKobo ?? record.shippingKobo),
    tax: { rateBps: record.taxRateBps, isInclusive: record.taxInclusive },
    codes,
    found: [...redeemed.map((terms) => ({ code: codeOf(record, terms.id) ?? '', terms })), ...found.map(codedDiscount)],
    order: {
      now: work.now,
      customerId: record.customer.id,
      redeemedIds: new Set(redeemedIds),
      ...history,
    },
  })
  if (priced.is !== 'priced') return priced
  const shortages = shortagesOf(addedUnitsOf(lines))
  if (shortages.length > 0) return { is: 'short', items: shortages }
  const [rejected] = priced.rejected
  if (rejected !== undefined) return { is: 'code_rejected', rejected }
  const actualKobo = priced.totals.totalKobo
  const expectedKobo = request.expectedTotalKobo
  if (expectedKobo !== undefined && expectedKobo !== actualKobo)
    return { is: 'total_differs', expectedKobo, actualKobo }
  const edited = editedOrder(work, order, { lines, keptKobo, ...priced })
  return {
    is: 'edited',
    order: edited,
    store: () => storeContent(work, order, edited, { variants, keptKobo, discounts: priced.discounts }),
  }
}

/**
 * Returns only the units that the edit adds. Availability is checked for these units alone. An oversold variant
 * therefore does not prevent an edit that adds no unit of this variant.
 */
function addedUnitsOf(lines: readonly EditedLine[]) {
  return lines
    .map(({ stock, item, quantity }) => ({ stock, quantity: quantity - (item?.quantity ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

/**
 * Converts an order item to a requested item with the same variant and quantity. The variant id is null only in ended
 * orders, because a variant in an open order is never deleted.
 */
function keptItem({ variantId, quantity }: Order['items'][number]) {
  return variantId === null ? [] : [{ variantId, quantity }]
}

interface EditedLine extends RequestedLine {
  /** The item of the order before the change. Undefined for an added item. */
  readonly item: Order['items'][number] | undefined
}

function checkItems(
  record: Order,
  items: NonNullable<OrderUpdate['items']>,
  variants: readonly SellableVariant[],
): { readonly is: 'fine'; readonly lines: readonly EditedLine[] } | EditRefusal {
  const byId = new Map(variants.map((variant) => [variant.variantId, variant]))
  const unknown = items.filter(({ variantId }) => !byId.has(variantId))
  if (unknown.length > 0) return { is: 'variants_unknown', variantIds: unknown.map(({ variantId }) => variantId) }
  const lines = items.flatMap(({ variantId, quantity, unitPriceKobo }): EditedLine[] => {
    const stock = byId.get(variantId)
    if (stock === undefined) return []
    const item = record.items.find((each) => each.variantId === variantId)
    return [{ stock, item, quantity, unitPriceKobo: toKobo(unitPriceKobo ?? item?.unitPriceKobo ?? stock.priceKobo) }]
  })
  const unavailable = lines.filter(({ stock, item, quantity }) => !stock.isSellable && quantity > (item?.quantity ?? 0))
  if (unavailable.length === 0) return { is: 'fine', lines }
  return { is: 'not_available', variantIds: unavailable.map(({ stock }) => stock.variantId) }
}

const endedStatuses: readonly OrderStatus[] = ['cancelled', 'returned']

/**
 * Returns why the content of the order cannot change. Undefined if it can. An order item that a refund lists cannot be
 * removed, even if the refund failed, because the item is part of the record of the refund.
 */
function blockOf(
  { locked, record }: OrderToEdit,
  lines: readonly EditedLine[],
  {
    shipments,
    referencedIds,
  }: { readonly shipments: readonly ShipmentOfLockedOrder[]; readonly referencedIds: readonly OrderItemId[] },
): ContentBlock | undefined {
  if (endedStatuses.includes(locked.status)) return 'ended'
  if (locked.fulfilledQuantity > 0) return 'handed_over'
  if (shipments.some(({ status }) => holdsItems(status))) return 'in_shipment'
  const isRemoved = (id: OrderItemId) => lines.every(({ item }) => item?.id !== id)
  const hasCancelledUnits = record.items.some(({ cancelledQuantity }) => cancelledQuantity > 0)
  const isRefunded = locked.refundedKobo + locked.refundPendingKobo > 0
  if (isRefunded || hasCancelledUnits) return 'refunded'
  return referencedIds.some(isRemoved) ? 'item_in_use' : undefined
}

function codeOf({ discounts }: Order, id: string): string | undefined {
  return discounts.find(({ discountId }) => discountId === id)?.code
}

interface Priced extends Pick<Extract<ReturnType<typeof priceLines>, { is: 'priced' }>, 'totals' | 'discounts'> {
  readonly lines: readonly EditedLine[]
  /**
   * The paid amount, excluding the money that the payer got back through lost disputes. Only this amount decides
   * whether the edited order is confirmed as paid.
   */
  readonly keptKobo: Kobo
}

/**
 * Returns the record of the edited order. If payments cover the new total, a pending order is confirmed at once, and an
 * order on hold is confirmed when it is released.
 */
function editedOrder(
  work: EditWork,
  { locked, record }: OrderToEdit,
  { lines, totals, discounts, keptKobo }: Priced,
): Order {
  const items = lines.map((line, index) => {
    const amounts = totals.lines[index]
    if (amounts === undefined) throw new Error('The totals must have one entry for each order item.')
    const { item, quantity, unitPriceKobo } = line
    return item === undefined ? newItem(work.nowMs, line, amounts) : { ...item, quantity, unitPriceKobo, ...amounts }
  })
  const { totalKobo } = totals
  const isCovered = keptKobo >= totalKobo
  const isConfirmed = isCovered && locked.status === 'pending'
  const status = isConfirmed ? 'processing' : locked.status
  return {
    ...record,
    status,
    items,
    subtotalKobo: totals.subtotalKobo,
    discountKobo: totals.discountKobo,
    shippingKobo: totals.shippingKobo,
    taxKobo: totals.taxKobo,
    totalKobo,
    discounts: orderDiscountsOf(discounts, items),
    balanceKobo: toKobo(totalKobo - locked.paidKobo),
    paymentStatus: paymentStatusOf({ ...locked, totalKobo }),
    paidAt: locked.paidKobo >= totalKobo ? (record.paidAt ?? work.now) : null,
    expiresAt: isCovered ? null : record.expiresAt,
    confirmedAt: isConfirmed ? work.now : record.confirmedAt,
    allowedTransitions: allowedTransitionsOf({
      ...locked,
      status,
      heldFrom: heldFromOf(locked, isCovered),
      itemQuantity: unitsOf(items),
    }),
  }
}

function heldFromOf({ heldFrom }: LockedOrder, isCovered: boolean): OrderStatus | null {
  return heldFrom !== null && isCovered ? 'processing' : heldFrom
}

function unitsOf(items: Order['items']): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0)
}

interface Stored extends Pick<Priced, 'keptKobo'> {
  readonly variants: readonly SellableVariant[]
  readonly discounts: readonly AppliedDiscount[]
}

async function storeContent(
  work: EditWork,
  { locked, record }: OrderToEdit,
  edited: Order,
  { variants, discounts, keptKobo }: Stored,
): Promise<Order> {
  const { trx, merchantId } = work
  const itemQuantity = unitsOf(edited.items)
  const heldFrom = heldFromOf(locked, keptKobo >= edited.totalKobo)
  writeOrderContent(trx, { merchantId, before: record, order: edited, itemQuantity, heldFrom })
  if (!isDeepStrictEqual(edited.discounts, record.discounts)) {
    if (record.discounts.length > 0) {
      releaseDiscounts(work, record.id)
      removeOrderDiscounts(trx, { merchantId, orderId: record.id })
    }
    redeemDiscounts(work, edited, discounts)
  }
  moveUnits(work, record, edited, variants)
  noteChanges(work, record, edited)
  if (edited.status !== locked.status) {
    const change = { from: 'pending', to: 'processing', reason: 'order_edited', version: edited.version } as const
    confirmOrder(trx, { merchantId, id: record.id, actor: work.actor, now: work.now, ...change })
    emitStatusChange(work, locked, change)
  }
  const after = { ...locked, status: edited.status, totalKobo: edited.totalKobo, itemQuantity }
  resolvePaymentProblems(work, locked, after)
  reportEditedTotal(work, { after, keptKobo })
  const order = await withReceipt(work, edited)
  work.emit('order.edited', record.id, { order, previousTotalKobo: record.totalKobo })
  return order
}

/** Reserves the stock of added units and releases that of removed units. */
function moveUnits(work: EditWork, record: Order, edited: Order, variants: readonly SellableVariant[]): void {
  const unitsBefore = quantitiesOf(record)
  const unitsAfter = quantitiesOf(edited)
  const moves = variants.map((stock): StockMove => {
    const reservedDelta = (unitsAfter[stock.variantId] ?? 0) - (unitsBefore[stock.variantId] ?? 0)
    return { stock, onHandDelta: 0, reservedDelta }
  })
  const reserved = moves.filter(({ reservedDelta }) => reservedDelta > 0)
  const released = moves.filter(({ reservedDelta }) => reservedDelta < 0)
  takeStock(work, reserved, { reason: 'order_reserved', orderId: record.id })
  returnStock(work, released, { reason: 'order_released', orderId: record.id })
}

function quantitiesOf({ items }: Order): Readonly<Record<VariantId, number>> {
  return Object.fromEntries(items.flatMap(keptItem).map(({ variantId, quantity }) => [variantId, quantity]))
}

function noteChanges(work: EditWork, record: Order, edited: Order): void {
  const before = notedContentOf(record)
  const after = notedContentOf(edited)
  for (const field of notedFields) {
    if (!isDeepStrictEqual(before[field], after[field])) work.note({ [field]: [before[field], after[field]] })
  }
}

const notedFields = ['items', 'discountCodes', 'shippingKobo', 'totalKobo'] as const

function notedContentOf({
  items,
  discounts,
  shippingKobo,
  totalKobo,
}: Order): Record<(typeof notedFields)[number], unknown> {
  return {
    items: items.map(({ variantId, quantity, unitPriceKobo }) => ({ variantId, quantity, unitPriceKobo })),
    discountCodes: discounts.map(({ code }) => code),
    shippingKobo,
    totalKobo,
  }
}
