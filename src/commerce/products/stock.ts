import type { MovementReason } from '../../../registry/products/inventory.ts'
import type { OrderId, RefundId, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import { newMovementId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { type MovementRow, type Stock, type StockLevels, writeStock } from '../../store/products/stock.ts'

/**
 * All stock changes use these functions. Each change is therefore recorded as an inventory movement, and an event is
 * emitted each time the stock falls to the low-stock threshold.
 */

export interface StockMove {
  readonly stock: Stock
  readonly onHandDelta: number
  readonly reservedDelta: number
}

export interface StockCause {
  readonly reason: MovementReason
  readonly orderId?: OrderId
  readonly refundId?: RefundId
  readonly note?: string | undefined
}

export interface Shortage {
  readonly variantId: VariantId
  readonly sku: string
  readonly requested: number
  readonly available: number
}

export function availableOf(stock: Pick<Stock, 'onHand' | 'reserved'>): number {
  return stock.onHand - stock.reserved
}

/** Untracked and backorderable variants are never short. */
export function shortagesOf(lines: readonly { readonly stock: Stock; readonly quantity: number }[]): Shortage[] {
  return lines
    .filter(({ stock, quantity }) => stock.isTracked && !stock.allowsBackorder && quantity > availableOf(stock))
    .map(({ stock, quantity }) => ({
      variantId: stock.variantId,
      sku: stock.sku,
      requested: quantity,
      available: Math.max(0, availableOf(stock)),
    }))
}

/**
 * Reduces the available stock of variants, and emits an event for every variant whose stock becomes low. The moves must
 * contain each variant at most once.
 */
export function takeStock(work: Work<'inventory.low_stock'>, moves: readonly StockMove[], cause: StockCause): void {
  for (const { stock, levels } of writeMoves(work, moves, cause)) {
    const { threshold } = stock
    if (!levels.isLow || wasLow(stock) || stock.isArchived || threshold === null) continue
    emitLowStock(work, { stock, levels, threshold }, eventCauseOf(cause))
  }
}

/**
 * Emits a variant's low-stock event. The caller has set the low-stock flag under the lock of the row, so no other
 * transaction emits the same event.
 */
export function emitLowStock(
  work: Work<'inventory.low_stock'>,
  { stock, levels, threshold }: Crossing,
  cause: { readonly type: 'order' | 'adjustment' | 'settings'; readonly orderId: OrderId | null },
): void {
  work.emit('inventory.low_stock', stock.variantId, { ...shownStock(work, stock, levels), threshold, cause })
}

function shownStock({ now }: Pick<Work, 'now'>, stock: Stock, levels: Pick<StockLevels, 'onHand' | 'reserved'>) {
  return {
    productId: stock.productId,
    variantId: stock.variantId,
    sku: stock.sku,
    title: stock.variantTitle === '' ? stock.title : `${stock.title}, ${stock.variantTitle}`,
    available: availableOf(levels),
    onHand: levels.onHand,
    reserved: levels.reserved,
    occurredAt: now,
  }
}

/**
 * Moves stock in cases that never reduce the available quantity: additions, the release of reservations, shipments and
 * returns. Emits an event for every variant that is available again.
 */
export function returnStock(
  work: Work<'inventory.back_in_stock'>,
  moves: readonly StockMove[],
  cause: StockCause,
): void {
  for (const { stock, levels } of addStock(work, moves, cause)) {
    const isBack = availableOf(stock) <= 0 && availableOf(levels) > 0
    if (!isBack || !stock.isTracked || stock.isArchived) continue
    work.emit('inventory.back_in_stock', stock.variantId, {
      ...shownStock(work, stock, levels),
      cause: eventCauseOf(cause),
    })
  }
}

/** Opening stock emits no event about low stock. */
export function openStock(work: Work, moves: readonly StockMove[]): void {
  addStock(work, moves, { reason: 'opening' })
}

function addStock(work: Work, moves: readonly StockMove[], cause: StockCause): MovedStock[] {
  const lessening = moves.find((move) => move.stock.isTracked && move.onHandDelta < move.reservedDelta)
  if (lessening !== undefined)
    throw new Error(`${cause.reason} must not reduce the available quantity of ${lessening.stock.sku}.`)
  return writeMoves(work, moves, cause)
}

function eventCauseOf({ orderId }: StockCause) {
  return { type: orderId === undefined ? ('adjustment' as const) : ('order' as const), orderId: orderId ?? null }
}

interface Crossing {
  readonly stock: Stock
  readonly levels: Pick<StockLevels, 'onHand' | 'reserved'>
  readonly threshold: number
}

/** The stock of a variant before and after an inventory movement. */
interface MovedStock {
  readonly stock: Stock
  readonly levels: StockLevels
}

/**
 * Returns the time of a change of a variant's stock: the time of the mutation, or the millisecond after the previous
 * change if this is later. The mutation may have waited for the lock of the stock, while a mutation that started later
 * changed the stock. Movements are sorted by their times, so the newest movement has the current quantities.
 */
export function changedAtOf({ nowMs }: Pick<Work, 'nowMs'>, { changedAt }: Pick<Stock, 'changedAt'>): Timestamp {
  return toTimestamp(changedAt === null ? nowMs : Math.max(nowMs, toMs(changedAt) + 1))
}

function writeMoves(work: Work, moves: readonly StockMove[], cause: StockCause): MovedStock[] {
  const changes = moves
    .filter(({ onHandDelta, reservedDelta }) => onHandDelta !== 0 || reservedDelta !== 0)
    .map((move) => ({ move, levels: { ...levelsAfter(move), changedAt: changedAtOf(work, move.stock) } }))
  const { trx, merchantId } = work
  writeStock(
    trx,
    merchantId,
    changes.map(({ levels }) => levels),
    changes.map(({ move, levels }) => movementRow(work, move, levels, cause)),
  )
  return changes.map(({ move: { stock }, levels }) => ({ stock, levels }))
}

/**
 * Returns the stock levels after a movement. A variant is low when its available quantity is at or below the threshold.
 * Only a movement that reduces the available quantity can set the low-stock flag; any movement can clear it. Because of
 * the flag, one event is emitted each time the stock becomes low, and none for further movements.
 */
export function levelsAfter({ stock, onHandDelta, reservedDelta }: StockMove): Omit<StockLevels, 'changedAt'> {
  const onHand = stock.onHand + onHandDelta
  const reserved = stock.reserved + reservedDelta
  const isUnder = isLow(stock, onHand - reserved)
  const isLess = onHandDelta < reservedDelta
  return { variantId: stock.variantId, onHand, reserved, isLow: isUnder && (isLess || stock.isLow) }
}

/**
 * The low-stock flag in the stock row is outdated if the merchant's threshold was lowered while the order waited for
 * the lock of the row.
 */
function wasLow(stock: Stock): boolean {
  return stock.isLow && isLow(stock, availableOf(stock))
}

export function isLow(stock: Pick<Stock, 'isTracked' | 'threshold'>, available: number): boolean {
  return stock.isTracked && stock.threshold !== null && available <= stock.threshold
}

function movementRow(work: Work, move: StockMove, levels: StockLevels, cause: StockCause): MovementRow {
  return {
    merchantId: work.merchantId,
    id: newMovementId(toMs(levels.changedAt)),
    variantId: levels.variantId,
    reason: cause.reason,
    orderId: cause.orderId ?? null,
    refundId: cause.refundId ?? null,
    onHandDelta: move.onHandDelta,
    reservedDelta: move.reservedDelta,
    onHand: levels.onHand,
    reserved: levels.reserved,
    note: cause.note ?? null,
    createdAt: levels.changedAt,
  }
}
